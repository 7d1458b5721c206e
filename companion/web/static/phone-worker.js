// The program on the phone: answers where there is no line, and always for the sheets that were opened here. It is the first
// part of a service worker. Before it, the server puts loadPyodide, createPyodideModule and BUNDLE; after it,
// phone-sending.js and offline.js.
const HELD = "phone-" + BUNDLE.version;
const PATIENCE = 5000;   // milliseconds until a page that does not come is made here
const BETWEEN = 5000;    // milliseconds between two attempts to send the sheets of this phone
const BLIP = 10000;      // milliseconds without a line after which a sheet of the server is continued here
const TOKENS = 100;
const PAGE = new RegExp(`^/((${BUNDLE.languages.join("|")})(/.*)?)?$`);
const OWN = /^\/[^/]+\/sheets\/([^/]+)/;
const NEW = /\/sheets\/new\/[^/?]+(\?|$)/;
const GROUP = ["group", "league", "round", "table"];   // fields of the form of a new sheet
const FIELDS = "application/x-www-form-urlencoded";
const TOKEN = /name="csrf_token" value="([^"]+)"/;
const SELF = /^\/[^/]+\/phone(\/|$)/;
const HOME = "/home/pyodide";

// On the device: what was written, one line for each transaction, and a few facts. --------------------------------------
const base = new Promise((done, failed) => {
  const asking = indexedDB.open("companion-phone", 1);
  asking.onupgradeneeded = () => {
    asking.result.createObjectStore("lines", { autoIncrement: true }).createIndex("sheet", "sheet");
    asking.result.createObjectStore("facts");
  };
  asking.onsuccess = () => done(asking.result);
  asking.onerror = () => failed(asking.error);
});
base.catch(() => { /* said where it is needed */ });

async function stored(mode, work) {
  const storage = (await base).transaction(["lines", "facts"], mode, { durability: "strict" });
  return new Promise((done, failed) => {
    const found = work(storage.objectStore("lines"), storage.objectStore("facts"));
    storage.oncomplete = () => done(found);
    storage.onabort = () => failed(storage.error);
  });
}
const asked = (request) => new Promise((done, failed) => { request.onsuccess = () => done(request.result); request.onerror = () => failed(request.error); });

// Which sheets live here, which of them the server has, too, where those went that were sent to it, and which others have
// continued there in the meantime.
let known = null;
function sheetsHere() {
  known ||= stored("readonly", (lines, facts) => Promise.all(["sheets", "adopted", "moved", "apart"].map((name) => asked(facts.get(name)))))
    .then(([sheets, adopted, moved, apart]) => (
      { sheets: new Set(sheets), adopted: new Set(adopted), moved: moved || {}, apart: apart || {} }
    ));
  known.catch(() => { known = null; });
  return known;
}
const fact = (name) => stored("readonly", (lines, facts) => asked(facts.get(name)));
const keepFact = (name, value) => stored("readwrite", (lines, facts) => { facts.put(value, name); });

// The program. ------------------------------------------------------------------------------------------------------------
const held = async (path) => (await caches.open(HELD)).match(path);
const bytes = async (name) => new Uint8Array(await (await held("/phone/" + BUNDLE.files[name].path)).arrayBuffer());

// The runtime asks for its files by names of its own.
const online = self.fetch.bind(self);
self.fetch = async (asking, options) => {
  const url = new URL(asking.url || asking, location.origin), name = url.pathname.slice("/phone/".length);
  return url.origin === location.origin && BUNDLE.files[name] ? held("/phone/" + BUNDLE.files[name].path) : online(asking, options);
};

// A memory may be larger than the runtime makes it: it grows before the copy is put into it.
let size = 0;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const plain = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (...given) => {
    const made = await plain(...given), memory = (made.instance || made).exports.memory;
    if (memory && memory.buffer.byteLength < size) memory.grow(Math.ceil((size - memory.buffer.byteLength) / 65536));
    return made;
  };
}

