// Opens the documentation of the API on the document served beside it, in the colours of the site.
"use strict";

const page = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

function colours() {
  page.classList.toggle("dark-mode", page.dataset.theme ? page.dataset.theme === "dark" : dark.matches);
}

colours();
dark.addEventListener("change", colours);
new MutationObserver(colours).observe(page, { attributeFilter: ["data-theme"] });
for (const note of document.querySelectorAll(".with-script")) note.hidden = false;
SwaggerUIBundle({ url: document.getElementById("docs").dataset.document, dom_id: "#docs", deepLinking: true, validatorUrl: null });
