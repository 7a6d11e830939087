import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { createAutomaton } from './aho-corasick.ts';
import {
  type CanonicalText,
  canonicalise,
  foldInParts,
  foldText,
  gapLength,
  lineGap,
} from './canonical.ts';
import { type ByteForm, byteForms, reversedForms, textForms } from './forms.ts';
import { vocabulary } from './vocabulary.ts';

/*
 * Defines which values are searched for everywhere, and what counts as a match.
 *
 * 1. A value must have at least 5 letters and digits, or 3 in scripts without spaces (Han, Kana,
 *    Thai). Shorter values (a first name of 4 letters, an age) occur by chance in too many places.
 *    For them, only the checks by position apply: no glyph and no recognised text may remain in a
 *    region.
 * 2. Case, accents, ligatures, width and all characters between letters and digits are ignored:
 *    (030) 1234-567 equals 0301234567. However, a word with a capital does not match the same word
 *    in lower case on a page (Brown, brown), where it is a different word.
 * 3. A match starts and ends at the edges of a word or number: Mark is not in Marketing, 12345 is
 *    not in 7123456. The boundary between a letter and a digit is also an edge.
 * 4. Gaps that the value does not have are allowed only where a chance match is unlikely: up to 3
 *    characters on one line in values of 9 or more letters and digits, any gap in values of 12 or
 *    more, and single spaces between all letters of a word.
 * 5. In content that no page shows (names, metadata, programs), a value is also searched for
 *    reversed, in hexadecimal, base64, percent encoding and XML references; see `forms.ts`. Values
 *    that consist only of words used by fonts, profiles and PDF itself are skipped there; see
 *    `vocabulary`.
 * 6. In binary data, a value must have at least 8 characters, or 9 for numbers. Shorter values
 *    occur by chance in a large file.
 */

/** A value that must not occur. */
export interface SoughtValue {
  type: FoundType;
  value: string;
}

/** An occurrence of a value in a text. Offsets are in UTF-16 units, and the end is exclusive. */
interface ValueMatch {
  start: number;
  end: number;
  /** The index of the value in the list of values. */
  value: number;
}

/** Searches for all values in one pass, in time linear in the input. */
export interface Matcher {
  /** Returns all matches in visible text. Matches may overlap. */
  find(text: string): ValueMatch[];
  /**
   * Returns the first value found in visible text, as it is or reversed; undefined if no value is
   * found.
   */
  inText(text: string): SoughtValue | undefined;
}

/**
 * Also searches content that no page shows, and finds encodings that do not preserve a value's
 * letters.
 */
export interface DeepMatcher extends Matcher {
  /**
   * Returns a value found, in any encoding, in text that no page shows (names, properties,
   * metadata).
   */
  inHiddenText(text: string): SoughtValue | undefined;
  /** Returns a value found, in any encoding, in binary data. */
  inBytes(bytes: Uint8Array): SoughtValue | undefined;
}

const minUnits = 5;
const minUnspaced = 3;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a value is searched for everywhere, as opposed to only where it was removed. */
export function isSoughtEverywhere(value: string): boolean {
  const units = foldText(value);
  return units.length >= (unspacedScript.test(units) ? minUnspaced : minUnits);
}

type Pattern = {
  value: number;
  units: string;
  isEncoded: boolean;
  /** For each unit, whether the value itself has a gap before it. */
  gaps: Uint8Array;
};

/** Creates a matcher for visible text. It needs a fiftieth of the memory of a deep matcher. */
export function createMatcher(values: readonly SoughtValue[]): Matcher {
  const { find, inText } = createDeepMatcher(values, false);
  return { find, inText };
}

/** Maximum number of values per deep matcher. All encodings of a value take about 100 KiB. */
const maxValuesPerMatcher = 2000;

/**
 * Yields deep matchers that together cover all values. They are created one after the other,
 * because all of them may not fit into memory. Yields at least one, so that the checks also run
 * without values.
 */