let starting = null;
function running() {
  starting ||= start();
  starting.catch(() => { starting = null; });
  return starting;
}

async function start() {
  const [memory, tree, facts] = await Promise.all([bytes("memory.bin"), bytes("tree.bin"), stored("readonly", (lines, all) => (
    Promise.all([asked(all.get("key")), asked(all.get("cookies")), asked(lines.getAll())])
  ))]);
  size = memory.length;
  const python = await loadPyodide({
    createPyodideModule, indexURL: location.origin + "/phone/", packageBaseUrl: location.origin + "/phone/", env: { HOME },
    lockFileContents: { info: BUNDLE.runtime, packages: {} }, _loadSnapshot: memory,
  });
  unpack(python.FS, tree);
  const [key, cookies, lines] = await facts;
  const device = python.globals.get("device");
  device.begin(key || await newKey(), cookies || "{}", python.toPy((lines || []).map((line) => line.text)));
  return { python, device };
}

async function newKey() {
  const key = [...crypto.getRandomValues(new Uint8Array(32))].map((each) => each.toString(16).padStart(2, "0")).join("");
  await stored("readwrite", (lines, facts) => { facts.put(key, "key"); });
  return key;
}

function unpack(files, tree) {
  const end = 4 + new DataView(tree.buffer).getUint32(0, true);
  let place = end;
  const folders = new Set();
  for (const [name, length] of JSON.parse(new TextDecoder().decode(tree.subarray(4, end)))) {
    const folder = "/app/" + name.slice(0, name.lastIndexOf("/") + 1);
    if (!folders.has(folder)) { files.mkdirTree(folder); folders.add(folder); }
    files.writeFile("/app/" + name, tree.subarray(place, place + length));
    place += length;
  }
}

// One request after another: the order of what is written is the order in which it was decided.
let line = Promise.resolve();
function inTurn(work) {
  const mine = line.then(work);
  line = mine.catch(() => {});
  return mine;
}
const answer = (request) => inTurn(() => serve(request));

async function serve(request) {
  const sent = new Uint8Array(await request.arrayBuffer());
  const own = request.method === "POST" && await isOwn(request, sent);
  const { python, device } = await running();
  const given = device.answer(request.method, request.url, python.toPy([...request.headers]), python.toPy(sent), own);
  const [status, headers, lines] = [given.status, given.headers.toJs(), given.lines.toJs()];
  const body = given.body.toJs(), cookies = given.cookies;
  given.destroy();
  if (lines.length || cookies) {
    try { await write(lines, cookies); } catch {
      starting = null;   // what could not be kept is not answered either: the program begins anew with what is kept
      return new Response("", { status: 507 });
    }
  }
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
}

// Whether a form is one of this site: a script can only ask from a page of this site, and of a form that was sent as a page
// the token is among those that went by. A token of the program is checked by the program.
async function isOwn(request, sent) {
  if (request.mode !== "navigate") return true;
  const found = /csrf_token"?(?:=|\r\n\r\n)([^&\r\n]+)/.exec(new TextDecoder().decode(sent.subarray(0, 4096)));
  return Boolean(found) && ((await fact("tokens")) || []).includes(decodeURIComponent(found[1]));
}
async function noteTokens(page) {
  if (!(page.headers.get("Content-Type") || "").startsWith("text/html")) return;
  const found = [...(await page.text()).matchAll(new RegExp(TOKEN, "g"))].map((each) => each[1]);
  if (found.length) await stored("readwrite", async (lines, facts) => {
    facts.put([...new Set([...found, ...(await asked(facts.get("tokens"))) || []])].slice(0, TOKENS), "tokens");
  });
}

