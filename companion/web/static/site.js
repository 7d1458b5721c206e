// Comforts that need a script: settings kept on this device, and the language switch that keeps the place.
"use strict";

const root = document.documentElement;
const SETTINGS = { theme: "system", deck: "two", furigana: "on", aloud: "off" };

function kept(name) {
  try { return localStorage.getItem(name) || SETTINGS[name]; } catch { return SETTINGS[name]; }
}

function set(name, value) {
  if (value === SETTINGS[name]) delete root.dataset[name];
  else root.dataset[name] = value;
  if (name === "theme") for (const each of document.querySelectorAll("meta[name=theme-color]")) colour(each, value);
}

// The bar of the device above the page has the colour of the chosen theme, too.
function colour(meta, theme) {
  meta.dataset.media ||= meta.media;
  meta.media = theme === "system" ? meta.dataset.media : meta.dataset.media.includes(theme) ? "all" : "not all";
}

for (const name of Object.keys(SETTINGS)) set(name, kept(name));

for (const button of document.querySelectorAll("button[data-setting]")) {
  const name = button.dataset.setting;
  const values = button.dataset.values.split(" ");
  const words = button.dataset.words.split(";");
  const show = () => { button.textContent = words[values.indexOf(kept(name))]; };
  button.addEventListener("click", () => {
    const value = values[(values.indexOf(kept(name)) + 1) % values.length];
    try { localStorage.setItem(name, value); } catch { /* not kept, still shown */ }
    set(name, value);
    show();
    if (name === "furigana") addReadings();
  });
  show();
}
// Readings above every word that has them: fetched once, and only where they are asked for. Signs in a row get them only
// if all of these are known words; a word of one sign must stand alone or have the kana after it, or the number or the
// loanword before it, that its reading needs.
let adding = false;
async function addReadings() {
  if (adding || root.lang !== "ja" || root.dataset.furigana !== "all") return;
  adding = true;
  const readings = await fetch("/readings/ja.json").then((answer) => answer.json()).catch(() => { adding = false; return {}; });
  const split = (signs, kana, mark, first) => {
    for (let length = signs.length; length; length -= 1) {
      const word = signs.slice(0, length);
      const last = length === signs.length;
      const endings = last ? [kana.slice(0, 2), kana.slice(0, 1), ""] : [""];
      const alone = length > 1 || (first && last);
      const keys = endings.flatMap((ending) => [mark && mark + word + ending, (ending || alone) && word + ending]);
      const key = keys.find((each) => each && each in readings);
      const rest = key && (last ? [] : split(signs.slice(length), kana, "", false));
      if (rest) return [[word, readings[key]], ...rest];
    }
    return null;
  };
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("ruby, svg, script, textarea, select, .drawing")) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    const parts = document.createDocumentFragment();
    const earlier = text.previousSibling ? text.previousSibling.textContent : "";
    let done = 0;
    for (const { 0: signs, index } of text.data.matchAll(/[一-龯々]+/g)) {
      const kana = text.data.slice(index + signs.length).match(/^[ぁ-ん]*/)[0];
      const before = earlier + text.data.slice(0, index);
      const mark = /[\d…]\u2060?$/.test(before) ? "0" : /[A-Za-zァ-ヶー]$/.test(before) ? "A" : "";
      let at = index;
      for (const [word, reading] of split(signs, kana, mark, true) || []) {
        if (reading) {
          const ruby = document.createElement("ruby");
          ruby.className = "more-readings";
          const above = document.createElement("rt");
          above.textContent = reading;
          ruby.append(word, above);
          parts.append(text.data.slice(done, at), ruby);
          done = at + word.length;
        }
        at += word.length;
      }
    }
    if (done) { parts.append(text.data.slice(done)); text.replaceWith(parts); }
  }
}
addReadings();

for (const box of document.querySelectorAll(".settings")) box.hidden = false;

// Times as the clock of this device has them, in the form in which the server writes dates.
function localTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const day = { year: "numeric", month: "short", day: "numeric" };
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    time.textContent = new Date(time.dateTime).toLocaleString(root.lang, "day" in time.dataset ? day : { ...day, ...clock });
  }
}
localTimes(document);

