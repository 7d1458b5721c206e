// Every tap counts once and for the right person, however slow the line is: a tap is kept on this phone, shown at once, and
// sent in order by pressing the same button on the page that the server last answered. A tap without its button there is
// not sent but shown to whoever made it.
"use strict";
{
const BOUNCE = 250;   // milliseconds, and
const NEAR = 30;      // pixels, within which a second touch after a new question is the first finger bouncing
const UNSAID = 900;   // milliseconds until a tap that is still on its way is worth a word
const WAITS = [500, 1000, 2000, 4000, 8000, 15000];
const PATIENCE = 20000;
const LEASE = 6000;   // milliseconds after which the taps of a tab that no longer says it is there are sent by another

const sheet = document.querySelector("[data-live]").dataset.live;
const me = sessionStorage.getItem("tab") || crypto.getRandomValues(new Uint32Array(2)).join("-");
sessionStorage.setItem("tab", me);

let queue = [];       // taps on their way, the first one next
const counted = [];   // counts that the server knows of, which are written nowhere yet
let last = null;      // the tap that was sent last
let served = null;    // the page that the server last answered, where it is not the one on the screen
let tree = null;      // the question on the screen and those to come
let here = 0;         // where in the tree the screen is
let sending = false, failures = 0, retry = 0, changed = 0, point = [-99, -99];

// On the device -------------------------------------------------------------------------------------------------------
const opened = new Promise((done) => {
  const asking = indexedDB.open("companion", 1);
  asking.onupgradeneeded = () => asking.result.createObjectStore("taps", { keyPath: "id", autoIncrement: true });
  asking.onsuccess = () => done(asking.result);
  asking.onerror = () => done(null);   // a browser that keeps nothing: taps last as long as the page
}).catch(() => null);

async function store(work) {
  const base = await opened;
  if (!base) return null;
  return new Promise((done, failed) => {
    const writing = base.transaction("taps", "readwrite", { durability: "strict" });
    const asking = work(writing.objectStore("taps"));
    writing.commit();   // sent with the request itself: a tab that is killed now has kept it
    writing.oncomplete = () => done(asking.result);
    writing.onabort = () => failed(writing.error);
  }).catch(() => null);
}
async function keep({ before, ...tap }, whose) {
  const id = await store((taps) => taps.put(tap));
  if (id) whose.id = id;
}
const drop = (tap) => tap.id && store((taps) => taps.delete(tap.id));
const stillHere = () => localStorage.setItem("tab-" + me, Date.now());
const gone = (tab) => Date.now() - (localStorage.getItem("tab-" + tab) || 0) > LEASE;

// On the screen -------------------------------------------------------------------------------------------------------
const line = document.createElement("div");
line.className = "line";
document.body.append(line);

function say(word, names = [], ...buttons) {
  line.replaceChildren();
  const notice = document.querySelector("[data-unsent]"), words = notice && notice.dataset;
  if (!word || !words) return;
  const text = document.createElement("p");
  text.textContent = spoken.textContent = words[word] + names.join(words.comma) + (word === "unsent" ? stops() : "");
  line.append(text);
  for (const [name, press] of buttons) {
    const act = document.createElement("button");
    act.textContent = words[name];
    act.addEventListener("click", press);
    line.append(act);
  }
}
// Where no further question is known here, the entry waits for the line, and says so.
function stops() {
  const latest = queue.at(-1);
  return failures && tree && latest && latest.question && !latest.drawn ? tree.stops : "";
}
const named = (tap) => [tap.label, tap.shown].filter(Boolean).join("\u00a0");

function report(aloud = true) {
  const undo = document.querySelector(".bar .undo");
  if (undo && queue.length) undo.querySelector("button").disabled = false;
  if (!queue.length) say("");
  else if (aloud) say("unsent", queue.map(named), ...(failures ? [["sendNow", () => { clearTimeout(retry); send(); }]] : []));
}

function asked() {
  const question = document.querySelector("#entry .question");
  return question && question.dataset.question;
}
const node = () => tree && tree.questions[here];

async function foretell() {
  const main = document.querySelector("[data-live]"), question = asked();
  if (!main || !question) return;
  const known = tree && tree.deal === main.dataset.deal && node().question === question;
  if (known && Object.keys(node().after).length) return;
  try {
    const answer = await fetch(sheet + "/ahead" + location.search, { credentials: "same-origin" });
    const found = answer.ok ? await answer.json() : null;
    if (document.querySelector("[data-live]") !== main || !found || found.deal !== main.dataset.deal || !found.questions.length) return;
    if (found.questions[0].question !== question) return;
    tree = found; here = 0;
    if (queue.length === 1 && queue[0].question === question) advance(queue[0]);
  } catch { /* the next question comes with the answer */ }
}

// Shows a tap: at its seat with the next question where that is known, else as pressed.
function advance(tap) {
  const entry = document.querySelector("#entry"), form = entry.querySelector("form:has(.question)");
  const next = node() && node().question === tap.question ? node().after[tap.value] ?? node().after[""] : undefined;
  tap.before ||= entry.cloneNode(true);
  tap.from ??= here;
  tap.label = node() && node().question === tap.question ? node().label : "";
  for (const other of entry.querySelectorAll(".modes")) other.remove();
  for (const button of entry.querySelectorAll(".seats button")) button.disabled = true;
  if (next === undefined) {
    for (const button of form.querySelectorAll("button")) {
      button.disabled = true;
      if (button.value === tap.value) button.setAttribute("aria-pressed", "true");
    }
    return;
  }
  call(entry, tap);
  here = next;
  tap.drawn = true;
  form.innerHTML = tree.questions[here].html;
  changed = performance.now();
  const turn = seatOf(entry, tree.questions[here].question);
  if (turn) turn.classList.add("turn");
  form.querySelector("h2").focus({ preventScroll: true });
  show(form.querySelector(".keys"));
}

function seatOf(entry, question) {
  return entry.querySelector(`.seat[data-asked="${CSS.escape(question)}"]`);
}

// A call is shown at its seat; what is counted is with the server, or in the line of what is still to be sent.
function call(entry, tap) {
  for (const lit of entry.querySelectorAll(".seat.turn")) lit.classList.remove("turn");
  const seat = seatOf(entry, tap.question), place = seat && seat.querySelector("i.call");
  if (!place) return;
  const value = document.createElement("b");
  value.textContent = tap.shown;
  value.className = "call turned";
  place.replaceWith(value);
  seat.classList.add("unsent");
}

function back(tap) {
  document.querySelector("#entry").replaceWith(tap.before);
  here = tap.from;
}

// What the server answered, once nothing is on its way.
function settle() {
  busy = false;
  localStorage.removeItem("tab-" + me);
  const page = served;
  served = null;
  report();
  if (page) {
    const before = asked();
    arrive(page.html, page.url, last && { question: before, label: last.shown, drawn: last.drawn });
    if (page.status < 400) seen(page.html).catch(() => {});
    if (asked() !== before) changed = performance.now();
    foretell();
  }
  for (const tap of counted.splice(0)) drop(tap);   // from now on they stand in the address
}

// On the line ---------------------------------------------------------------------------------------------------------
function pressed(tap) {
  const main = (served ? served.page : document).querySelector("[data-live]");
  if (!main || main.dataset.deal !== tap.deal) return null;
  const where = tap.undo ? ".bar .undo" : `#entry form:has(.question[data-question="${CSS.escape(tap.question)}"])`;
  const form = main.querySelector(where);
  const button = form && [...form.elements].find((each) => tap.undo || (each.name === tap.name && each.value === tap.value));
  return button && !button.disabled ? ask(form, button) : null;
}

function ask(form, button) {
  const words = new URLSearchParams(new FormData(form));
  if (button.name) words.append(button.name, button.value);
  const url = new URL(form.getAttribute("action"), location.origin);
  if (form.method === "post") return { url: url.href, body: words.toString() };
  url.search = words;
  url.hash = "";
  return { url: url.href };
}

async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(retry);
  try {
    while (queue.length) {
      const tap = queue[0];
      stillHere();
      if (!tap.request) {
        tap.request = pressed(tap);
        if (!tap.request) { await refuse(); return; }
        await keep(tap, tap);
      }
      if (!await sent(tap)) return;
    }
    settle();
  } finally { sending = false; }
}

