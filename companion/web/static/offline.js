// A service worker: shows a sheet as it was last seen where there is no line, and of other pages that they need the network.
// What is asked goes to the server as it is.
"use strict";

const SHEETS = "sheets-1";
const FILES = "files-1";
const MOST = 60;
const LATEST = 8;   // sheets of a list that are kept although nobody has opened them on this phone
const SHEET = /^\/[a-z-]+\/sheets\/(?!new$|import$)[^/]+(\/ahead)?$/;
const LIST = /^\/[a-z-]+\/(sheets)?$/;   // where the app begins

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => {
  if (event.data === "opened") event.waitUntil(opened(new URL(event.source.url).pathname));
});
addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname.endsWith("/leave")) event.waitUntil(forget(url.pathname.slice(0, -6)));
  if (request.method === "POST" && request.mode === "navigate") event.respondWith(filled(request));
  if (request.method !== "GET") return;
  if (SHEET.test(url.pathname) || (LIST.test(url.pathname) && !url.search)) event.respondWith(sheet(event, url.pathname));
  else if (/^\/static\/.*\.h-/.test(url.pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch((failure) => absent(url.pathname, failure)));
});

async function sheet(event, place) {
  try {
    const answer = await fresh(event.request, place);
    if (LIST.test(place) && answer.ok) event.waitUntil(answer.clone().text().then((html) => listed(place, html)));
    return answer;
  } catch (failure) {
    return await (await caches.open(SHEETS)).match(place) || absent(place, failure);
  }
}

async function fresh(request, place) {
  const answer = await fetch(request);
  if (answer.ok && !answer.redirected) await keep(SHEETS, place, answer);
  else if (answer.status === 404) await forget(place);
  return answer;
}

// A page that is not here says so in the words of the site.
async function absent(place, failure) {
  const seen = await caches.open(SHEETS);
  const page = !place.endsWith("/ahead") && (await seen.match(place + "/") || await seen.match(needsNetwork(place)));
  if (page) return page;
  throw failure;
}
const needsNetwork = (place) => `/${place.split("/")[1]}/needs-network`;
// It is kept in each language: who changes the language there is still without a line.
async function takeNeedsNetwork(place) {
  const html = await take(needsNetwork(place));
  for (const [, other] of html.matchAll(/href="([^"]*)" hreflang/g)) await take(other);
}

// A page that came before the worker was there.
async function opened(place) {
  if (LIST.test(place)) await take(place).then((html) => html && listed(place, html));
  else if (SHEET.test(place)) {
    for (const each of [place + "/ahead", place]) await take(each);
    await takeNeedsNetwork(place);
  }
}

// The sheets of a list that is open: whoever taps one without a line has it.
async function listed(place, html) {
  await takeNeedsNetwork(place).catch(() => {});
  const seen = await caches.open(SHEETS);
  for (const id of linked(html)) {
    const each = `/${place.split("/")[1]}/sheets/${id}`;
    if (!await seen.match(each)) { await take(each + "/ahead"); await take(each); }
  }
}
function linked(html) {
  const links = [...html.matchAll(/href="([^"?#]*\/sheets\/([^"?#/]+))"/g)].filter(([, place]) => SHEET.test(place));
  return [...new Set(links.map(([, , id]) => id))].slice(0, LATEST);
}

// Keeps a page, asking the server for it and for its files; returns it where there is one.
async function take(place) {
  const answer = await fetch(place);
  if (!answer.ok || answer.redirected) return "";
  const html = await answer.clone().text();
  await Promise.allSettled([...new Set(html.match(/\/static\/[^"\s]+\.h-[^"\s]+/g))].map(file));
  await keep(SHEETS, place, answer);
  return html;
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
  const kept = await (await caches.open(FILES)).match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(FILES, request, answer);
  return answer;
}

// An answer is kept once all of it is there: what was kept before would be gone with one that breaks off. Where there is no
// room it is given all the same.
async function keep(name, place, answer) {
  try {
    const whole = await answer.clone().arrayBuffer(), cache = await caches.open(name);
    await cache.put(place, new Response(whole, answer));
    const old = await cache.keys();
    await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((each) => cache.delete(each)));
  } catch { /* as without a worker */ }
}
