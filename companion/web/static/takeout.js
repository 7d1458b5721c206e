// Comforts of taking a game elsewhere: copy the text, hand it to another app, print. Buttons show where they work.
"use strict";

const said = document.querySelector(".copied");
const text = (button, name) => document.getElementById(button.dataset[name]).textContent;

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text(button, "copy"));
      said.textContent = button.dataset.done;
    } catch { /* the text can be marked by hand */ }
  });
}
for (const button of document.querySelectorAll("[data-send]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", () => navigator.share({ text: text(button, "send") }).catch(() => {}));
}
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