async function write(lines, cookies) {
  const here = await sheetsHere();
  const sheets = new Set(here.sheets);
  const texts = lines.map(([sheet, text, kind]) => {
    if (kind === "create") sheets.add(sheet);
    if (kind === "erase") sheets.delete(sheet);
    return { sheet, text, kind };
  });
  const adopted = new Set([...here.adopted].filter((sheet) => sheets.has(sheet)));
  await stored("readwrite", (kept, facts) => {
    for (const each of texts) {
      if (each.kind === "erase") kept.index("sheet").openKeyCursor(each.sheet).onsuccess = (event) => {
        const cursor = event.target.result;
        if (cursor) { kept.delete(cursor.primaryKey); cursor.continue(); }
      };
      else kept.add({ sheet: each.sheet, text: each.text });
    }
    facts.put([...sheets], "sheets");
    facts.put([...adopted], "adopted");
    if (cookies) facts.put(cookies, "cookies");
  });
  Object.assign(here, { sheets, adopted });
}

// What is asked. ----------------------------------------------------------------------------------------------------------
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  const file = BUNDLE.statics[url.pathname] || BUNDLE.files[url.pathname.slice(1)]?.path; // a drawing goes by its plain name
  const work = file ? () => held("/phone/" + file) : PAGE.test(url.pathname) ? () => page(event, url) : null;
  if (!work) return;
  event.stopImmediatePropagation();
  event.respondWith(work());
});

async function page(event, url) {
  const { request } = event;
  if (SELF.test(url.pathname)) return online(request).catch(async (failure) => (await held(url.pathname)) || Promise.reject(failure));
  const id = (OWN.exec(url.pathname) || [])[1], here = await sheetsHere().catch(() => null);
  const choosing = request.method === "POST" && url.pathname.endsWith("/back") && here && here.apart[id];
  if (!here || choosing) return online(request);
  if (here.moved[id]) return elsewhere(request, url, id, here.moved[id]);
  if (here.sheets.has(id)) return local(event, url, id, request);
  if (id && id !== "new" && id !== "import") return ofTheServer(event, url, id);
  const spare = request.clone();
  try {
    const found = await inTime(request);
    if (request.mode === "navigate") { event.waitUntil(send()); event.waitUntil(noteTokens(found.clone())); }
    if (found.ok && LIST.test(url.pathname) && !url.search) event.waitUntil(found.clone().text().then((html) => copies(linked(html))));
    return found;
  } catch {
    if (request.method === "GET" && LIST.test(url.pathname)) await adoptAll().catch(() => {});
    return made(spare);
  }
}

// What the program answers. A form that only the server can take stays as it was filled in.
async function made(request) {
  const sent = NEW.test(request.url) && request.method === "POST" ? request.clone() : null, found = await answer(request);
  if (sent && found.status === 303) await forGroup(found.headers.get("Location").split("/").pop(), new URLSearchParams(await sent.text()));
  const taken = found.status !== 400 && found.status !== 503;
  return request.method === "POST" && request.mode === "navigate" && !taken ? stays() : found;
}

// A form that the program made, while there was no line, is none of the server's: its token is exchanged, and it is sent again.
async function signed(request) {
  const spare = request.clone(), found = await online(request);
  if (found.status !== 400 || !(spare.headers.get("Content-Type") || "").startsWith(FIELDS)) return found;
  const form = new URLSearchParams(await spare.text()), { device } = await running();
  if (!device.owns(form.get("csrf_token") || "")) return found;
  const { pathname } = new URL(spare.url), own = OWN.exec(pathname);
  const page = await (await online(own && own[1] !== "new" ? own[0] : pathname)).text(), token = TOKEN.exec(page);
  if (!token) return found;
  form.set("csrf_token", token[1]);
  return online(spare.url, { method: "POST", headers: { "Content-Type": FIELDS }, body: form.toString(), redirect: spare.redirect });
}

// A sheet that was opened for a group belongs to it as soon as the server has it.
async function forGroup(id, form) {
  const group = Object.fromEntries([...form].filter(([name]) => GROUP.includes(name)));
  if (group.group) await keepFact("group:" + id, group);
}

