// Opens Swagger UI on the document served beside it, in the colours of the site.
"use strict";

const page = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const viewer = document.getElementById("docs");

function colours() {
  page.classList.toggle("dark-mode", page.dataset.theme ? page.dataset.theme === "dark" : dark.matches);
}

// What the interface leaves out for those who do not see it: names of selects, levels of headings, examples that the
// keyboard can scroll; and no link inside a button.
const LEVELS = { "h3.opblock-tag": 2, ".models > h4": 2, ".opblock-title": 3 };
function complete() {
  for (const [heads, level] of Object.entries(LEVELS)) {
    for (const head of viewer.querySelectorAll(heads)) head.setAttribute("aria-level", level);
  }
  for (const link of viewer.querySelectorAll("button a[href]")) link.removeAttribute("href");
  for (const example of viewer.querySelectorAll(".microlight:not([tabindex])")) example.tabIndex = 0;
  for (const choice of viewer.querySelectorAll("select:not([aria-label])")) {
    const parameter = choice.closest("[data-param-name]");
    choice.setAttribute("aria-label", parameter ? parameter.dataset.paramName : choice.id || choice.className || "value");
  }
}

colours();
dark.addEventListener("change", colours);
new MutationObserver(colours).observe(page, { attributeFilter: ["data-theme"] });
new MutationObserver(complete).observe(viewer, { childList: true, subtree: true });
for (const note of document.querySelectorAll(".with-script")) note.hidden = false;
SwaggerUIBundle({ url: viewer.dataset.document, dom_id: "#docs", deepLinking: true, validatorUrl: null });
