import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gazetteerBits as bits, Gazetteer } from '@scriptorium/pii/tagger/gazetteer';
import { foldedHash } from '@scriptorium/pii/tagger/segment';

const USUAL =
  bits.commonest | bits.common | bits.word | bits.rare | bits.foreign | bits.thing | bits.seldom;
const PLACES = bits.city | bits.country | bits.region | bits.nationality;
const PEOPLE = bits.first | bits.last;
const MAX_UNITS = 900;
/** Packages whose declarations are read. */
const declared = [
  '@types/node',
  '@aws-sdk/client-s3',
  'fast-check',
  'pdf-lib',
  'bullmq',
  'lru-cache',
  'undici-types',
  'type-fest',
];
/** Packages whose README is read; the benchmark in `lab/bench/support/pii/installed-texts.ts` uses others. */
const described =
  `accepts ajv-formats ansi-styles async-exit-hook balanced-match blurhash brace-expansion bytes
  chalk cliui co-body color-convert content-disposition cookies cross-spawn csv-parse deep-equal
  detect-libc diff ejs editorconfig emoji-regex entities esbuild escalade fast-check fast-uri
  fflate fdir find-up-simple foreground-child fresh graceful-fs he http-errors iconv-lite ieee754
  ini ipaddr.js js-base64 js-beautify js-cookie koa-compose koa-send libphonenumber-js lodash
  lru-cache mime-types ms negotiator node-fetch nopt on-finished pdf-lib pbf pg picomatch
  prom-client proper-lockfile pure-rand raw-body readdirp retry safe-stable-stringify saxes
  serialize-javascript signal-exit sonic-boom statuses string-width supports-color tesseract.js
  tr46 tslib tus-js-client type-is valibot vary which workerpool wrap-ansi xtend`.split(/\s+/);

/**
 * English prose without names: comments in type declarations, and READMEs with their code (MIT,
 * Apache 2.0). Paragraphs are left out if they mention authors, or if capitalised words are on a list
 * of names and are not common words.
 */
export function loadComments(words: { hashes: Int32Array; masks: Uint32Array }): string[] {
  const gazetteer = new Gazetteer(words.hashes, words.masks);
  const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
  const found = new Set<string>();
  const keep = (paragraphs: readonly string[]) => {
    for (const paragraph of paragraphs) if (isPlain(paragraph, gazetteer)) found.add(paragraph);
  };
  for (const name of declared) {
    const folder = join(modules, name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.d.ts')).sort()) {
      keep(paragraphsOf(readFileSync(join(folder, file), 'utf8')));
    }
  }
  for (const name of described) {
    const folder = join(modules, name);
    if (!existsSync(folder)) continue;
    const file = readdirSync(folder).find((entry) => /^readme\.md$/i.test(entry));
    if (file) keep(sized(readFileSync(join(folder, file), 'utf8').split(/\n\s*\n/)));
  }
  return [...found];
}

function paragraphsOf(source: string): string[] {
  return sized(
    [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(([, comment]) =>
      comment!.replace(/^[ \t]*\* ?/gm, '').split(/\n\s*\n|^@/m),
    ),
  );
}

function sized(paragraphs: readonly string[]): string[] {
  return paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph.length > 30 && paragraph.length < MAX_UNITS);
}

const naming =
  /@author|author|copyright|©|contribut|maintain|thank|sponsor|credit|inspired|licen[sc]e|written by|\bby \[|\b(?:Mr|Mrs|Inc|Ltd|Corp|GmbH)\b|\S@\S/i;

function isPlain(paragraph: string, gazetteer: Gazetteer): boolean {
  if (naming.test(paragraph)) return false;
  let named = false;
  for (const [word] of paragraph.matchAll(/[\p{L}\p{M}]+/gu)) {
    const mask = /^\p{Lu}\p{Ll}/u.test(word) ? gazetteer.maskOf(foldedHash(word)) : 0;
    if ((mask & PLACES) !== 0 && (mask & USUAL) === 0) return false;
    if ((mask & bits.first) !== 0 && (mask & USUAL) === 0) return false;
    const name = (mask & PEOPLE) !== 0 && (mask & (bits.commonest | bits.common)) === 0;
    if (name && named) return false;
    named = name;
  }
  return true;
}