// The answer of the server; of a page that it does not give in time, an error.
async function inTime(request) {
  if (!navigator.onLine) throw new Error("offline");
  if (request.method !== "GET") return signed(request);
  const asking = online(request);
  asking.catch(() => {});
  const late = new Promise((_, failed) => { setTimeout(failed, PATIENCE, new Error("late")); });
  const found = await Promise.race([asking, late]);
  if (found.status >= 502 && found.status <= 504) throw new Error(found.status);
  return found;
}

// At a cold start a sheet is shown as it was last seen, while the program starts.
async function local(event, url, id, request) {
  event.waitUntil(send());
  const view = request.mode === "navigate" && request.method === "GET";
  if (view && navigator.onLine && (await sheetsHere()).apart[id]) {
    const both = await up(id, url.pathname.split("/")[1]).catch(() => null);
    if (both === true) return Response.redirect(url, 302);
    if (both) return both.clone();
  }
  if (!starting && view && !url.search) {
    const seen = await (await caches.open(SHEETS)).match(url.pathname);
    if (seen) { event.waitUntil(running()); return seen; }
  }
  const found = await made(request);
  if (request.method === "GET" && found.ok && SHEET.test(url.pathname) && !url.search) {
    event.waitUntil(keep(SHEETS, url.pathname, found));
  }
  return found;
}

// A sheet of the server is asked of the server. Where that cannot be reached for a while, it is continued here from its copy;
// until then, or where there is none, it is shown as it was last seen, and its taps wait.
let away = 0;
async function ofTheServer(event, url, id) {
  const { request } = event, spare = request.clone(), shown = request.method === "GET" && SHEET.test(url.pathname);
  if (request.method === "POST" && url.pathname.endsWith("/leave")) event.waitUntil(forget(url.pathname.slice(0, -6)));
  try {
    const found = await (shown ? fresh(request, url.pathname) : request.method === "POST" ? signed(request) : online(request));
    if (found.status >= 502 && found.status <= 504) throw new Error(found.status);
    away = 0;
    if (found.ok) event.waitUntil(passed(url, id, found.clone()).catch(() => {}));
    return found;
  } catch (failure) {
    away ||= Date.now();
    const seen = shown && await (await caches.open(SHEETS)).match(url.pathname);
    const adopted = !navigator.onLine || Date.now() - away > BLIP ? adopt(id).catch(() => false) : false;
    if (seen && !starting) {   // the totals catch up when the program is there
      event.waitUntil(adopted);
      return seen;
    }
    if (await adopted) return local(event, url, id, spare);
    if (seen) return seen;
    if (request.mode !== "navigate") throw failure;
    return request.method === "POST" ? stays() : made(spare);
  }
}

