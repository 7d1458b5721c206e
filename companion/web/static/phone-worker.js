// The program on the phone: answers where there is no line, and always for the sheets that were opened here. It is the first
// part of a service worker. Before it, the server puts loadPyodide, createPyodideModule and BUNDLE; after it, offline.js.
const HELD = "phone-" + BUNDLE.version;
const PATIENCE = 5000;   // milliseconds until a page that does not come is made here
const BETWEEN = 20000;   // milliseconds between two attempts to send the sheets of this phone
const PAGE = new RegExp(`^/((${BUNDLE.languages.join("|")})(/.*)?)?$`);
const OWN = /^\/[^/]+\/sheets\/([^/]+)/;
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

// Which sheets live here, and where those went that were sent to the server.
let known = null;
function sheetsHere() {
  known ||= stored("readonly", (lines, facts) => Promise.all([asked(facts.get("sheets")), asked(facts.get("moved"))]))
    .then((found) => found).then(([sheets, moved]) => ({ sheets: new Set(sheets || []), moved: moved || {} }));
  known.catch(() => { known = null; });
  return known;
}

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
  const { python, device } = await running();
  const given = device.answer(request.method, request.url, python.toPy([...request.headers]), python.toPy(sent));
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

async function write(lines, cookies) {
  const here = await sheetsHere();
  const sheets = new Set(here.sheets);
  const texts = lines.map(([sheet, text, kind]) => {
    if (kind === "create") sheets.add(sheet);
    if (kind === "erase") sheets.delete(sheet);
    return { sheet, text, kind };
  });
  await stored("readwrite", (kept, facts) => {
    for (const each of texts) {
      if (each.kind === "erase") kept.index("sheet").openKeyCursor(each.sheet).onsuccess = (event) => {
        const cursor = event.target.result;
        if (cursor) { kept.delete(cursor.primaryKey); cursor.continue(); }
      };
      else kept.add({ sheet: each.sheet, text: each.text });
    }
    facts.put([...sheets], "sheets");
    if (cookies) facts.put(cookies, "cookies");
  });
  here.sheets = sheets;
}

// What is asked. ----------------------------------------------------------------------------------------------------------
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  const file = BUNDLE.statics[url.pathname];
  const work = file ? () => held("/phone/" + file) : PAGE.test(url.pathname) ? () => page(event, url) : null;
  if (!work) return;
  event.stopImmediatePropagation();
  event.respondWith(work());
});

async function page(event, url) {
  const { request } = event;
  if (SELF.test(url.pathname)) return online(request).catch(async (failure) => (await held(url.pathname)) || Promise.reject(failure));
  const sheet = (OWN.exec(url.pathname) || [])[1], here = await sheetsHere().catch(() => ({ sheets: new Set(), moved: {} }));
  if (here.moved[sheet]) return elsewhere(request, url, sheet, here.moved[sheet]);
  if (here.sheets.has(sheet)) return local(event, url);
  if (sheet && sheet !== "new" && sheet !== "import") return ofTheServer(event, url);
  const spare = request.clone();
  try {
    const found = await inTime(request);
    if (request.mode === "navigate") event.waitUntil(send());
    return found;
  } catch {
    const made = await answer(spare);
    // A form that the server made has a token of the server: the phone makes it anew.
    return made.status === 400 && request.method === "POST" ? Response.redirect(url, 303) : made;
  }
}

// The answer of the server; of a page that it does not give in time, an error.
async function inTime(request) {
  if (!navigator.onLine) throw new Error("offline");
  const asking = online(request);
  if (request.method !== "GET") return asking;
  asking.catch(() => {});
  const late = new Promise((_, failed) => { setTimeout(failed, PATIENCE, new Error("late")); });
  const found = await Promise.race([asking, late]);
  if (found.status >= 502 && found.status <= 504) throw new Error(found.status);
  return found;
}

// At a cold start a sheet is shown as it was last seen, while the program starts.
async function local(event, url) {
  const { request } = event;
  event.waitUntil(send());
  if (!starting && request.mode === "navigate" && request.method === "GET" && !url.search) {
    const seen = await (await caches.open(SHEETS)).match(url.pathname);
    if (seen) { event.waitUntil(running()); return seen; }
  }
  const made = await answer(request);
  if (request.method === "GET" && made.ok && SHEET.test(url.pathname) && !url.search) {
    event.waitUntil(caches.open(SHEETS).then((cache) => keep(cache, url.pathname, made.clone())).catch(() => {}));
  }
  return made;
}

function ofTheServer(event, url) {
  if (event.request.method === "POST" && url.pathname.endsWith("/leave")) event.waitUntil(forget(url.pathname.slice(0, -6)));
  return event.request.method === "GET" && SHEET.test(url.pathname) ? sheet(event.request, url.pathname) : online(event.request);
}

// A sheet that was sent to the server goes on there. A tap that was still on its way waits until its page has moved, too.
async function elsewhere(request, url, from, to) {
  if (request.method === "GET" && request.mode === "navigate") return Response.redirect(url.pathname.replace(from, to) + url.search, 302);
  if (request.method === "GET") return new Response("", { status: 404 });
  await taps(from, to).catch(() => {});
  return new Response("", { status: 503, headers: { "Retry-After": "1" } });
}

// Back on the line. -------------------------------------------------------------------------------------------------------
let tried = 0;
async function send(now = false) {
  const here = await sheetsHere();
  if (!here.sheets.size || !navigator.onLine || (!now && Date.now() - tried < BETWEEN)) return;
  tried = Date.now();
  try {
    if (!(await online("/version", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok) return;
    for (const id of here.sheets) if (!await inTurn(() => up(here, id))) return;
  } catch { /* the next page tries again */ }
}

async function up(here, id) {
  const place = `${location.origin}/${BUNDLE.languages[0]}`;
  const file = await (await serve(new Request(`${place}/sheets/${id}/export.json`))).text();
  const sent = await online(`${place}/phone/sheets`, {
    method: "POST", body: file, headers: { "Content-Type": "application/json", "Idempotency-Key": id }, signal: AbortSignal.timeout(12 * PATIENCE),
  });
  if (!sent.ok) return false;
  const { sheet: to } = await sent.json();
  here.moved[id] = to;
  await stored("readwrite", (lines, facts) => { facts.put(here.moved, "moved"); });
  const { device } = await running();
  const lines = device.erase(id).toJs();
  await write(lines, "");
  await taps(id, to).catch(() => {});
  await Promise.all(BUNDLE.languages.map((lang) => forget(`/${lang}/sheets/${id}`)));
  return true;
}

// Taps of taps.js that are not sent yet go with their sheet.
async function taps(from, to) {
  const opening = indexedDB.open("companion", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("taps", { keyPath: "id", autoIncrement: true });
  const storage = (await asked(opening)).transaction("taps", "readwrite").objectStore("taps");
  for (const tap of await asked(storage.getAll())) {
    if (tap.sheet.endsWith("/" + from)) storage.put({ ...tap, sheet: tap.sheet.replace(from, to), request: undefined });
  }
}

// What the page of this phone asks for, and the files of a newer program. -------------------------------------------------
addEventListener("message", (event) => {
  const work = { state, send: () => send(true).then(state), leave }[event.data];
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
