// Results while typing: the same page is asked for, and its list put in place of the one that stands here.
"use strict";

const field = document.getElementById("q");
const list = document.getElementById("found");
const status = list.querySelector("[role=status]");
let waiting, asked;

field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 250);
});

async function ask() {
  if (asked) asked.abort();
  asked = new AbortController();
  const url = location.pathname + "?q=" + encodeURIComponent(field.value);
  try {
    const answer = await fetch(url, { signal: asked.signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("found");
    const said = fresh.querySelector("[role=status]");
    status.textContent = said.textContent;
    said.remove();
    list.replaceChildren(status, ...fresh.childNodes);
    history.replaceState(null, "", url);
  } catch { /* asked anew, or no network: the form still works */ }
}
