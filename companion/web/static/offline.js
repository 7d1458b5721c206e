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
  if (event.request.method !== "GET") return;
  if (SHEET.test(url.pathname)) event.respondWith(sheet(event.request, url.pathname));
  else if (/^\/static\/.*\.h-/.test(url.pathname)) event.respondWith(file(event.request));
});

async function sheet(request, place) {
  const seen = await caches.open(SHEETS);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await keep(seen, place, answer.clone());
    else if (answer.status === 404) await forget(place);
    return answer;
  } catch (failure) {
    const kept = await seen.match(place);
    if (!kept) throw failure;
    return kept;
  }
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
  await cache.delete(place);
  await cache.put(place, answer);
  const old = await cache.keys();
  await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((each) => cache.delete(each)));
}