export function* deepMatchers(values: readonly SoughtValue[]): Generator<DeepMatcher> {
  const unique = [...new Map(values.map((value) => [value.value, value])).values()];
  let at = 0;
  do {
    yield createDeepMatcher(unique.slice(at, at + maxValuesPerMatcher), true);
    at += maxValuesPerMatcher;
  } while (at < unique.length);
}

function createDeepMatcher(values: readonly SoughtValue[], encodings: boolean): DeepMatcher {
  const patterns: Pattern[] = [];
  const bytePatterns: ({ value: number } & ByteForm)[] = [];
  const isVocabulary: boolean[] = [];
  const isCapitalised: boolean[] = [];
  const knownKeys = new Set<string>();
  values.forEach(({ value }, index) => {
    const { gaps } = canonicalise(value);
    const units = foldText(value);
    isVocabulary.push(
      value.split(/[^\p{L}\p{N}]+/u).every((word) => word === '' || vocabulary.has(foldText(word))),
    );
    isCapitalised.push(/^[^\p{L}\p{N}]*\p{Lu}\p{L}*[^\p{L}\p{N}]*$/u.test(value));
    const key = `${units}/${isCapitalised[index]}/${gaps.map((gap) => Math.min(gap, 1)).join('')}`;
    if (!isSoughtEverywhere(value) || knownKeys.has(key)) return;
    knownKeys.add(key);
    patterns.push({ value: index, units, isEncoded: false, gaps });
    for (const form of encodings ? textForms(value) : reversedForms(value)) {
      patterns.push({ value: index, units: form, isEncoded: true, gaps });
    }
    if (encodings && !isVocabulary[index]) {
      for (const form of byteForms(value)) bytePatterns.push({ value: index, ...form });
    }
  });
  // Values that differ only in case or gaps have the same units. All of them are tried at each
  // match.
  const byUnits = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const group = byUnits.get(pattern.units);
    if (group) group.push(pattern);
    else byUnits.set(pattern.units, [pattern]);
  }
  const groups = [...byUnits.values()];
  const unitAutomaton = createAutomaton([...byUnits.keys()]);
  const byteAutomaton = createAutomaton(bytePatterns.map(({ form }) => form));
  const longestForm = bytePatterns.reduce((max, { form }) => Math.max(max, form.length), 0);

  /** Calls `onMatch` for each match, and stops when it returns true. */
  function scan(text: string, onMatch: (pattern: Pattern, hit: ValueMatch) => boolean): void {
    const folded = canonicalise(text);
    unitAutomaton.scan(folded.units, (group, to) =>
      (groups[group] ?? []).some((pattern) => {
        const from = to - pattern.units.length;
        if (!pattern.isEncoded && !isWholeMatch(folded, from, to, pattern)) return false;
        const start = folded.starts[from] ?? 0;
        const last = folded.starts[to - 1] ?? start;
        const end = last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
        return onMatch(pattern, { start, end, value: pattern.value });
      }),
    );
  }

  const isLowerCaseWord = (text: string, { start, end, value }: ValueMatch): boolean =>
    isCapitalised[value] === true && isLowerCase(text.slice(start, end));

  return {
    find(text) {
      const hits: ValueMatch[] = [];
      scan(text, (pattern, hit) => {
        if (!pattern.isEncoded && !isLowerCaseWord(text, hit)) hits.push(hit);
        return false;
      });
      return hits;
    },
    inText(text) {
      let sought: SoughtValue | undefined;
      scan(text, (pattern, hit) => {
        if (pattern.isEncoded || !isLowerCaseWord(text, hit)) sought = values[hit.value];
        return sought !== undefined;
      });
      return sought;
    },
    inHiddenText(text) {
      let sought: SoughtValue | undefined;
      for (const reading of new Set([text, decodeReferences(text)])) {
        scan(reading, (_, { value }) => {
          if (!isVocabulary[value]) sought = values[value];
          return sought !== undefined;
        });
        if (sought) break;
      }
      return sought;
    },
    inBytes(bytes) {
      let sought: SoughtValue | undefined;
      const search = (isDense: boolean): void => {
        for (const { folded, isFirst, isLast } of foldInParts(bytes, longestForm + 2, isDense)) {
          byteAutomaton.scan(folded, (pattern, end) => {
            const entry = bytePatterns[pattern];
            if (!entry) return false;
            const start = end - entry.form.length;
            // At the edge of a part, the neighbouring bytes are unknown. The adjacent part contains
            // them.
            if ((start === 0 && !isFirst) || (end === folded.length && !isLast)) return false;
            if (entry.isSpelt && !isDense && isPartOfWord(folded, start, end)) return false;
            sought = values[entry.value];
            return sought !== undefined;
          });
          if (sought) return;
        }
      };
      if (bytePatterns.length === 0) return undefined;
      search(false);
      // Without its zero bytes, UTF-16 text is found in either byte order.
      if (!sought && bytes.includes(0)) search(true);
      return sought;
    },
  };
}

