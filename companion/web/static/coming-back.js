// What was chosen is done first; only then this phone forgets what it was about: taps, or a sheet continued without a line.
"use strict";

async function forget(what) {
  const ids = what.filter((each) => typeof each === "number");
  for (const sheet of what.filter((each) => typeof each === "string")) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => { port1.onmessage = done; navigator.serviceWorker.controller.postMessage({ chosen: sheet }, [port2]); });
  }
  if (!ids.length) return;
  const base = await new Promise((done, failed) => {
    const asking = indexedDB.open("companion", 1);
    asking.onsuccess = () => done(asking.result);
    asking.onerror = () => failed(asking.error);
  });
  await new Promise((done) => {
    const writing = base.transaction("taps", "readwrite", { durability: "strict" });
    for (const id of ids) writing.objectStore("taps").delete(id);
    writing.oncomplete = done;
  });
}

document.addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter;
  if (!form.dataset.taps) return;
  event.preventDefault();
  const words = new URLSearchParams(new FormData(form, button));   // before its button is disabled: it would be left out
  button.disabled = true;
  const note = document.querySelector("[data-not-sent]");
  try {
    const answer = await fetch(form.action, form.method === "post" ? { method: "POST", body: words } : {});
    if (answer.status === 409) {   // somebody wrote again
      document.querySelector("main").replaceWith(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
      return;
    }
    if (!answer.ok) throw new Error(answer.status);
    await forget(JSON.parse(form.dataset.taps));
    location.href = answer.url;
  } catch {
    button.disabled = false;
    note.hidden = false;
    note.textContent = note.dataset.notSent;
  }
});
