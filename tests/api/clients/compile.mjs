// Lint openapi.json in this folder, make types of it, and compile the programs beside it.
//
// Prints what Redocly (recommended) and tsc (--strict) find as JSON; writes companion.d.ts and the programs in JavaScript.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import redocly from "@redocly/openapi-core";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const folder = import.meta.dirname;
const source = readFileSync(join(folder, "openapi.json"), "utf-8");
const config = await redocly.createConfig({ extends: ["recommended"] });
const findings = await redocly.lintFromString({ source, absoluteRef: join(folder, "openapi.json"), config });

writeFileSync(join(folder, "companion.d.ts"), astToString(await openapiTS(JSON.parse(source))));
const programs = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
const compiled = ts.createProgram(programs.map((name) => join(folder, name)), {
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
});
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => "\n" };
const wrong = ts.getPreEmitDiagnostics(compiled).map((each) => ts.formatDiagnostic(each, host));
compiled.emit();
console.log(
  JSON.stringify({
    lint: findings.map((each) => `${each.severity} ${each.ruleId} ${each.location[0].pointer}: ${each.message}`),
    types: wrong,
  }),
);
