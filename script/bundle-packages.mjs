#!/usr/bin/env node
// Bundles npm packages of many small files into dist/compiled/node_modules, where compiled code finds
// them before the originals. This halves the start-up time of the hundreds of processes that tests start.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The bundled packages. Excluded: packages that read files beside themselves, start programs or
 * load native code, and OpenTelemetry, whose loaded files a test counts.
 */
const packages = [
  '@aws-sdk/client-s3',
  '@koa/router',
  '@noble/hashes',
  '@tus/server',
  'ajv',
  'ajv-formats',
  'bullmq',
  'fflate',
  'ioredis',
  'ipaddr.js',
  'koa',
  'koa-body',
  'libphonenumber-js',
  'mdast-util-from-markdown',
  'mdast-util-gfm',
  'mdast-util-math',
  'micromark-core-commonmark',
  'micromark-extension-gfm',
  'minisearch',
  'parse5',
  'pdf-lib',
  'pg',
  'pino',
  'prom-client',
  're2js',
  'saxes',
  'typebox',
  'typeorm',
  'undici',
];
const leftOut = ['@opentelemetry/api', 'msgpackr-extract', 'pg-native'];

const root = fileURLToPath(new URL('../', import.meta.url));
const compiled = join(root, 'dist', 'compiled');
const target = join(compiled, 'node_modules');
const stampFile = join(target, '.stamp');

const specifiers = importedSpecifiers();
const stamp = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(specifiers.join('\n'))
  .digest('hex');
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  rmSync(target, { recursive: true, force: true });
  await writeBundle();
  for (const name of packages) writePackage(name);
  writeFileSync(stampFile, stamp);
}

/**
 * Returns the modules of these packages that the compiled code imports, such as `pg` and
 * `pg/lib/utils.js`.
 */
function importedSpecifiers() {
  const found = new Set();
  // Not the whole folder: it contains a link to its parent, which a recursive listing would follow.
  const files = ['src', 'lab', 'packages', 'test'].flatMap((folder) =>
    readdirSync(join(compiled, folder), { recursive: true }).map((file) => join(folder, file)),
  );
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const code = readFileSync(join(compiled, file), 'utf8');
    for (const [, specifier] of code.matchAll(/(?:^import |from |import\()'([^'.][^']*)'/gm)) {
      if (packages.includes(packageOf(specifier))) found.add(specifier);
    }
  }
  return [...found].sort();
}

/** Writes an entry for each specifier. Shared modules are in chunks, so each module exists once. */
async function writeBundle() {
  const facades = new Map();
  for (const specifier of specifiers) {
    facades.set(`\0${specifier}`, await facadeOf(specifier));
  }
  const bundle = await rolldown({
    input: Object.fromEntries(specifiers.map((one) => [entryOf(one), `\0${one}`])),
    platform: 'node',
    // As in Node's resolution.
    resolve: { mainFields: ['main'] },
    external: leftOut,
    plugins: [
      {
        name: 'facades',
        resolveId(id, importer) {
          if (facades.has(id)) return id;
          // A facade has no folder to resolve from.
          if (importer && facades.has(importer)) {
            return this.resolve(id, join(root, 'package.mjs'), { skipSelf: true });
          }
          return null;
        },
        load: (id) => facades.get(id) ?? null,
      },
    ],
    logLevel: 'silent',
  });
  await bundle.write({
    dir: target,
    entryFileNames: '[name].mjs',
    chunkFileNames: '.shared/[name]-[hash].mjs',
    // There is less to parse. Names stay, because some libraries read them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
}

/** Writes the `package.json` of a bundled package, with its entries as exports. */
function writePackage(name) {
  const own = specifiers.filter((one) => packageOf(one) === name);
  if (own.length === 0) return;
  const exports = own.map((one) => [
    `.${one.slice(name.length)}`,
    `.${entryOf(one).slice(name.length)}.mjs`,
  ]);
  const manifest = { name, type: 'module', exports: Object.fromEntries(exports) };
  writeFileSync(join(target, name, 'package.json'), JSON.stringify(manifest));
}

/** A module that re-exports another by name. The names of CommonJS modules are known only at run time. */
async function facadeOf(specifier) {
  const names = Object.keys(await import(specifier)).filter((name) =>
    /^[A-Za-z_$][\w$]*$/.test(name),
  );
  return `export { ${names.join(', ')} } from '${specifier}';\n`;
}

/** Returns the package of a specifier: `@koa/router` for `@koa/router/lib/x`. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The file of an entry, without its extension, such as `pg/lib__utils.js`. */
function entryOf(specifier) {
  const name = packageOf(specifier);
  const inside = specifier.slice(name.length + 1);
  return `${name}/${inside.replaceAll('/', '__') || 'main'}`;
}
