// Names picked by tapping: in the order of the taps on a group's page, into the next free seat on that of a new sheet.
"use strict";

for (const form of document.querySelectorAll("[data-picks]")) {
  const picked = [];
  form.addEventListener("change", (event) => {
    const box = event.target;
    if (box.name !== "player") return;
    if (box.checked) picked.push(box); else picked.splice(picked.indexOf(box), 1);
    for (const each of form.querySelectorAll("[name=player]")) {
      const place = picked.indexOf(each);
      if (place < 0) delete each.nextElementSibling.dataset.place; else each.nextElementSibling.dataset.place = place + 1;
    }
  });
  form.addEventListener("formdata", (event) => {
    if (!picked.length) return;
    event.formData.delete("player");
    for (const box of picked) event.formData.append("player", box.value);
  });
}

for (const chips of document.querySelectorAll("[data-fill]")) {
  const seats = [...chips.closest("form").querySelectorAll("input[name^=name]")];
  const show = () => {
    const taken = new Set(seats.map((seat) => seat.value.trim()));
    for (const chip of chips.children) chip.setAttribute("aria-pressed", taken.has(chip.value));
  };
  chips.hidden = false;
  chips.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.value;
    if (name === undefined) return;
    const own = seats.find((seat) => seat.value.trim() === name);
    const seat = own ?? seats.find((each) => !each.value.trim());
    if (!seat) return;
    seat.value = own ? "" : name;
    seat.dispatchEvent(new Event("input", { bubbles: true }));
  });
  for (const seat of seats) seat.addEventListener("input", show);
  show();
}
