import {
  characters,
  DIGIT,
  LETTER,
  LOWER,
  NEWLINE,
  SPACE,
  SURROGATE,
  SYMBOL,
  UPPER,
} from './characters.ts';
import type { Gazetteer } from './gazetteer.ts';
import { isName, nameOf } from './stems.ts';

/**
 * Maximum number of tokens per segment. Longer texts are divided at the end of a line or sentence.
 */
export const SEGMENT_TOKENS = 1024;
/** Number of empty places before and after the tokens, so that neighbours need no bounds check. */
export const PAD = 4;
/**
 * Maximum length of a token. Longer runs of letters and digits are divided: no word is that long,
 * and the work per token stays limited.
 */
const TOKEN_UNITS = 40;

/** Maximum number of groups of three letters of a token. */
export const GRAMS = 6;

/** The kinds of white space before a token. */
export const gaps = { none: 0, space: 1, wide: 2, line: 3, blankLine: 4, start: 5 } as const;

/** The shape of a token. Symbols and digits have higher values, by character and length. */
export const shapes = {
  pad: 0,
  lower: 1,
  upper: 2,
  initial: 3,
  title: 4,
  mixed: 5,
  uncased: 6,
  digitsThenLetters: 7,
  lettersThenDigits: 8,
  digits: 10,
  symbol: 32,
} as const;

/** The contents of the run without white space that contains a token. */
const chunks = { at: 1, slash: 2, digit: 4, inner: 8, code: 16 } as const;

/**
 * The tokens of a range of text, in columns. A token is a word (letters, digits, inner
 * apostrophes), a number or a single symbol. All data for features are integers, so that no strings
 * are created.
 */
export class TaggerSegment {
  count = 0;
  readonly start = column();
  readonly end = column();
  /** The hash of the word in lower case, with digits as 0. */
  readonly word = column();
  readonly suffix2 = column();
  readonly suffix3 = column();
  readonly suffix4 = column();
  readonly prefix2 = column();
  readonly prefix3 = column();
  readonly prefix4 = column();
  /** The hashes of the groups of three letters inside a word, `GRAMS` for each token; 0 for none. */
  readonly grams = new Int32Array((SEGMENT_TOKENS + 2 * PAD) * GRAMS);
  readonly shape = column();
  readonly script = column();
  readonly length = column();
  readonly gazetteer = column();
  readonly gap = column();
  readonly chunk = column();
  private readonly units = new Uint16Array(TOKEN_UNITS);

