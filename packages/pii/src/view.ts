import { fieldEnds } from './csv-rows.ts';

/**
 * A text in the form that recognisers read. Full-width letters, digits of other scripts, spaces and
 * dashes of all kinds except tabs are replaced with their ASCII equivalents. Zero-width characters
 * are removed.
 */
export interface TextView {
  text: string;
  /** The same text, character by character, in lower case without accents. For finding words. */
  lower: string;
  /** Whether the text was recognised in a picture. */
  recognised: boolean;
  /**
   * The positions at which rows of comma-separated values divide their fields. `text` has tabs
   * there.
   */
  fieldEnds: readonly number[];
  /** Returns the position in the original text of a character of the view. */
  original(index: number): number;
}

/**
 * Creates a search whose result is cached per view, because it is needed for each value of the
 * view.
 */
export function oncePerView<T>(search: (view: TextView) => T): (view: TextView) => T {
  const cache = new WeakMap<TextView, T>();
  return (view) => {
    let result = cache.get(view);
    if (result === undefined) {
      result = search(view);
      cache.set(view, result);
    }
    return result;
  };
}

const removedUnit = 0xffff;
const spaces = /[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const hyphens = /[\u2010-\u2015\u2212\ufe58\ufe63]/;
const zeroWidth = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
/** The zero digits of other scripts in use, from Arabic to Thai. */
const zeros = [0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0e50];

function normaliseUnit(code: number): number {
  const char = String.fromCharCode(code);
  if (zeroWidth.test(char)) return removedUnit;
  // Cells and lines are kept separate: no value extends over a tab.
  if (code === 0x0a || code === 0x09) return code;
  if (spaces.test(char)) return 0x20;
  if (hyphens.test(char)) return 0x2d;
  if (code === 0xb4 || code === 0x2019) return 0x27;
  if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0;
  const zero = zeros.find((first) => code >= first && code < first + 10);
  return zero === undefined ? code : 0x30 + code - zero;
}

/**
 * Whether a code is a Hangul syllable, which decomposes into letters and not into a letter and
 * accents.
 */
const isSyllable = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;

/** Returns one UTF-16 unit in lower case without accents. */
function lowerUnit(code: number): number {
  if (isSyllable(code)) return code;
  const char = String.fromCharCode(code).toLowerCase();
  return (char.length === 1 ? char.normalize('NFD') : char).charCodeAt(0);
}

/** Cyrillic and Greek letters that look like Latin letters, and these Latin letters. */
const lookalikes = new Map(
  [...'АВЕКМНОРСТХЅІЈаеорсухіѕјΑΒΕΖΗΙΚΜΝΟΡΤΥΧο'].map((letter, at) => [
    letter.charCodeAt(0),
    'ABEKMHOPCTXSIJaeopcyxisjABEZHIKMNOPTYXo'.charCodeAt(at),
  ]),
);
const lookalike = new RegExp(
  `[${[...lookalikes.keys()].map((code) => String.fromCharCode(code)).join('')}]`,
);
const isLatin = (code: number): boolean =>
  code < 0x80 && /[A-Za-z0-9]/.test(String.fromCharCode(code));
const isWordCharacter = (code: number): boolean =>
  code < 0x80 ? isLatin(code) : /[\p{L}\p{N}]/u.test(String.fromCharCode(code));

/**
 * Replaces lookalike letters in words that mix them with Latin letters or digits, such as an IBAN
 * with a Cyrillic E. Words of one script are not changed.
 */
function normaliseLookalikes(units: Uint16Array, lower: Uint16Array): void {
  for (let start = 0; start < units.length; start += 1) {
    if (!isWordCharacter(units[start] ?? 0)) continue;
    let end = start;
    while (end < units.length && isWordCharacter(units[end] ?? 0)) end += 1;
    const word = units.subarray(start, end);
    const isMixed =
      word.some(isLatin) && word.every((code) => isLatin(code) || lookalikes.has(code));
    for (let at = start; at < end && isMixed; at += 1) {
      const latin = lookalikes.get(units[at] ?? 0);
      if (latin === undefined) continue;
      units[at] = latin;
      lower[at] = lowerUnit(latin);
    }
    start = end;
  }
}

const createTable = (convert: (code: number) => number) =>
  Uint16Array.from({ length: 0x10000 }, (_, code) => convert(code));
let tables: { plain: Uint16Array; lower: Uint16Array } | undefined;

function decode(units: Uint16Array): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}

export function textViewOf(original: string, recognised: boolean): TextView {
  tables ??= {
    plain: createTable(normaliseUnit),
    lower: createTable((code) => lowerUnit(normaliseUnit(code))),
  };
  const units = new Uint16Array(original.length);
  const lower = new Uint16Array(original.length);
  let length = 0;
  let positions: Uint32Array | null = null;
  for (let index = 0; index < original.length; index += 1) {
    const code = original.charCodeAt(index);
    const unit = tables.plain[code] ?? code;
    if (unit === removedUnit) {
      positions ??= Uint32Array.from({ length: original.length + 1 }, (_, at) => at);
      continue;
    }
    units[length] = unit;
    lower[length] = tables.lower[code] ?? unit;
    if (positions) positions[length] = index;
    length += 1;
  }
  if (lookalike.test(original)) {
    normaliseLookalikes(units.subarray(0, length), lower.subarray(0, length));
  }
  let text = decode(units.subarray(0, length));
  const ends = fieldEnds(text);
  for (const at of ends) {
    units[at] = 0x09;
    lower[at] = 0x09;
  }
  if (ends.length > 0) text = decode(units.subarray(0, length));
  return {
    text,
    lower: decode(lower.subarray(0, length)),
    recognised,
    fieldEnds: ends,
    original: (index) => positions?.[index] ?? index,
  };
}
