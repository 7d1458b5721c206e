// Answers while typing, below the header's field; on the page of the search in place of its list.
// Not on every page from the beginning: site.js fetches it when somebody goes to the field.
"use strict";

const form = document.querySelector(".top .search");
const query = form.elements.q;
const placed = document.getElementById("found");
const panel = placed || form.closest("header").insertAdjacentElement("afterend", document.createElement("section"));
if (!placed) { panel.id = "found"; panel.className = "panel"; panel.hidden = true; panel.ariaLabel = query.ariaLabel; }
const status = panel.querySelector("[role=status]") || panel.appendChild(document.createElement("p"));
status.setAttribute("role", "status");
let waiting, asked;

query.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 200);
});
query.addEventListener("focus", () => { if (panel.childElementCount > 1) panel.hidden = false; });

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || placed || panel.hidden) return;
  panel.hidden = true;
  query.focus();
});

if (query.value !== query.defaultValue) ask(); // typed before this script was there

async function ask() {
  if (asked) asked.abort();
  if (!placed && !query.value.trim()) { panel.hidden = true; return; }
  asked = new AbortController();
  const url = form.action + "?" + new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(url, { signal: asked.signal });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("found");
    const said = fresh.querySelector("[role=status]");
    status.textContent = said.textContent;
    said.remove();
    panel.replaceChildren(status, ...fresh.childNodes);
    panel.hidden = false;
    if (placed) history.replaceState(null, "", url);
  } catch { /* asked anew, or no network: the form still works */ }
}