// Whether a tap has its answer, so that the next one can go.
async function sent(tap) {
  const post = tap.request.body !== undefined;
  let answer, html, page;
  try {
    const headers = post ? { "Content-Type": "application/x-www-form-urlencoded" } : {};
    answer = await fetch(tap.request.url, {
      method: post ? "POST" : "GET", body: tap.request.body, headers, credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE),
    });
    html = await answer.text();
    page = new DOMParser().parseFromString(html, "text/html");
  } catch { answer = null; }
  if (!answer || answer.status === 429 || answer.status >= 500 || !page.querySelector("main")) {
    const wait = Number(answer && answer.headers.get("Retry-After")) * 1000 || 0;
    retry = setTimeout(send, Math.min(Math.max(wait, WAITS[Math.min(failures, WAITS.length - 1)]), 60000));
    failures += 1;
    report();
    return false;
  }
  failures = 0;
  if (queue[0] !== tap) return true;   // taken back while it was on its way: a count, which is written nowhere
  served = { html, page, url: answer.url, status: answer.status };
  if (answer.status === 409 && !tap.form && (tap.again = (tap.again || 0) + 1) < 4 && pressed(tap)) {
    tap.request = null;   // somebody wrote something else: the same is still asked of the same player
    return true;
  }
  if (answer.status === 409 && !tap.form) { await refuse(); return false; }
  queue.shift();
  last = tap;
  if (queue.length && answer.status < 400 && pressed(queue[0])) {   // they go on from what was written now
    const { version } = page.querySelector("[data-live]").dataset;
    for (const later of queue) later.version = version;
  }
  if (post) await drop(tap);
  else counted.push(tap);
  if (answer.status >= 400) { await refuse(); return false; }
  report();
  return true;
}

