// Comforts of the keeper's screen: taps without a page load, a sheet that follows what others write, a screen that stays on.
"use strict";

const EVERY = 2000;
const SLOWEST = 15000;

// One live region for the whole visit: screen readers pass over a region that arrives with its words in it.
const spoken = document.createElement("div");
spoken.className = "spoken";
spoken.setAttribute("role", "status");
document.body.append(spoken);

function inPlace(html, url) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const fresh = next.querySelector("main");
  if (!fresh) { location.href = url; return; }
  const before = document.querySelector("main");
  const open = [...before.querySelectorAll("details")].map((each, place) => each.open && place + each.firstElementChild.textContent);
  const said = fresh.querySelector(".notice");
  if (said) said.removeAttribute("role");
  document.title = next.title;
  const totals = [...before.querySelectorAll(".board .total")].map((each) => each.textContent);
  const called = (part) => [...part.querySelectorAll(".felt .seat b")];
  const seatOf = (call) => call.closest(".seat").dataset.asked;
  const calls = new Map(called(before).map((each) => [seatOf(each), { text: each.textContent, time: each.getAnimations()[0]?.currentTime }]));
  before.replaceWith(fresh);
  // A call that was not there before turns over like a card; one that is turning still goes on.
  for (const each of called(fresh)) {
    const { text, time } = calls.get(seatOf(each)) || {};
    if (text === each.textContent && time === undefined) continue;
    each.classList.add("turned");
    const [turn] = each.getAnimations();
    if (turn && time) turn.currentTime = time;
  }
  const renewed = fresh.querySelectorAll(".board .total");
  if (renewed.length === totals.length) renewed.forEach((each, place) => countUp(each, totals[place]));
  fresh.querySelectorAll("details").forEach((each, place) => { each.open = open.includes(place + each.firstElementChild.textContent); });
  bring(next);
  for (const link of document.querySelectorAll("a.language")) {
    const other = next.querySelector("a.language");
    if (other) link.href = other.getAttribute("href");
  }
  if (fresh.querySelector(".flash.saved")) celebrate(fresh);
  const words = said || fresh.querySelector(".now");
  if (words) spoken.textContent = [...words.querySelectorAll("p"), ...newOddities(fresh)].map((each) => each.textContent).join(" ") || (said ? "" : words.textContent);
  localTimes(fresh);
  showAwake();
}

// A saved deal is felt where the device can, and read out where somebody has asked for it.
function celebrate(part) {
  if (navigator.vibrate) navigator.vibrate(30);
  if (document.documentElement.dataset.aloud !== "on" || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance([...part.querySelectorAll(".notice p")].map((each) => each.textContent).join(" "));
  words.lang = document.documentElement.lang;
  speechSynthesis.speak(words);
}

// What the rules say against a call is said aloud once, when the call is made.
let objected = [...document.querySelectorAll(".oddity")].map((each) => each.textContent);
function newOddities(part) {
  const found = [...part.querySelectorAll(".oddity")], known = objected;
  objected = found.map((each) => each.textContent);
  return found.filter((each) => !known.includes(each.textContent));
}

// The figure runs from the old total to the new one; its text is the new one at once, for readers and for programs.
const points = (text) => Number(text.replace("\u2212", "-"));
function countUp(total, old) {
  const from = points(old), to = points(total.textContent), began = performance.now();
  if (from === to || Number.isNaN(to - from) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const step = (now) => {
    const part = Math.max(0, Math.min((now - began) / 450, 1));
    if (part === 1) { delete total.dataset.count; return; }
    total.dataset.count = String(Math.round(from + (to - from) * (1 - (1 - part) ** 3))).replace("-", "\u2212");
    requestAnimationFrame(step);
  };
  step(began);
}

// A page that is shown in place of another has scripts and styles of its own.
function bring(next) {
  for (const part of next.querySelectorAll("head script[src], head link[rel=stylesheet]")) {
    const name = part.localName === "script" ? "src" : "href";
    const there = [...document.querySelectorAll(part.localName)].some((each) => each.getAttribute(name) === part.getAttribute(name));
    if (there) continue;
    const own = document.createElement(part.localName);
    for (const { name: key, value } of part.attributes) own.setAttribute(key, value);
    document.head.append(own);
  }
}

async function load(url, options, pressed) {
  const asked = pressed && pressed.closest(".question");
  const answer = await fetch(url, { credentials: "same-origin", ...options });
  if (answer.status === 429 || answer.status >= 500) throw new Error(answer.status);
  arrive(await answer.text(), answer.url, asked && { question: asked.dataset.question, label: pressed.textContent });
}

// Shows an answer of the server. The screen stays where the question does that was tapped last, or that is shown already.
function arrive(html, url, tapped) {
  const at = scrollY;
  inPlace(html, url);
  const place = new URL(url);
  if (!place.pathname.includes("/do/")) history.replaceState(null, "", place.pathname + place.search);
  const first = document.querySelector("main [data-focus=first]");
  if (tapped && !first && stay(tapped, at)) return;
  const focus = first || document.querySelector("main [data-focus]");
  if (!focus) return;
  focus.focus({ preventScroll: true });
  show(focus);
}

// The same question again, with one card more in it or drawn before the answer came: it does not move under the thumb.
function stay({ question, label, drawn }, at) {
  const again = document.querySelector(".question");
  if (!again || again.dataset.question !== question) return false;
  const focus = drawn ? again.querySelector("h2") : [...again.querySelectorAll("button")].find((each) => each.textContent === label);
  if (!focus) return false;
  scrollTo(0, at);
  focus.focus({ preventScroll: true });
  if (drawn) show(again);
  return true;
}

// The frame is one screen, which begins at the top; elsewhere what is asked comes into view.
function show(part) {
  if (part.closest(".frame")) scrollTo(0, 0);
  else part.scrollIntoView({ block: "nearest" });
}

let busy = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.closest(".keeper")) return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  const words = new URLSearchParams(new FormData(form, event.submitter));
  keepAwake();
  try {
    if (form.method === "post") await load(form.action, { method: "POST", body: words }, event.submitter);
    else { const url = new URL(form.action); url.search = words; url.hash = ""; await load(url, {}, event.submitter); }
  } catch {
    tell("notSent");
  } finally { busy = false; }
});