  /**
   * Fills the segment with the tokens of `text` from `from`. Returns the start of the next segment,
   * or `text.length` at the end.
   */
  read(text: string, from: number, gazetteer: Gazetteer): number {
    const { classOf } = characters();
    let at = from;
    let gap: number = gaps.start;
    let cut = -1;
    let cutTokens = 0;
    let chunkStart = PAD;
    let chunk = 0;
    this.count = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      const kind = classOf[unit]!;
      if (kind === SPACE || kind === NEWLINE) {
        const before = gap;
        gap = kind === NEWLINE ? afterNewline(text, at, gap) : afterSpace(unit, gap);
        if (before === gaps.none) {
          this.closeChunk(chunkStart, chunk);
          chunkStart = PAD + this.count;
          chunk = 0;
        }
        at++;
        continue;
      }
      if (this.count === SEGMENT_TOKENS) {
        const next = cutTokens > SEGMENT_TOKENS / 2 ? cut : at;
        if (next === cut) this.count = cutTokens;
        this.closeChunk(chunkStart, chunk);
        this.pad();
        return next;
      }
      const ended = this.count > 0 && endsSentence(text, this.end[PAD + this.count - 1]! - 1);
      if (gap >= gaps.line || (gap !== gaps.none && ended)) {
        cut = at;
        cutTokens = this.count;
      }
      const end = kind === SYMBOL ? at + 1 : this.endOfToken(text, at, kind);
      if (unit === 0x40) chunk |= chunks.at;
      else if (unit === 0x2f) chunk |= chunks.slash;
      else if (kind === DIGIT) chunk |= chunks.digit;
      else if (isCode(unit)) chunk |= chunks.code;
      this.put(text, at, end, kind, gap, gazetteer);
      gap = gaps.none;
      at = end;
    }
    this.closeChunk(chunkStart, chunk);
    this.pad();
    return text.length;
  }

  private closeChunk(from: number, chunk: number): void {
    const to = PAD + this.count;
    const inner = to - from > 1 ? chunks.inner : 0;
    for (let place = from; place < to; place++) this.chunk[place] = chunk | inner;
  }

  private pad(): void {
    for (let place = 0; place < PAD; place++) {
      for (const at of [place, PAD + this.count + place]) {
        this.word[at] = place + 1;
        this.shape[at] = shapes.pad;
        this.gap[at] = gaps.start;
        this.gazetteer[at] = this.script[at] = this.length[at] = this.chunk[at] = 0;
        this.suffix2[at] = this.suffix3[at] = this.suffix4[at] = 0;
        this.prefix2[at] = this.prefix3[at] = this.prefix4[at] = 0;
      }
    }
  }

  /** Returns the end of the word, number or surrogate pair that starts at `at`. */
  private endOfToken(text: string, at: number, kind: number): number {
    const { classOf } = characters();
    const limit = Math.min(text.length, at + TOKEN_UNITS);
    let end = at + 1;
    if (kind === SURROGATE) {
      const paired = end < limit && classOf[text.charCodeAt(end)] === SURROGATE;
      return paired ? end + 1 : end;
    }
    while (end < limit) {
      const unit = text.charCodeAt(end);
      if (isWord(classOf[unit]!)) end++;
      else if (isApostrophe(unit) && end > at && joins(text, end, limit)) end++;
      else break;
    }
    return end;
  }

  private put(
    text: string,
    start: number,
    end: number,
    kind: number,
    gap: number,
    gazetteer: Gazetteer,
  ): void {
    const { classOf, lower, folded } = characters();
    const place = PAD + this.count++;
    this.start[place] = start;
    this.end[place] = end;
    this.gap[place] = gap;
    const length = end - start;
    this.length[place] = length;
    let word = 0x811c9dc5 | 0;
    let fold = 0x811c9dc5 | 0;
    let stem = fold;
    let uppers = 0;
    let lowers = 0;
    let digits = 0;
    let script = 0;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(start + at);
      const small = lower[unit]!;
      this.units[at] = small;
      word = Math.imul(word ^ small, 0x01000193);
      const bare = folded[unit]!;
      if (bare !== 0) {
        stem = fold;
        fold = Math.imul(fold ^ bare, 0x01000193);
      }
      const unitKind = classOf[unit]!;
      if (unitKind === LOWER) lowers++;
      else if (unitKind === UPPER) uppers++;
      else if (unitKind === DIGIT) digits++;
      if (unit > 0x7f) script = Math.max(script, scriptOf(unit));
    }
    this.word[place] = word;
    this.script[place] = script;
    this.suffix2[place] = this.tail(length, 2);
    this.suffix3[place] = this.tail(length, 3);
    this.suffix4[place] = this.tail(length, 4);
    this.prefix2[place] = this.head(length, 2);
    this.prefix3[place] = this.head(length, 3);
    this.prefix4[place] = this.head(length, 4);
    for (let at = 0; at < GRAMS; at++) {
      this.grams[place * GRAMS + at] = at + 5 <= length ? this.group(at + 1) : 0;
    }
    const symbol = kind === SYMBOL || kind === SURROGATE;
    const isWritten = !symbol && digits < length;
    const mask = isWritten ? gazetteer.maskOf(fold) : 0;
    this.gazetteer[place] =
      isWritten && mask === 0 && uppers > 0 ? nameOf(this.units, length, stem, gazetteer) : mask;
    this.shape[place] = symbol
      ? shapes.symbol + (text.charCodeAt(start) & 0x3ff)
      : shapeOf(text, start, length, uppers, lowers, digits);
  }

  /** Whether a capitalised word is in a list of names, and in no list of other words. */
  isListedName(token: number): boolean {
    const mask = this.gazetteer[PAD + token]!;
    const shape = this.shape[PAD + token]!;
    return isName(mask) && shape >= shapes.upper && shape <= shapes.mixed;
  }

  private tail(length: number, size: number): number {
    let hash = size;
    for (let at = Math.max(0, length - size); at < length; at++) {
      hash = Math.imul(hash ^ this.units[at]!, 0x01000193);
    }
    return hash;
  }

  private group(at: number): number {
    let hash = 32;
    for (let unit = at; unit < at + 3; unit++) {
      hash = Math.imul(hash ^ this.units[unit]!, 0x01000193);
    }
    return hash;
  }

  private head(length: number, size: number): number {
    let hash = size + 16;
    for (let at = 0; at < Math.min(size, length); at++) {
      hash = Math.imul(hash ^ this.units[at]!, 0x01000193);
    }
    return hash;
  }
}

