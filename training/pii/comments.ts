import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gazetteerBits as bits, Gazetteer } from '../../src/engines/pii/tagger/gazetteer.ts';
import { foldedHash } from '../../src/engines/pii/tagger/segment.ts';

const NAMES = bits.first | bits.last | bits.city | bits.country | bits.region | bits.nationality;
const COMMON = bits.commonest | bits.common;
const MOST_UNITS = 600;
const packages = [
  '@types/node',
  '@aws-sdk/client-s3',
  'fast-check',
  'pdf-lib',
  'bullmq',
  'lru-cache',
];

/**
 * English as people write it, in which nobody is named: comments of type declarations (MIT,
 * Apache 2.0). A paragraph with a word in capitals that a list of names has is left out, unless the
 * word is a usual one.
 */
export function loadComments(words: { hashes: Int32Array; masks: Uint16Array }): string[] {
  const gazetteer = new Gazetteer(words.hashes, words.masks);
  const modules = new URL('../../node_modules/', import.meta.url);
  const found = new Set<string>();
  for (const name of packages) {
    const folder = fileURLToPath(new URL(name, modules));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.d.ts')).sort()) {
      for (const paragraph of paragraphsOf(readFileSync(join(folder, file), 'utf8'))) {
        if (isPlain(paragraph, gazetteer)) found.add(paragraph);
      }
    }
  }
  return [...found];
}

function paragraphsOf(source: string): string[] {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .flatMap(([, comment]) => comment!.replace(/^[ \t]*\* ?/gm, '').split(/\n\s*\n|^@/m))
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph.length > 30 && paragraph.length < MOST_UNITS);
}

function isPlain(paragraph: string, gazetteer: Gazetteer): boolean {
  if (/@author|copyright|\bMr\b|\bInc\b/i.test(paragraph)) return false;
  return [...paragraph.matchAll(/\p{Lu}[\p{L}\p{M}]+/gu)].every(([word]) => {
    const mask = gazetteer.maskOf(foldedHash(word));
    return (mask & NAMES) === 0 || (mask & COMMON) !== 0;
  });
}