function tell(which) {
  const note = document.querySelector(".notice");
  if (!note || !note.dataset[which]) return;
  const line = document.createElement("div"), words = document.createElement("p");
  line.className = "flash warning";
  words.textContent = spoken.textContent = note.dataset[which];
  line.append(words);
  note.replaceChildren(line);
}

// Digits press the keys of the question, wherever the focus is but in a field; Enter ends a number. Ctrl+Z takes back.
let typed = "";
let waiting = 0;
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.altKey) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") {
    const undo = document.querySelector(".bar .undo button:not([disabled])");
    if (undo) { event.preventDefault(); undo.click(); }
    return;
  }
  const ok = document.querySelector(".digits .strong:not([disabled])");
  if (event.key === "Enter" && ok && !event.target.closest("a, button")) { ok.click(); return; }
  if (event.ctrlKey || event.metaKey || !/^[-0-9]$/.test(event.key)) return;
  const buttons = [...document.querySelectorAll(".question .key:not(.word)")], digits = document.querySelector(".digits");
  const label = (each) => each.firstChild.textContent;
  typed = digits ? event.key.replace("-", "−") : (typed + event.key).slice(-2);
  const number = typed;
  const more = !digits && buttons.some((each) => label(each).length > number.length && label(each).startsWith(number));
  const press = () => {
    typed = "";
    buttons.find((each) => label(each) === number)?.click();
  };
  clearTimeout(waiting);
  if (more) waiting = setTimeout(press, 600);
  else press();
});

// A watcher asks for the page with its tag, a keeper for the tag of the sheet. Nothing is asked while hidden.
let tag = null;
let pause = EVERY;
async function look() {
  const watched = document.querySelector("[data-watch]");
  const kept = document.querySelector("[data-live]");
  if (!document.hidden && !busy) {
    try {
      if (watched) await follow(watched);
      else if (kept) await compare(kept);
      pause = EVERY;
      answered(Date.now());
    } catch {
      pause = Math.min(pause * 1.6, SLOWEST);
      answered(latestAnswer, "stale");
    }
  }
  setTimeout(look, pause * (0.9 + Math.random() * 0.15));
}

// A page that nobody taps would go stale unseen: it says since when no answer has come.
let latestAnswer = Date.now();
function answered(at, state) {
  latestAnswer = at;
  const mark = document.querySelector(".stale");
  if (mark) mark.textContent = state ? mark.dataset.words.replace("%time%", new Date(latestAnswer).toTimeString().slice(0, 5)) : "";
}

async function follow(watched) {
  const headers = tag ? { "If-None-Match": tag } : {};
  const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(4 * EVERY) });
  if (answer.status === 404) { location.reload(); return; }
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(answer.status);
  const html = await answer.text();
  tag = answer.headers.get("ETag");
  const then = /data-version="([^"]*)"/.exec(html);
  if (then && then[1] !== watched.dataset.version) inPlace(html, answer.url);
}

async function compare(kept) {
  const answer = await fetch(kept.dataset.live + "/version", { credentials: "same-origin", cache: "no-store" });
  if (answer.status === 404) { location.reload(); return; }
  if (answer.status !== 200 || await answer.text() === kept.dataset.version) return;
  if (busy || document.querySelector("[data-live]") !== kept) return;
  if (!location.search && !kept.querySelector("details[open], [popover]:popover-open")) {
    const page = await fetch(kept.dataset.live, { credentials: "same-origin", cache: "no-store" });
    const html = await page.text();
    if (!busy && page.ok && document.querySelector("[data-live]") === kept) inPlace(html, page.url);
  } else if (!kept.dataset.announced) {
    kept.dataset.announced = "1";
    tell("moved");
  }
}

// The screen stays on where the browser allows it; the lock is gone whenever the page was hidden, and asked for again.
let lock = null;
let unable = false;
function wanted() {
  try { return localStorage.getItem("awake") === "on"; } catch { return false; }
}
async function keepAwake() {
  if (!wanted() || lock || document.hidden) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    unable = false;
    lock.addEventListener("release", () => { lock = null; showAwake(); });
  } catch { unable = true; }
  showAwake();
}
function showAwake() {
  const line = document.querySelector(".awake");
  if (!line) return;
  const [button, note] = line.children;
  line.hidden = false;
  button.setAttribute("aria-checked", String(wanted()));
  note.textContent = wanted() && unable ? note.dataset.unable : "";
}
document.addEventListener("click", (event) => {
  if (!event.target.closest(".awake button")) return;
  try { localStorage.setItem("awake", wanted() ? "off" : "on"); } catch { unable = true; }
  if (!wanted() && lock) lock.release();
  showAwake();
  keepAwake();
});
document.addEventListener("visibilitychange", keepAwake);

// A tap on a name that only fills the place lets the new one be written at once.
document.addEventListener("focusin", (event) => { if (event.target.matches(".names input:not([type=radio])")) event.target.select(); });

showAwake();
keepAwake();
if (document.querySelector("[data-watch], [data-live]")) setTimeout(look, EVERY);
