// Comforts that need a script: settings kept on this device, and the language switch that keeps the place.
"use strict";

const root = document.documentElement;
const SETTINGS = { theme: "system", deck: "two", furigana: "on" };

function kept(name) {
  try { return localStorage.getItem(name) || SETTINGS[name]; } catch { return SETTINGS[name]; }
}

function set(name, value) {
  if (value === SETTINGS[name]) delete root.dataset[name];
  else root.dataset[name] = value;
  try { localStorage.setItem(name, value); } catch { /* not kept, still shown */ }
}

for (const name of Object.keys(SETTINGS)) set(name, kept(name));

for (const button of document.querySelectorAll("button[data-setting]")) {
  const name = button.dataset.setting;
  const values = button.dataset.values.split(" ");
  const words = button.dataset.words.split(";");
  const show = () => { button.textContent = words[values.indexOf(kept(name))]; };
  button.addEventListener("click", () => {
    set(name, values[(values.indexOf(kept(name)) + 1) % values.length]);
    show();
  });
  show();
}
for (const box of document.querySelectorAll(".settings")) box.hidden = false;

// The part of the page in view, so that the other language opens at the same article.
function place() {
  const heads = [...document.querySelectorAll(".rules [id]")].filter((head) => head.getBoundingClientRect().top < 120);
  return heads.length ? "#" + heads[heads.length - 1].id : location.hash;
}
for (const link of document.querySelectorAll("a.language")) {
  link.addEventListener("click", () => { link.hash = place(); });
}
