import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gazetteerBits as bits, Gazetteer } from '@scriptorium/pii/tagger/gazetteer';
import { foldedHash } from '@scriptorium/pii/tagger/segment';

const usual =
  bits.commonest | bits.common | bits.word | bits.rare | bits.foreign | bits.thing | bits.seldom;
const place = bits.city | bits.country | bits.region | bits.nationality;
const person = bits.first | bits.last;
/** The length of a usable paragraph, in characters. */
const minCharacters = 31;
const maxCharacters = 899;
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
  cliui co-body color-convert content-disposition cookies cross-spawn csv-parse
  detect-libc diff ejs editorconfig emoji-regex entities esbuild escalade fast-check fast-uri
  fflate fdir find-up-simple foreground-child fresh graceful-fs http-errors iconv-lite ieee754
  ini ipaddr.js js-base64 js-beautify js-cookie koa-compose koa-send libphonenumber-js lodash
  lru-cache mime-types ms negotiator node-fetch nopt on-finished pdf-lib pbf pg picomatch
  prom-client proper-lockfile pure-rand raw-body readdirp retry safe-stable-stringify saxes
  serialize-javascript signal-exit sonic-boom statuses string-width supports-color tesseract.js
  tslib tus-js-client type-is valibot vary which workerpool wrap-ansi xtend`.split(/\s+/);

/**
 * English prose without names: comments in type declarations, and READMEs with their code (MIT,
 * Apache 2.0). Paragraphs are left out if they mention authors, or contain an uncommon place or
 * first name, or two names in a row that are not common words. A single surname is kept.
 * @throws Error if a package is not installed or has no README
 */
export function loadComments(words: { hashes: Int32Array; masks: Uint32Array }): string[] {
  const gazetteer = new Gazetteer(words.hashes, words.masks);
  const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
  const plainParagraphs = new Set<string>();
  const addPlain = (paragraphs: readonly string[]) => {
    for (const paragraph of paragraphs)
      if (isPlain(paragraph, gazetteer)) plainParagraphs.add(paragraph);
  };
  for (const name of declared) {
    const folder = join(modules, name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((path) => path.endsWith('.d.ts')).sort()) {
      addPlain(paragraphsOf(readFileSync(join(folder, file), 'utf8')));
    }
  }
  for (const name of described) {
    const folder = join(modules, name);
    const file = readdirSync(folder).find((entry) => /^readme\.md$/i.test(entry));
    if (!file) throw new Error(`The package ${name} has no README.`);
    addPlain(ofUsableLength(readFileSync(join(folder, file), 'utf8').split(/\n\s*\n/)));
  }
  return [...plainParagraphs];
}

function paragraphsOf(source: string): string[] {
  return ofUsableLength(
    [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(([, comment]) =>
      comment!.replace(/^[ \t]*\* ?/gm, '').split(/\n\s*\n|^@/m),
    ),
  );
}

function ofUsableLength(paragraphs: readonly string[]): string[] {
  return paragraphs
    .map((paragraph) => paragraph.trim())
    .filter(({ length }) => length >= minCharacters && length <= maxCharacters);
}

const attribution =
  /author|copyright|©|contribut|maintain|thank|sponsor|credit|inspired|licen[sc]e|written by|\bby \[|\b(?:Mr|Mrs|Inc|Ltd|Corp|GmbH)\b|\S@\S/i;

function isPlain(paragraph: string, gazetteer: Gazetteer): boolean {
  if (attribution.test(paragraph)) return false;
  let isPreviousName = false;
  for (const [word] of paragraph.matchAll(/[\p{L}\p{M}]+/gu)) {
    const mask = /^\p{Lu}\p{Ll}/u.test(word) ? gazetteer.maskOf(foldedHash(word)) : 0;
    const isUsual = (mask & usual) !== 0;
    if (((mask & place) !== 0 || (mask & bits.first) !== 0) && !isUsual) return false;
    const isName = (mask & person) !== 0 && (mask & (bits.commonest | bits.common)) === 0;
    if (isName && isPreviousName) return false;
    isPreviousName = isName;
  }
  return true;
}