// What is needed to continue a sheet, renewed after each page of it that is another one.
const renewing = new Map();
async function passed(url, id, page) {
  const html = await page.clone().text(), tag = /data-live="[^"]*" data-version="([^"]*)"/.exec(html);
  await noteTokens(page);
  if (!tag) return;
  await renew(id, tag[1]);
}
// With no tag, whatever there is.
async function renew(id, tag) {
  const waits = renewing.has(id);
  renewing.set(id, tag);
  if (waits) return;
  try {
    while (renewing.get(id) !== (await renewed(id, renewing.get(id)))) { /* somebody has written */ }
  } finally { renewing.delete(id); }
}
async function renewed(id, tag) {
  const copy = await fact("copy:" + id);
  if (copy && copy.tag === tag) return tag;
  const events = copy ? copy.file.events.slice(0, -1) : [];   // the last one comes again: an answer always has one
  const found = await (await online(`/${BUNDLE.languages[0]}/phone/sheets/${id}?after=${events.length}`, { cache: "no-store" })).json();
  if (events.length && found.previous !== events.at(-1).hash) {
    await keepFact("copy:" + id, undefined);
    return renewed(id, tag);
  }
  const file = { ...found.file, events: [...events, ...found.file.events] };
  const latest = [id, ...((await fact("copies")) || []).filter((each) => each !== id)];
  delete file.anchor;
  await stored("readwrite", (lines, facts) => {
    facts.put({ tag: found.tag, label: found.label, file }, "copy:" + id);
    facts.put(latest.slice(0, LATEST), "copies");
    for (const old of latest.slice(LATEST)) facts.delete("copy:" + old);
  });
  return renewing.get(id) === tag ? tag : found.tag;
}

// The latest sheets of a list can be continued, although nobody has opened them since the program is on this phone.
async function copies(ids) {
  const here = await sheetsHere();
  for (const id of ids.toReversed()) if (!here.sheets.has(id) && !here.moved[id]) await renew(id, null).catch(() => {});
}
async function copyLatest() {
  await copies(linked(await (await online(`/${BUNDLE.languages[0]}/sheets`)).text()));
}

// Continue a sheet of the server here, unless it was last seen at another version than that of its copy.
async function adopt(id) {
  const copy = await fact("copy:" + id), here = await sheetsHere();
  if (here.sheets.has(id)) return true;
  if (!copy) return false;
  for (const lang of BUNDLE.languages) {
    const seen = await (await caches.open(SHEETS)).match(`/${lang}/sheets/${id}`), html = seen ? await seen.text() : "";
    const tag = /data-live="[^"]*" data-version="([^"]*)"/.exec(html);
    if (tag && parseInt(tag[1], 10) > parseInt(copy.tag, 10)) return false;
  }
  return inTurn(async () => {
    if (here.sheets.has(id)) return true;
    const { device } = await running(), proxy = device.adopt(id, JSON.stringify(copy.file), copy.label), lines = proxy.toJs();
    proxy.destroy();
    here.adopted.add(id);
    here.sheets.add(id);
    try { await write(lines, device.kept_cookies()); } catch (failure) {
      known = starting = null;
      throw failure;
    }
    return true;
  });
}
async function adoptAll() {
  const here = await sheetsHere();
  for (const id of ((await fact("copies")) || []).toReversed()) if (!here.sheets.has(id)) await adopt(id);
}

// A sheet that was sent to the server goes on there, and so does what is asked of a page that is still on the screen. That page
// is read again as soon as it looks for changes; a tap that was still on its way waits for that.
async function elsewhere(request, url, from, to) {
  const place = url.pathname.replace(from, to) + url.search, { method, headers, redirect } = request;
  if (method === "GET") return url.pathname.endsWith("/version") ? new Response("", { status: 404 }) : Response.redirect(place, 302);
  if (url.pathname.includes("/do/")) {
    await taps(from, to).catch(() => {});
    return new Response("", { status: 503, headers: { "Retry-After": "1" } });
  }
  return signed(new Request(place, { method, headers, body: await request.blob(), redirect })).catch((failure) => (
    request.mode === "navigate" ? stays() : Promise.reject(failure)
  ));
}

// What the page of this phone asks for, and the files of a newer program. -------------------------------------------------
addEventListener("message", (event) => {
  const asked = { state, send: () => send(true).then(state), leave, copies: copyLatest };
  const work = event.data.chosen ? () => chosen(event.data.chosen) : asked[event.data];
  if (work) event.waitUntil(work().catch(() => null).then((said) => event.ports[0].postMessage(said)));
});
async function state() {
  return { version: BUNDLE.version, sheets: [...(await sheetsHere()).sheets] };
}
async function leave() {
  const here = await sheetsHere();
  if (here.sheets.size) return false;
  await stored("readwrite", (lines, facts) => { lines.clear(); facts.clear(); });
  known = starting = null;
  return true;
}

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(HELD);
  for (const { path } of Object.values(BUNDLE.files)) {
    if (!await cache.match("/phone/" + path)) await cache.add("/phone/" + path);
  }
  await cache.addAll(BUNDLE.languages.map((lang) => `/${lang}/phone`));
})()));
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("phone-") && name !== HELD) await caches.delete(name);
})()));
