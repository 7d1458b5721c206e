// Compiles the program by the phone's own Python, prepares it, and writes the tree of files and the memory as they are then.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Without this, node shows the line of the runtime where it was thrown, which is a megabyte long.
process.on("uncaughtException", (fault) => { console.error(fault.message); process.exit(1); });

const [runtime, tree, prepare, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")));
const options = { indexURL: runtime + "/", env: { HOME: "/home/pyodide" } };

function* files(folder, below = "") {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = below + entry.name;
    if (entry.isDirectory()) yield* files(folder, name + "/");
    else yield [name, readFileSync(join(folder, name))];
  }
}

function put(python, all) {
  for (const [name, content] of all) {
    python.FS.mkdirTree("/app/" + name.split("/").slice(0, -1).join("/"));
    python.FS.writeFile("/app/" + name, content);
  }
}

// What was freed still holds what was there, and would be fetched by every phone: all that is free is taken once, as zeros.
function clean(module) {
  const end = () => module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2], taken = [];
  for (let size = 1 << 16; size >= 64; size >>= 1) {
    for (const before = end(); end() === before;) {
      const place = module._malloc(size);
      module.HEAPU8.fill(0, place, place + size);
      taken.push(place);
    }
  }
  for (const place of taken) module._free(place);
}

const sources = [...files(tree)];
const compiler = await loadPyodide(options);
put(compiler, sources);
compiler.runPython("import compileall; assert compileall.compile_dir('/app', quiet=1, legacy=True, optimize=1, stripdir='/app')");
const whole = sources.map(([name, content]) => (
  name.endsWith(".py") ? [name + "c", compiler.FS.readFile("/app/" + name + "c")] : [name, content]
));

// The tree: the length of its index, the index, the contents one after another.
const index = new TextEncoder().encode(JSON.stringify(whole.map(([name, content]) => [name, content.length])));
const length = new Uint8Array(new Uint32Array([index.length]).buffer);
writeFileSync(join(target, "tree.bin"), Buffer.concat([length, index, ...whole.map(([, content]) => content)]));

const python = await loadPyodide({ ...options, _makeSnapshot: true });
put(python, whole);
python.runPython(readFileSync(prepare, "utf-8"));
clean(python._module);
writeFileSync(join(target, "memory.bin"), python.makeMemorySnapshot());
process.exit(0);
