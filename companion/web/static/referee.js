// Comforts of the referee's pages: taps without a page load, none lost however quick they come, one sentence aloud.
"use strict";

// Back leads to the sheet as it was left, with what was entered of the deal; pages of the referee between keep it.
function leadBack() {
  const link = document.querySelector("a[data-sheet]");
  if (!link) return;
  try {
    const from = new URL(document.referrer || location.href);
    if (from.pathname === link.pathname) sessionStorage.setItem("left", from.pathname + from.search);
    else if (!from.pathname.includes("/referee")) sessionStorage.removeItem("left");
    const left = sessionStorage.getItem("left") || "";
    if (left.split("?")[0] === link.pathname) link.href = left;
  } catch { /* without storage it leads to the sheet alone */ }
}
leadBack();

const waiting = [];
const MOST_AT_ONCE = 20; // as many as the server takes in one address
let busy = false;

function show(html, url) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const fresh = next.querySelector(".referee");
  const now = document.querySelector(".referee");
  if (!fresh) { location.href = url; return; }
  const open = [...now.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  for (const each of fresh.querySelectorAll("details > summary")) each.parentElement.open = open.includes(each.textContent);
  const focused = document.activeElement && now.contains(document.activeElement) ? document.activeElement.value : "";
  const spoken = now.querySelector("[role=status]");
  const said = fresh.querySelector("[role=status]");
  if (spoken && said) said.replaceWith(spoken);
  const verdict = (part) => part.querySelector(".answer h2")?.textContent;
  const changed = verdict(fresh) !== verdict(now);
  now.replaceWith(fresh);
  if (changed) fresh.querySelector(".answer")?.classList.add("turned");
  if (spoken && said) {
    // The living region is the old one, so that what changes in it is read out.
    spoken.className = said.className;
    if (spoken.textContent !== said.textContent) spoken.innerHTML = said.innerHTML;
  }
  if (focused) {
    const same = [...fresh.querySelectorAll("button[name=do]")].find((each) => each.value === focused);
    (same || fresh.querySelector(".bar button") || fresh).focus({ preventScroll: true });
  }
  history.replaceState(null, "", fresh.dataset.address);
  leadBack();
  for (const link of document.querySelectorAll("a.language")) {
    const other = next.querySelector("a.language");
    if (other) link.href = other.getAttribute("href");
  }
}

async function ask() {
  if (busy) return;
  busy = true;
  while (waiting.length) {
    const now = document.querySelector(".referee");
    const url = new URL(now.dataset.address, location.href);
    for (const [name, value] of waiting.splice(0, MOST_AT_ONCE)) {
      if (name === "do") url.searchParams.append(name, value);
      else url.searchParams.set(name, value);
    }
    try {
      const answer = await fetch(url, { credentials: "same-origin" });
      show(await answer.text(), answer.url);
    } catch { location.href = url; }
  }
  busy = false;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest(".referee")) return;
  event.preventDefault();
  const button = event.submitter;
  for (const field of form.querySelectorAll("input:not([type=hidden])")) waiting.push([field.name, field.value]);
  if (button && button.name === "do") {
    waiting.push(["do", button.value]);
    // At once for the eye; the answer comes after it.
    if (button.value.startsWith("tap:")) button.classList.toggle("taken");
  }
  ask();
});
document.addEventListener("change", (event) => {
  if (event.target.matches(".entries input")) event.target.form.requestSubmit();
});