// A form that cannot be sent stays as it was filled in, and the page says so.
let filled = null;
function notSent() {
  const token = filled && filled.querySelector("[data-not-sent]");
  if (!token) return;
  const note = filled.previousElementSibling && filled.previousElementSibling.matches(".not-sent") ? filled.previousElementSibling : document.createElement("p");
  note.className = "flash warning not-sent";
  note.setAttribute("role", "alert");
  note.textContent = token.dataset.notSent;
  filled.before(note);
  note.scrollIntoView({ block: "nearest" });
}
addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  filled = event.target;
  if (navigator.onLine || (navigator.serviceWorker && navigator.serviceWorker.controller)) return;
  event.preventDefault();
  notSent();
});
if (navigator.serviceWorker) navigator.serviceWorker.addEventListener("message", (event) => { if (event.data === "not-sent") notSent(); });

// The part of the page in view, so that the other language opens at the same article.
function place() {
  const heads = [...document.querySelectorAll(".rules :is(h2, h3)[id]")].filter((head) => head.getBoundingClientRect().top < 120);
  return heads.length ? "#" + heads[heads.length - 1].id : location.hash;
}
for (const link of document.querySelectorAll("a.language")) {
  link.addEventListener("click", () => { link.hash = place(); });
}

// You are here: the contents mark the section and the article in view. The browser reports which are above the upper
// quarter of the screen: to measure them would lay out the whole page, also what is not drawn yet, so articles are watched
// by their frames.
// The place among its neighbours. Observed after the page is laid out: to measure now would lay it out twice.
for (const place of document.querySelectorAll(".tabs [aria-current]")) new ResizeObserver(([{ target }], once) => {
  once.disconnect();
  target.scrollLeft = place.offsetLeft - target.offsetLeft - (target.clientWidth - place.offsetWidth) / 2;
}).observe(place.parentElement);

const contents = new Map([...document.querySelectorAll(".contents a[href^='#']")].map((link) => [link.hash.slice(1), link]));
if (contents.size) {
  const heads = [...contents.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const frame = (head) => head.closest(".article") || head;
  const above = new Set();
  const watching = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) if (isIntersecting) above.add(target); else above.delete(target);
    const here = ["h2", "h3"].map((kind) => heads.findLast((head) => head.matches(kind) && above.has(frame(head)))?.id);
    for (const [id, link] of contents) {
      if (here.includes(id)) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "10000000px 0px -75%" });
  for (const head of heads) watching.observe(frame(head));
}

const rules = document.querySelector(".rules[data-base]");
if (rules) {
  // The sign beside an article copies the link that leads to it wherever it will stand.
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  rules.append(said);
  let fading;
  rules.addEventListener("click", (event) => {
    const link = event.target.closest(".head h3 > a");
    if (!link || !navigator.clipboard) return;
    const home = location.search ? location.pathname + location.search : rules.dataset.base + "/";
    const url = location.origin + home + (location.search ? link.hash : link.hash.slice(1));
    navigator.clipboard.writeText(url).then(() => {
      said.textContent = rules.dataset.copied;
      clearTimeout(fading);
      fading = setTimeout(() => { said.textContent = ""; }, 4000);
    }).catch(() => { /* the address line has the link */ });
  });

  // A link to an article that stands in another part: ask where it is.
  const wanted = location.hash.slice(1);
  if (/^[a-z0-9-]+$/.test(wanted) && !document.getElementById(wanted)) {
    const there = rules.dataset.base + "/" + wanted + "?whole";
    fetch(there, { method: "HEAD" }).then((answer) => { if (answer.ok) location.replace(there); }).catch(() => {});
  }
}

// The header's field answers while somebody types: its script comes with the first focus. "/" leads to the field.
const field = document.querySelector(".top .search");
const answering = () => import(field.dataset.script);
if (field && field.contains(document.activeElement)) answering(); // somebody was faster than this script
else if (field) field.addEventListener("focusin", answering, { once: true });
document.addEventListener("keydown", (event) => {
  if (!field || event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  field.elements.q.focus();
  field.elements.q.select();
});

// A page that came past the service worker, which was not there yet, is kept by it all the same.
if (navigator.serviceWorker && !performance.getEntriesByType("navigation")[0]?.workerStart) {
  navigator.serviceWorker.ready.then((registration) => registration.active.postMessage("opened"));
}
