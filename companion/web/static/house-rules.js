// The one line of house rules follows every change in the form; the server words it, as it does without this script.
"use strict";

const PAUSE = 250;

for (const form of document.querySelectorAll("form[data-rules]")) {
  const place = document.getElementById("chosen");
  for (const line of form.querySelectorAll(".without-script")) line.hidden = true;
  let waiting = 0;
  let asked = 0;

  const ask = async () => {
    const number = ++asked;
    try {
      const answer = await fetch(form.dataset.rules, {
        method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin",
      });
      if (!answer.ok || number !== asked) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      if (number !== asked) return;
      const open = place.querySelector("details[open]");
      place.replaceChildren(...fresh.children);
      if (open && place.querySelector("details")) place.querySelector("details").open = true;
      const set = place.querySelector("[data-differs]");
      if (set) { mark(form, set.dataset.differs.split(" ")); describe(form, set.dataset); keepAddress(form, set.dataset.code); }
      announce(form, place);
    } catch { /* the button that sends the form still works */ }
  };

  form.addEventListener("input", (event) => {
    const { name = "", dataset } = event.target;
    if (name.startsWith("first.") && dataset.sets) fill(form, JSON.parse(dataset.sets));
    else if (name.startsWith("o.")) agree(form);
    else return;
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  });
}

// What stands above while the options below are in view.
function announce(form, place) {
  const line = form.querySelector(".live-line");
  const words = place.querySelector(".summary-line, .problems");
  line.textContent = words ? words.textContent.trim() : "";
  line.hidden = !words;
}

// A page loaded again has what was chosen.
function keepAddress(form, code) {
  if (!form.matches(".new-sheet")) return;
  const here = new URL(location);
  for (const name of [...here.searchParams.keys()]) if (form.elements["o." + name]) here.searchParams.delete(name);
  here.searchParams.set("rules", code);
  history.replaceState(history.state, "", here);
}

// A heading, a description and a line about the rest are shown as long as they are true; nothing moves without them.
function describe(form, { called, differs }) {
  const title = document.querySelector("h1[data-called]");
  if (!title) return;
  const offered = [...form.querySelectorAll("[data-sets]")].flatMap((each) => Object.keys(JSON.parse(each.dataset.sets)));
  const rest = differs.trim().split(" ").every((name) => offered.includes(name));
  title.textContent = called ? title.dataset.before + called : title.dataset.game;
  for (const [line, shown] of [[".meant", !title.dataset.called || called === title.dataset.called], [".rest", rest]]) {
    const part = document.querySelector(line);
    if (part) part.style.visibility = shown ? "" : "hidden";
  }
}

function mark(form, names) {
  for (const row of form.querySelectorAll("[data-option]")) row.classList.toggle("differs-row", names.includes(row.dataset.option));
  for (const group of form.querySelectorAll("details.options")) {
    const count = group.querySelectorAll(".differs-row").length;
    const flag = group.querySelector(".changed");
    if (!flag) continue;
    flag.hidden = !count;
    flag.querySelector(".count").textContent = String(count);
  }
}

// What is agreed in words above and the options below always say the same.
function fill(form, options) {
  for (const [name, value] of Object.entries(options)) form.elements["o." + name].value = value;
}
function agree(form) {
  for (const offer of form.querySelectorAll("[data-agree] [data-sets]")) {
    offer.checked = Object.entries(JSON.parse(offer.dataset.sets)).every(([name, value]) => form.elements["o." + name].value === value);
  }
}

// Enter goes to the next name, and after the last one to the button. The names of the last sheet are filled in where nobody
// has typed one; they are kept on this device alone, until they are forgotten there.
{
  const names = [...document.querySelectorAll(".names input[data-usual]")];
  const kept = "companion-names", remembered = document.querySelector("[data-names]");
  for (const [place, field] of names.entries()) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      const next = names[place + 1];
      if (next) { next.focus(); next.select(); } else document.querySelector(".start button").focus();
    });
  }
  if (remembered) {
    let known = [];
    try { known = JSON.parse(localStorage.getItem(kept)) || []; } catch { /* as on a new device */ }
    const untouched = names.every((field) => field.value === field.dataset.usual || !field.value);
    if (untouched && !document.querySelector("[data-fill]")) {
      for (const [place, name] of known.entries()) if (names[place] && name) { names[place].value = name; names[place].classList.remove("unnamed"); }
    }
    remembered.hidden = !names.length;
    remembered.querySelector("button").hidden = !known.length;
    remembered.querySelector("button").addEventListener("click", (event) => {
      localStorage.removeItem(kept);
      for (const [place, field] of names.entries()) if (field.value === known[place]) field.value = field.dataset.usual;
      event.target.hidden = true;
    });
    const keep = () => {   // as soon as one is typed: whoever goes to choose other rules finds them again
      const typed = names.map((field) => field.value === field.dataset.usual ? "" : field.value);
      if (typed.some(Boolean)) localStorage.setItem(kept, JSON.stringify(typed));
    };
    for (const event of ["change", "submit"]) names[0].form.addEventListener(event, keep);
  }
}
