/* Lessons: arrow keys step through a deal; what a quiz was answered stays on this device; tapped cards are judged in place. */
"use strict";
(() => {
  const read = () => {
    try { return JSON.parse(localStorage.getItem("learn") || "{}") || {}; } catch { return {}; }
  };
  document.addEventListener("keydown", (event) => {
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!rel || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const all = document.querySelectorAll(`.walk a[rel="${rel}"], .walk button`);
    [...all].find((each) => rel === "next" || each.rel)?.click();
  });
  const answer = document.querySelector(".verdict[data-key]");
  if (answer?.dataset.key) {
    const kept = read();
    (kept[answer.dataset.quiz] ||= {})[answer.dataset.key] ??= Number(answer.dataset.right);
    try { localStorage.setItem("learn", JSON.stringify(kept)); } catch { /* without storage the quiz goes on */ }
  }
  document.querySelector(".taps")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const asked = new URLSearchParams(new FormData(form, event.submitter));
    try {
      const answer = await fetch(`${location.pathname}?${asked}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const shown = document.getElementById("tried");
      shown.replaceChildren(...page.getElementById("tried").childNodes);
      shown.scrollIntoView({ block: "nearest" });
    } catch {
      location.assign(`${location.pathname}?${asked}#tried`);
    }
  });
  const tally = document.querySelector(".tally");
  const known = tally && read()[tally.dataset.quiz];
  if (known) {
    for (const item of document.querySelectorAll(".puzzles li")) {
      const right = known[item.dataset.key];
      if (right === undefined) continue;
      item.classList.add(right ? "right" : "wrong");
      const said = document.createElement("span");
      said.className = "heard";
      said.textContent = ` ${right ? tally.dataset.right : tally.dataset.wrong}`;
      item.append(said);
      item.firstElementChild.prepend(tally.nextElementSibling.content.children[right ? 0 : 1].cloneNode(true));
    }
    tally.textContent = tally.dataset.words.replace("%right%", document.querySelectorAll(".puzzles .right").length);
  }
})();