// What the sheet no longer asks for is not written, and said so until somebody has read it.
async function refuse() {
  const lost = queue;
  queue = [];
  for (const tap of lost) { tap.refused = true; await keep(tap, tap); }
  settle();
  refusals(lost);
}

function refusals(lost) {
  if (!lost.length) return;
  const forget = async () => { say(""); for (const tap of lost) await drop(tap); };
  say("notWritten", lost.map(named), ...(lost[0].version ? [["both", () => compareHistories(lost)]] : []), ["understood", forget]);
}

// Both histories beside each other, with a choice; the taps are kept until one is made.
function compareHistories(lost) {
  const mine = [];
  for (const { undo, question, value, label, shown } of lost) {
    if (undo) mine.pop();
    else if (question) mine.push({ question, value, label, shown });
  }
  const form = document.createElement("form"), token = document.querySelector("[name=csrf_token]");
  const key = "back-" + lost[0].tab + "-" + lost[0].id;
  const fields = { csrf_token: token.value, base: lost[0].version, key, mine: JSON.stringify(mine), taps: JSON.stringify(lost.map(({ id }) => id)) };
  form.method = "post";
  form.action = sheet + "/back";
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

async function take(tap, form, button) {
  busy = true;
  if (!queue.length && !sending) tap.request = ask(form, button);   // else from the page that is on its way
  queue.push(tap);
  stillHere();
  const keeping = keep(tap, tap);
  if (tap.question) advance(tap);
  else if (form) for (const each of form.querySelectorAll("button")) each.disabled = true;
  report(failures > 0);
  await keeping;
  setTimeout(() => { if (queue.includes(tap)) report(); }, UNSAID);
  send();
}

// Under the thumb -----------------------------------------------------------------------------------------------------
document.addEventListener("click", (event) => {
  const near = Math.hypot(event.clientX - point[0], event.clientY - point[1]) < NEAR;
  const bounce = event.detail && near && event.timeStamp - changed < BOUNCE && event.target.closest(".question button");
  if (bounce) { event.preventDefault(); event.stopImmediatePropagation(); return; }
  if (event.detail) point = [event.clientX, event.clientY];
}, true);

document.addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter, main = form.closest("[data-live]");
  if (!main || !button) return;
  const question = form.closest("#entry") && form.querySelector(".question");
  const undo = form.matches(".undo");
  if (button.name === "typed") { event.preventDefault(); event.stopImmediatePropagation(); type(button); return; }
  if (!question && !queue.length && form.method !== "post") return;   // a page to look at: as everywhere
  event.preventDefault();
  event.stopImmediatePropagation();
  keepAwake();
  const shown = button.matches(".digits .strong") ? button.value : button.firstChild.textContent.trim();
  const tap = { sheet, tab: me, load: performance.timeOrigin, deal: main.dataset.deal, version: main.dataset.version, shown, label: "" };
  if (question) {
    take({ ...tap, question: question.dataset.question, name: button.name, value: button.value }, form, button);
  } else if (!queue.length && !sending) take({ ...tap, form: true }, form, button);
  else if (undo) takeBack(tap);
}, true);

