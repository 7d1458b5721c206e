// The part of phone-worker.js that sends what was entered here, once there is a line again.
let tried = 0;
async function send(now = false) {
  const here = await sheetsHere();
  if (!here.sheets.size || !navigator.onLine || (!now && Date.now() - tried < BETWEEN)) return;
  tried = Date.now();
  try {
    if (!(await online("/version", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok) return;
    for (const id of here.sheets) if (!here.apart[id]) await up(id);
  } catch { /* the next page tries again */ }
}

// What was entered here goes to the server, while more may be entered. True where it has all of it; the page with both
// histories where others wrote.
const going = new Map();
function up(id, lang = BUNDLE.languages[0]) {
  if (!going.has(id)) going.set(id, goUp(id, lang).finally(() => going.delete(id)));
  return going.get(id);
}

async function goUp(id, lang) {
  const here = await sheetsHere(), { device } = await running();
  const known = here.adopted.has(id) ? id : "", group = await fact("group:" + id);
  let sent, lost = false;
  while (here.sheets.has(id)) {
    const { file, base: tag, mine } = JSON.parse(device.outgoing(id, lang));
    const all = async (sheet) => JSON.parse(device.outgoing(id, lang)).mine.length === mine.length && done(here, id, sheet);
    if (known && !mine.length) return inTurn(() => all(id));
    sent = await online(`/${lang}/phone/sheets`, {
      method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": id }, signal: AbortSignal.timeout(12 * PATIENCE),
      body: JSON.stringify(known && !lost ? { sheet: known, base: tag, mine } : { file, base: tag, mine, group }),
    });
    if (known && !lost && (sent.status === 404 || sent.status === 410)) { lost = true; continue; }   // kept as a sheet of its own
    if (!sent.ok) break;
    const { sheet, left } = await sent.json();
    if (!left && await inTurn(() => all(sheet))) return true;
  }
  const place = sent && sent.status === 409 && OWN.exec(sent.headers.get("Content-Location"));
  if (!place) return !here.sheets.has(id);
  const first = !here.apart[id];
  here.apart[id] = place[1];
  await keepFact("apart", here.apart);
  if (first) {
    for (const window of await clients.matchAll({ type: "window" })) {
      if (new URL(window.url).pathname.endsWith("/sheets/" + id)) window.navigate(window.url).catch(() => {});
    }
  }
  return sent;
}

// From now on the server has the sheet.
async function done(here, id, to) {
  if (to !== id) here.moved[id] = to;
  delete here.apart[id];
  const { device } = await running(), proxy = device.erase(id), lines = proxy.toJs();
  proxy.destroy();
  await stored("readwrite", (lines, facts) => {
    facts.put(here.moved, "moved");
    facts.put(here.apart, "apart");
    facts.delete("group:" + id);
  });
  await write(lines, "");
  if (to !== id) await taps(id, to).catch(() => {});
  await Promise.all(BUNDLE.languages.map((lang) => forget(`/${lang}/sheets/${id}`)));
  return true;
}

// It was chosen on the page with both histories what becomes of what was entered here.
async function chosen(id) {
  const here = await sheetsHere();
  if (here.apart[id]) await inTurn(() => done(here, id, here.apart[id]));
  return true;
}

// Taps of taps.js that are not sent yet go with their sheet.
async function taps(from, to) {
  const opening = indexedDB.open("companion", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("taps", { keyPath: "id", autoIncrement: true });
  const storage = (await asked(opening)).transaction("taps", "readwrite").objectStore("taps");
  for (const tap of await asked(storage.getAll())) {
    if (tap.sheet.endsWith("/" + from)) storage.put({ ...tap, sheet: tap.sheet.replace(from, to), request: undefined });
  }
}