/**
 * Whether a match is part of a longer word, because a letter precedes or follows it. Not applicable
 * to UTF-16 text, where the neighbouring bytes do not show this.
 */
function isPartOfWord(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    (isLetter(bytes[start - 1]) && isLetter(bytes[start])) ||
    (isLetter(bytes[end]) && isLetter(bytes[end - 1]))
  );
}

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x61 && byte <= 0x7a;

const isLowerCase = (text: string): boolean =>
  text === text.toLowerCase() && text !== text.toUpperCase();

const isDigit = (unit: number | undefined): boolean =>
  unit !== undefined && unit >= 0x30 && unit <= 0x39;

/** Whether a word or number may start between two units. */
function isEdge({ units, gaps }: CanonicalText, at: number): boolean {
  if (at <= 0 || at >= units.length || gaps[at] !== 0) return true;
  const [before, after] = [units[at - 1], units[at]];
  if (isDigit(before) !== isDigit(after)) return true;
  return isUnspaced(before) || isUnspaced(after);
}

const isUnspaced = (unit = 0): boolean =>
  unit >= 0x0e00 && unspacedScript.test(String.fromCharCode(unit));

/** Whether a match satisfies rules 3 and 4. */
function isWholeMatch(text: CanonicalText, from: number, to: number, pattern: Pattern): boolean {
  if (!isEdge(text, from) || !isEdge(text, to)) return false;
  const length = to - from;
  let extraGaps = 0;
  let widest = 0;
  let spaces = 0;
  let hasLineEnd = false;
  for (let at = from + 1; at < to; at += 1) {
    const gap = text.gaps[at] ?? 0;
    if (gap === 0) continue;
    const width = gap & gapLength;
    if (width > maxGapWidth) return false;
    if (width === 1) spaces += 1;
    if ((pattern.gaps[at - from] ?? 0) > 0) continue;
    extraGaps += 1;
    widest = Math.max(widest, width);
    if ((gap & lineGap) !== 0) hasLineEnd = true;
  }
  if (extraGaps === 0 || length >= 12) return true;
  if (length >= 9 && widest <= 3 && !hasLineEnd) return true;
  return spaces === length - 1 && !/\d/.test(pattern.units);
}

const maxGapWidth = 8;

/** Decodes XML character references, percent encoding and JSON escapes. */
function decodeReferences(text: string): string {
  if (!/[&%\\]/.test(text)) return text;
  return text
    .replace(/&#(x[0-9a-f]{1,6}|[0-9]{1,7});/gi, (whole, digits: string) => {
      const isHex = digits[0] === 'x' || digits[0] === 'X';
      const code = isHex ? Number.parseInt(digits.slice(1), 16) : Number(digits);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/(?:%[0-9a-f]{2})+/gi, (escaped) =>
      Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}
