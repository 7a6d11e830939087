/*
 * What was found once goes from everywhere: in another case, with other separators, a name's parts by
 * themselves. Works on folded text, in which only letters and digits are left.
 */
import type { FoundType } from '../../../contracts/entities.ts';
import type { Span } from './stream.ts';

export interface Value {
  type: FoundType;
  value: string;
}

interface Folded {
  /** Letters and digits in lower case, without accents. */
  text: string;
  /** For each unit of `text`, where its character begins in the text that was folded. */
  from: Uint32Array;
  /** And where it ends. */
  to: Uint32Array;
}

const word = /[\p{L}\p{N}]/u;

/** Lower case, no accents, nothing but letters and digits, compatibility forms resolved. */
export function fold(raw: string): Folded {
  const units: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let index = 0; index < raw.length; ) {
    const point = raw.codePointAt(index)!;
    const width = point > 0xffff ? 2 : 1;
    const folded = point < 0x80 ? foldAscii(point) : foldOther(String.fromCodePoint(point));
    for (const unit of folded) {
      units.push(unit);
      from.push(index);
      to.push(index + width);
    }
    index += width;
  }
  return { text: units.join(''), from: Uint32Array.from(from), to: Uint32Array.from(to) };
}

function foldAscii(point: number): string {
  if ((point >= 0x30 && point <= 0x39) || (point >= 0x61 && point <= 0x7a)) {
    return String.fromCharCode(point);
  }
  return point >= 0x41 && point <= 0x5a ? String.fromCharCode(point + 32) : '';
}

const known = new Map<string, string>();

function foldOther(character: string): string {
  const before = known.get(character);
  if (before !== undefined) return before;
  const kept = [...character.normalize('NFKD')].filter((part) => word.test(part)).join('');
  const folded = [...kept.toLowerCase()].filter((part) => word.test(part)).join('');
  known.set(character, folded);
  return folded;
}

/** The form in which values are compared. */
export const compact = (value: string): string => fold(value).text;

/** Where long values may begin inside a word; of words only whole ones are looked for. */
const insideLength = 8;
const keyLength = 3;

/**
 * Whether a value says enough to be looked for elsewhere: `45` or `Mr` would take half of the file
 * with it, so such values go where they were found and nowhere else.
 */
export function isTelling(value: string): boolean {
  const text = compact(value);
  if (text.length < keyLength) return false;
  return text.length >= 5 || !/^\p{N}+$/u.test(text);
}

interface Wanted {
  type: FoundType;
  text: string;
  /** Only where the word is written with a capital, as `Will` is and `will` is not. */
  capital: boolean;
  /** May stand inside a longer word: numbers, addresses. */
  inside: boolean;
}

const startsLarge = (text: string): boolean => {
  const first = [...text].find((character) => word.test(character)) ?? '';
  return first.toLowerCase() !== first;
};

/** Each value, and the parts of names: words of three letters and more that have a capital or no case. */
function wantedOf(values: readonly Value[], allowList: readonly string[]): Map<string, Wanted[]> {
  const allowed = new Set(allowList.map(compact));
  const byText = new Map<string, Wanted>();
  const want = (type: FoundType, value: string): void => {
    const text = compact(value);
    if (!isTelling(value) || allowed.has(text) || byText.has(text)) return;
    const letters = !/\p{N}/u.test(text) && !value.includes('@');
    const single = !/[^\p{L}\p{N}]/u.test(value.trim());
    byText.set(text, {
      type,
      text,
      capital: letters && single && startsLarge(value),
      inside: !letters && text.length >= insideLength,
    });
  };
  for (const { type, value } of values) want(type, value);
  for (const { type, value } of values) {
    if (type !== 'PERSON') continue;
    for (const [name] of value.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
      if (name.length >= keyLength && (startsLarge(name) || name.toUpperCase() === name)) {
        want(type, name);
      }
    }
  }
  const byKey = new Map<string, Wanted[]>();
  for (const wanted of byText.values()) {
    const key = wanted.text.slice(0, keyLength);
    byKey.set(key, [...(byKey.get(key) ?? []), wanted]);
  }
  for (const list of byKey.values()) list.sort((a, b) => b.text.length - a.text.length);
  return byKey;
}

/** Looks for values in texts. Linear in the text, whatever the number of values. */
export function createSpread(
  values: readonly Value[],
  allowList: readonly string[] = [],
): (raw: string) => Span[] {
  const byKey = wantedOf(values, allowList);
  return (raw) => {
    if (byKey.size === 0) return [];
    const { text, from, to } = fold(raw);
    const spans: Span[] = [];
    for (let index = 0; index + keyLength <= text.length; ) {
      const starts = index === 0 || from[index]! > to[index - 1]!;
      const found = byKey.get(text.slice(index, index + keyLength))?.find((wanted) => {
        if (!(starts || wanted.inside) || !text.startsWith(wanted.text, index)) return false;
        const after = index + wanted.text.length;
        const ends = after === text.length || from[after]! > to[after - 1]!;
        return (ends || wanted.inside) && (!wanted.capital || startsLarge(raw.slice(from[index]!, to[index]!)));
      });
      if (found) {
        const end = to[index + found.text.length - 1]!;
        spans.push({ type: found.type, start: from[index]!, end });
        index += found.text.length;
      } else index += 1;
    }
    return spans;
  };
}

/** Two lists of spans as one: where they overlap, the whole, of the type of the longer. */
export function unite(a: readonly Span[], b: readonly Span[]): Span[] {
  const all = [...a, ...b].sort((x, y) => x.start - y.start || y.end - x.end);
  const united: Span[] = [];
  let longest = 0;
  for (const span of all) {
    const last = united.at(-1);
    if (!last || span.start >= last.end) {
      united.push({ ...span });
      longest = span.end - span.start;
      continue;
    }
    if (span.end - span.start > longest) {
      longest = span.end - span.start;
      last.type = span.type;
    }
    last.end = Math.max(last.end, span.end);
  }
  return united;
}
