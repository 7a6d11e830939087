#!/usr/bin/env node
// Finds modules that the portal must not load, directly or indirectly: a browser has no `node:` modules, and
// the schemas in packages/contracts/src/wire need one. The build would only warn, and the screen would stay
// blank. Run by script/check.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const wire = 'packages/contracts/src/wire/';
/** Imports and re-exports of values. Those of types only are erased by the compiler. */
const statement =
  /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

/** The modules that a file loads: paths in the repository, or names of packages. */
function loadedBy(file) {
  return [...readFileSync(file, 'utf8').matchAll(statement)]
    .map(([, fixed, dynamic]) => fixed ?? dynamic)
    .map((name) =>
      name.startsWith('.')
        ? join(dirname(file), name)
        : name.replace(/^@scriptorium\/contracts\/(.+)$/, 'packages/contracts/src/$1.ts'),
    );
}

const isCode = /\.tsx?$/;
const roots = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages/portal'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => isCode.test(file) && !file.endsWith('vite.config.ts') && existsSync(file));

const seen = new Set(roots);
const findings = [];
/** Import chains that start at a file of the portal. */
const paths = roots.map((file) => [file]);
for (let path = paths.shift(); path; path = paths.shift()) {
  for (const loaded of loadedBy(path.at(-1))) {
    const whole = [...path, loaded];
    if (loaded.startsWith(wire) || loaded.startsWith('node:')) findings.push(whole.join(' → '));
    else if (isCode.test(loaded) && !seen.has(loaded)) {
      seen.add(loaded);
      paths.push(whole);
    }
  }
}

for (const finding of findings) {
  console.error(
    `${finding}: a browser cannot load this. Write \`import type\` for types; move values that the portal needs to a file of packages/contracts/src outside wire/ that loads no \`node:\` module.`,
  );
}
if (findings.length > 0) process.exitCode = 1;
