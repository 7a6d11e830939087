import { digitFor } from './confusions.ts';
import type { PiiFinding } from './finding.ts';
import { labelWords } from './labels/scan.ts';
import { isFrequentWord } from './language/evidence.ts';
import { isUsualWord } from './tagger/index.ts';
import { type TextView, textViewOf } from './view.ts';

/** What a recogniser reads for a digit in worn or typed print, beyond what it confuses everywhere. */
const worn: Readonly<Record<string, string>> = {
  ...digitFor,
  ...{
    U: '0',
    C: '0',
    A: '4',
    T: '7',
    '?': '7',
    '£': '6',
    '§': '5',
    $: '5',
    E: '6',
    R: '8',
    '&': '8',
  },
};
const sign = `[\\d${Object.keys(worn)
  .join('')
  .replace(/[\\\]^$?|]/g, '\\$&')}]`;
/** Groups of digits of which a few were read as something else. */
const number = new RegExp(
  `(?<![\\p{L}\\p{N}])\\+?${sign}(?:[ ./()-]{0,2}${sign}){6,24}(?![\\p{L}\\p{N}])`,
  'gu',
);
/** So many of the signs of a number must have been read as digits. */
const leastRead = 0.7;

/**
 * Finds values in text from pictures over what it may have been: numbers with digits for the signs that stand where
 * only a digit can, whatever the recogniser takes them for.
 * @param find what reads a text
 */
export function findAlternatives(
  view: TextView,
  find: (view: TextView) => PiiFinding[],
): PiiFinding[] {
  if (!view.recognised) return [];
  let changed = false;
  const text = view.text.replace(number, (found) => {
    const signs = found.replace(/[ ./()+-]/g, '');
    const digits = signs.replace(/\D/g, '').length;
    if (digits === signs.length || digits < leastRead * signs.length) return found;
    changed = true;
    return found.replace(/[^\d ./()+-]/g, (one) => worn[one] ?? one);
  });
  if (!changed) return [];
  return find(textViewOf(text, true)).map((found) => ({
    ...found,
    start: view.original(found.start),
    end: view.original(found.end - 1) + 1,
  }));
}

/** The number of a house, of which a digit may have been misread or put apart, before or behind its street. */
const house = '[\\dlIOZSB|(]{1,4}[a-z]?(?: ?(?:bis|ter|quater))?';
const houseBefore = new RegExp(
  `(?:(?:^|[\\n\\t,:] ?)(?=[^ ]*[\\dlIOZSB|])|(?<![\\p{L}\\p{N}])(?=\\d))(${house},? )$`,
  'u',
);
const houseBehind = new RegExp(`^,? (?=[^ ]*\\d|[lI|][lI|])${house}(?![\\p{L}\\p{N}])`, 'u');

/** An address with the number of its house, which was read as something else. */
export function withHouse(text: string, { start, end }: { start: number; end: number }) {
  const before = houseBefore.exec(text.slice(Math.max(0, start - 16), start))?.[1] ?? '';
  const behind = houseBehind.exec(text.slice(end, end + 12))?.[0] ?? '';
  return { start: start - before.length, end: end + behind.length };
}

const part = /(?:^|[\s:<(])([\p{Ll}\p{N}][\p{Ll}\p{N}._-]{0,30}) $/u;
const mostParts = 2;

/** Where an e-mail address starts that was read with blanks between its letters: `leo pold.anz@…`. */
export function startOfEmail(text: string, start: number): number {
  let from = start;
  for (let round = 0; round < mostParts; round += 1) {
    const word = part.exec(text.slice(Math.max(0, from - 34), from))?.[1];
    if (!word || labelWords().has(word) || isFrequentWord(word) || isUsualWord(word)) return from;
    from -= word.length + 1;
  }
  return from;
}
