/** The classes of UTF-16 units, which are looked up by value. */
export const SYMBOL = 0;
export const SPACE = 1;
export const NEWLINE = 2;
export const LOWER = 3;
export const UPPER = 4;
/** Letters without case, and combining marks. */
export const LETTER = 5;
export const DIGIT = 6;
export const SURROGATE = 7;

const UNITS = 0x10000;
/** Letters whose stroke or ligature remains after decomposition. */
const unjoined = new Map(
  Object.entries({
    đ: 'd',
    ð: 'd',
    ø: 'o',
    ł: 'l',
    ß: 's',
    æ: 'a',
    œ: 'o',
    þ: 't',
    ħ: 'h',
    ı: 'i',
  }),
);

export interface Characters {
  classOf: Uint8Array;
  /** Lower case, one unit per unit. Digits become `0`. */
  lower: Uint16Array;
  /** Like `lower`, but without accents; 0 for a combining mark, which is skipped. */
  folded: Uint16Array;
}

let tables: Characters | undefined;

/** Returns the tables (320 KiB). They are created on first use, in about ten milliseconds. */
export function characters(): Characters {
  tables ??= build();
  return tables;
}

function build(): Characters {
  const classOf = new Uint8Array(UNITS);
  const lower = new Uint16Array(UNITS);
  const folded = new Uint16Array(UNITS);
  for (let unit = 0; unit < UNITS; unit++) {
    const character = String.fromCharCode(unit);
    classOf[unit] = classify(character, unit);
    if (classOf[unit] === DIGIT) {
      lower[unit] = folded[unit] = 0x30;
      continue;
    }
    const small = character.toLowerCase();
    lower[unit] = small.length === 1 ? small.charCodeAt(0) : unit;
    folded[unit] = lower[unit]!;
    if (unit > 0x7f && unit < 0x2000) {
      const bare = unjoined.get(small) ?? small.normalize('NFD')[0]!;
      folded[unit] = /\p{M}/u.test(character) ? 0 : bare.charCodeAt(0);
    }
  }
  return { classOf, lower, folded };
}

function classify(character: string, unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(character)) return NEWLINE;
  // Zero-width characters and soft hyphens do not separate words and have no meaning in words.
  if (/[\s\u200b\ufeff]/.test(character)) return SPACE;
  if (/\p{Nd}/u.test(character)) return DIGIT;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return UPPER;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/\p{L}|\p{M}/u.test(character)) return LETTER;
  return SYMBOL;
}
