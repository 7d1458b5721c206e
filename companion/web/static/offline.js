// A service worker: shows a sheet as it was last seen where there is no line. Everything else goes to the server as it is.
"use strict";

const SHEETS = "sheets-1";
const FILES = "files-1";
const MOST = 60;
const SHEET = /^\/[a-z-]+\/sheets(\/(?!new$|import$)[^/]+(\/ahead)?)?$/;   // and the list of them, where the app begins

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  if (event.request.method === "POST" && url.pathname.endsWith("/leave")) event.waitUntil(forget(url.pathname.slice(0, -6)));
  if (event.request.method === "POST" && event.request.mode === "navigate") event.respondWith(filled(event.request));
  if (event.request.method !== "GET") return;
  if (SHEET.test(url.pathname)) event.respondWith(sheet(event.request, url.pathname));
  else if (/^\/static\/.*\.h-/.test(url.pathname)) event.respondWith(file(event.request));
});

async function sheet(request, place) {
  try { return await fresh(request, place); } catch (failure) {
    const kept = await (await caches.open(SHEETS)).match(place);
    if (!kept) throw failure;
    return kept;
  }
}

async function fresh(request, place) {
  const answer = await fetch(request);
  if (answer.ok && !answer.redirected) await keep(await caches.open(SHEETS), place, answer.clone());
  else if (answer.status === 404) await forget(place);
  return answer;
}

// A form that cannot be sent stays as it was filled in: its page gets a message, and an answer without content leaves it there.
async function filled(request) {
  try { return await fetch(request); } catch { return stays(); }
}
async function stays() {
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage("not-sent");
  return new Response(null, { status: 204 });
}

async function forget(place) {
  const seen = await caches.open(SHEETS);
  await Promise.all([place, place + "/ahead"].map((each) => seen.delete(each)));
}

// The name of such a file goes by its content.
async function file(request) {
  const files = await caches.open(FILES);
  const kept = await files.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(files, request, answer.clone());
  return answer;
}

async function keep(cache, place, answer) {
  await cache.put(place, answer);
  const old = await cache.keys();
  await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((each) => cache.delete(each)));
}
