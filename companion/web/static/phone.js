// The page that keeps the program on this phone: fetches it with a progress bar, says what is kept, and removes it.
"use strict";
{
const part = document.querySelector(".phone"), words = part.dataset;
const files = JSON.parse(words.files), bar = part.querySelector("progress"), status = part.querySelector("[role=status]");
const button = (name) => part.querySelector(`[data-do=${name}]`);
const workers = navigator.serviceWorker;

// What is done where a button was pressed; what goes wrong is said, and may be tried again.
for (const [name, act] of Object.entries({ keep, send: () => ask("send").then(show), remove })) {
  button(name).addEventListener("click", async (event) => {
    event.target.disabled = true;
    try { await act(); } catch (fault) { bar.hidden = true; status.textContent = fault.name === "QuotaExceededError" ? words.full : words.failed; }
    event.target.disabled = false;
  });
}

async function ask(what) {
  const registration = await workers.getRegistration();
  const worker = registration && registration.active;
  if (!worker || !worker.scriptURL.endsWith(words.worker)) return null;
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => { port1.onmessage = (event) => done(event.data); worker.postMessage(what, [port2]); });
}

async function show() {
  const state = await ask("state");
  button("keep").hidden = Boolean(state);
  button("remove").hidden = !state;
  button("send").hidden = !state || !state.sheets.length;
  if (state) status.textContent = state.sheets.length ? words.unsent.replace("0", state.sheets.length) : words.kept;
}

async function keep() {
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
  const cache = await caches.open(words.cache), whole = Object.values(files).reduce((sum, size) => sum + size, 0);
  bar.hidden = false;
  let done = 0;
  for (const [path, size] of Object.entries(files)) {
    if (!await cache.match(path)) await cache.put(path, await counted(path, (so) => progress((done + so) / whole)));
    done += size;
    progress(done / whole);
  }
  const registration = await workers.register(words.worker, { type: "module" });
  await active(registration);
  await ask("copies");
  bar.hidden = true;
  await show();
}

function progress(share) {
  bar.value = share;
  status.textContent = `${words.fetching} ${Math.floor(share * 100)} %`;
}

// A file as it comes, with its bytes counted on the way.
async function counted(path, report) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(answer.status);
  let so = 0;
  const counting = new TransformStream({ transform(piece, out) { so += piece.length; report(so); out.enqueue(piece); } });
  return new Response(answer.body.pipeThrough(counting), { headers: { "Content-Type": answer.headers.get("Content-Type") } });
}

function active(registration) {
  const worker = registration.installing || registration.waiting;
  if (!worker) return null;
  return new Promise((done, failed) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") done();
      if (worker.state === "redundant") failed(new Error("redundant"));
    });
  });
}

async function remove() {
  if (await ask("leave") === false) { await show(); return; }
  await (await workers.getRegistration()).unregister();
  for (const name of await caches.keys()) if (name.startsWith("phone-")) await caches.delete(name);
  await show();
  status.textContent = words.removed;
}

if (workers && window.caches) {
  part.hidden = false;
  document.querySelector(".unable").hidden = true;
  show();
}
}
