// Comforts of the keeper's screen: taps without a page load, and a sheet that follows what others write.
"use strict";

const EVERY = 2500;
const SLOWEST = 15000;
const STILL = ".keeper, .wall";

function inPlace(html, url) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const fresh = next.querySelector("main");
  if (!fresh) { location.href = url; return; }
  document.title = next.title;
  const open = [...document.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  document.querySelector("main").replaceWith(fresh);
  for (const each of fresh.querySelectorAll("details > summary")) {
    if (open.includes(each.textContent)) each.parentElement.open = true;
  }
  for (const link of document.querySelectorAll("a.language")) {
    const other = next.querySelector("a.language");
    if (other) link.href = other.getAttribute("href");
  }
}

async function load(url, options) {
  const answer = await fetch(url, { credentials: "same-origin", ...options });
  inPlace(await answer.text(), answer.url);
  const place = new URL(answer.url);
  history.replaceState(null, "", place.pathname + place.search);
  const focus = document.querySelector("main [data-focus]");
  if (focus) focus.focus({ preventScroll: true });
  const entry = document.querySelector("#entry");
  if (entry && entry.getBoundingClientRect().bottom > innerHeight) entry.scrollIntoView({ block: "nearest" });
}

let busy = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.closest(".keeper") || form.closest("[data-plain]")) return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  const data = new FormData(form, event.submitter);
  const words = new URLSearchParams(data);
  try {
    if (form.method === "post") await load(form.action, { method: "POST", body: words });
    else { const url = new URL(form.action); url.search = words; url.hash = ""; await load(url); }
  } catch {
    const note = document.querySelector(".saved");
    if (note) note.textContent = note.dataset.notSent || "";
  } finally { busy = false; }
});

// Digits enter, Ctrl+Z undoes.
let typed = "";
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.altKey) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") {
    const undo = document.querySelector(".bar form button:not([disabled])");
    if (undo) { event.preventDefault(); undo.click(); }
    return;
  }
  if (event.ctrlKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
  typed = (typed + event.key).slice(-2);
  const wait = typed.length === 1 && typed === "1" ? 700 : 0;
  const number = typed;
  setTimeout(() => {
    if (typed !== number) return;
    typed = "";
    const button = [...document.querySelectorAll(".question .numbers button")].find((each) => each.textContent === number);
    if (button) button.click();
  }, wait);
});

// A watcher asks for the page with its tag; a keeper asks whether the sheet has grown. Nothing is asked while hidden.
let tag = null;
let pause = EVERY;
async function look() {
  const watched = document.querySelector("[data-watch]");
  const kept = document.querySelector("[data-live]");
  if (!document.hidden && !busy && (watched || (kept && !location.search))) {
    try {
      const url = watched ? location.href : kept.dataset.live;
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(url, { headers, credentials: "same-origin", cache: "no-store" });
      pause = EVERY;
      if (answer.status === 200) {
        const html = await answer.text();
        const first = tag === null;
        tag = answer.headers.get("ETag");
        if (!busy && (watched ? !first : changed(html, kept))) inPlace(html, answer.url);
      } else if (answer.status === 404 && watched) { location.reload(); return; }
    } catch { pause = Math.min(pause * 1.6, SLOWEST); }
  }
  setTimeout(look, pause * (0.9 + Math.random() * 0.2));
}
function changed(html, kept) {
  const now = document.querySelector("[data-live]");
  const then = /data-version="(\d+)"/.exec(html);
  return now === kept && then && Number(then[1]) > Number(kept.dataset.version) && !document.querySelector("details[open]");
}
if (document.querySelector(STILL)) setTimeout(look, EVERY);