/** Returns the hash of a word in the gazetteer, which is the hash of its folded form. */
export function foldedHash(word: string): number {
  const { folded } = characters();
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < word.length; at++) {
    const bare = folded[word.charCodeAt(at)]!;
    if (bare !== 0) hash = Math.imul(hash ^ bare, 0x01000193);
  }
  return hash;
}

function column(): Int32Array {
  return new Int32Array(SEGMENT_TOKENS + 2 * PAD);
}

function isWord(kind: number): boolean {
  return kind >= LOWER && kind <= DIGIT;
}

/**
 * Whether a character occurs inside words in source code and markup, but not in natural language: =
 * _ { } < > \ ` $
 */
export function isCode(unit: number): boolean {
  return (
    unit === 0x3d ||
    unit === 0x5f ||
    unit === 0x7b ||
    unit === 0x7d ||
    unit === 0x3c ||
    unit === 0x3e ||
    unit === 0x5c ||
    unit === 0x60 ||
    unit === 0x24
  );
}

function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}

/** Whether the apostrophe at `at` is inside a word: letters follow, other than a possessive s. */
function joins(text: string, at: number, limit: number): boolean {
  const { classOf } = characters();
  let letters = 0;
  while (at + 1 + letters < limit && letters < 2) {
    const kind = classOf[text.charCodeAt(at + 1 + letters)]!;
    if (kind < LOWER || kind > LETTER) break;
    letters++;
  }
  return letters === 2 || (letters === 1 && (text.charCodeAt(at + 1) | 0x20) !== 0x73);
}

function afterNewline(text: string, at: number, gap: number): number {
  if (gap === gaps.start) return gap;
  const pair = text.charCodeAt(at) === 0x0a && at > 0 && text.charCodeAt(at - 1) === 0x0d;
  if (pair) return gap;
  return gap >= gaps.line ? gaps.blankLine : gaps.line;
}

function afterSpace(unit: number, gap: number): number {
  if (gap >= gaps.line) return gap;
  return unit === 0x09 || gap !== gaps.none ? gaps.wide : gaps.space;
}

function endsSentence(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 0x2e || unit === 0x21 || unit === 0x3f || unit === 0x3b;
}

/** Returns 1 for Latin beyond ASCII, 2 for Greek, 3 for Cyrillic, 4 for other scripts. */
function scriptOf(unit: number): number {
  if (unit < 0x250) return 1;
  if (unit >= 0x370 && unit < 0x400) return 2;
  if (unit >= 0x400 && unit < 0x530) return 3;
  return unit >= 0x1e00 && unit < 0x1f00 ? 1 : 4;
}

function shapeOf(
  text: string,
  start: number,
  length: number,
  uppers: number,
  lowers: number,
  digits: number,
): number {
  if (digits === length) return shapes.digits + Math.min(length, 12);
  const { classOf } = characters();
  const first = classOf[text.charCodeAt(start)]!;
  if (digits > 0) return first === DIGIT ? shapes.digitsThenLetters : shapes.lettersThenDigits;
  if (uppers === 0) return lowers > 0 ? shapes.lower : shapes.uncased;
  if (uppers === 1 && length === 1) return shapes.initial;
  if (lowers === 0) return shapes.upper;
  return uppers === 1 && first === UPPER ? shapes.title : shapes.mixed;
}