// Digits are put together here: only the number is sent.
function type({ value, form }) {
  const keys = form.querySelector(".digits"), low = Number(keys.dataset.least), high = Number(keys.dataset.most);
  const [first] = keys.querySelectorAll("[name=typed]"), ok = keys.querySelector(".strong");
  const [name, number] = value.split("."), minus = number.startsWith("-"), digits = number.replace("-", "");
  const most = minus ? -low : high;
  for (const key of keys.querySelectorAll("[name=typed]")) {
    const digit = key.textContent.trim();
    const next = digit === "−" ? (minus ? digits : "-" + digits) : digit ? number + digit : number.slice(0, -1);
    key.value = name + "." + next;
    if (digit === "−") key.disabled = number === "0";
    else key.disabled = digit ? Math.abs(next) > most || number === "0" || (digit === "0" && !digits && (minus || low > 0)) : !number;
  }
  ok.value = ok.lastElementChild.textContent = number;
  ok.disabled = !digits || Number(number) < low;
  if (document.activeElement.disabled) (first.disabled ? ok : first).focus();
}

// The last tap that is not on its way yet, or a count, is simply forgotten; what may be written is taken back after it.
function takeBack(tap) {
  const latest = queue.at(-1);
  if (!latest || !latest.question) return;
  back(latest);
  if (latest.request && latest.request.body !== undefined) {
    for (const button of document.querySelectorAll("#entry button")) button.disabled = true;
    take({ ...tap, undo: true });
    return;
  }
  queue.pop();
  drop(latest);
  if (queue.length) report(); else if (!sending) settle();
}

addEventListener("online", () => { if (queue.length) send(); });

// What an earlier visit left behind.
async function resume() {
  await foretell();
  const all = (await store((taps) => taps.getAll()) || []).filter((tap) => tap.sheet === sheet);
  refusals(all.filter((tap) => tap.refused));
  const earlier = all.filter(({ load, refused }) => !refused && load !== performance.timeOrigin);   // this page sends its own
  const mine = earlier.filter((tap) => tap.tab === me || gone(tap.tab));
  if (!mine.length || queue.length) return;
  busy = true;
  queue = mine;
  mine[0].request ||= pressed(mine[0]);   // while its button is still on the screen
  for (const tap of mine) {
    delete tap.from;
    if (asked() === tap.question && document.querySelector("[data-live]").dataset.deal === tap.deal) advance(tap);
  }
  report();
  send();
}

// Where the browser allows it, a service worker shows the sheet without a line as it was last seen.
const SEEN = "sheets-1";
async function keepForOffline() {
  if (!navigator.serviceWorker) return;   // allowed over HTTPS and on this very machine alone
  if (await navigator.serviceWorker.getRegistration()) return;   // which may hold the whole program, and renews itself
  await navigator.serviceWorker.register("/offline.js");
}
const seen = async (html) => window.caches && (await caches.open(SEEN)).put(sheet, new Response(html, { headers: { "Content-Type": "text/html" } }));

resume();
keepForOffline().catch(() => { /* then a line is needed to open the sheet */ });
}
