/*
 * The values that are searched for in the whole document. The same rules apply to PDF, pictures and
 * other files:
 *
 * 1. Every value that is not doubtful, with the matcher of the checks.
 * 2. The parts of people's names, such as `Mara` and `Kleinhoevel` for `Mara Kleinhoevel`, with
 *    their German genitive (`Kleinhoevels`) and with adjacent initials (`J. Kleinhoevel`).
 * 3. A part that is an ordinary word (`Brown`, `May`), but only where it is evidently a name: after
 *    a form of address, beside another part or an initial, as a possessive, or as the only
 *    capitalised word among words in lower case.
 * 4. Other forms of a value (`other-forms`): initials, account names, misspelt names, other house
 *    numbers on a street, numbers grouped differently.
 *
 * The checks search for 1 and 2 everywhere (`claims`). 3 and 4 may remain elsewhere, so their
 * removal is not claimed.
 */
import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { squeeze } from '../matching/canonical.ts';
import { createMatcher, isSoughtEverywhere, type Sought } from '../matching/matcher.ts';
import { createDoubt, type FoundValue } from './doubt.ts';
import { type NameParts, partsOfName } from './names.ts';
import { createOtherForms } from './other-forms.ts';
import type { Usage } from './usage.ts';
import { addressWords, calendarWords, foldedWord, germanWords } from './words.ts';

/** The place of a match. */
export interface SoughtHit {
  start: number;
  end: number;
  type: FoundType;
  score: number;
  /** Whether the value may legitimately occur elsewhere. */
  here: boolean;
}

export interface Seeker {
  /** Returns all matches in a text, in order and without overlap. */
  find(text: string): SoughtHit[];
  /** Whether a value is removed only where it was found. */
  isDoubtful(value: FoundValue): boolean;
  /** Returns the parts of a value that must not occur in the output. */
  partsOf(value: FoundValue): string[];
  /** All values that must not occur in the output. */
  claims: readonly Sought[];
}

interface Part {
  type: FoundType;
  score: number;
  initials: Set<string>;
  /** Whether the part is an ordinary word, or too short to be searched for alone. */
  weak: boolean;
  /**
   * Whether the part is usually the name of something else, so that a capital does not indicate a
   * person.
   */
  otherName: boolean;
}

const token = /\p{L}[\p{L}\p{M}]*/gu;
/** Minimum length of a part. Shorter parts are searched for by their context. */
const minStrong = 3;
const minGenitive = 4;

/**
 * Creates a search for the values found in a document. It is linear in the length of the text, for
 * any number of values.
 * @param usage usage of the words of names, recorded from all texts of the document
 */
export function createSeeker(
  found: readonly FoundValue[],
  usage: Usage,
  allowList: readonly string[] = [],
): Seeker {
  const { isOrdinary, isOtherName } = usage;
  const allowed = new Set(allowList.map(squeeze));
  const isDoubtful = createDoubt(found, usage);
  const parts = new Map<string, Part>();
  const sought: FoundValue[] = [];
  for (const one of found) {
    if (!isDoubtful(one)) sought.push(one);
    if (one.type === 'PERSON' && (!isDoubtful(one) || isOrdinary(one.value))) {
      addParts(parts, one, partsOfName(one.value), { isOrdinary, isOtherName, allowed });
    }
  }
  for (const [word, { type, score, weak }] of parts) {
    if (!weak) sought.push(...formsOf(word).map((value) => ({ type, score, value })));
  }
  const matcher = createMatcher(sought);
  const strong = [...parts].filter(([, { weak }]) => !weak).map(([word]) => word);
  const otherForms = createOtherForms(sought, strong, isOrdinary);
  const byFold = new Map<string, Part>();
  for (const [word, part] of parts) byFold.set(word.toLowerCase(), part);

  return {
    isDoubtful,
    partsOf(one) {
      if (one.type !== 'PERSON' || isDoubtful(one)) return [];
      const keys = partsOfName(one.value).words.map(keyOf);
      return keys.filter((key) => parts.get(key)?.weak === false).flatMap(formsOf);
    },
    claims: sought.map(({ type, value }) => ({ type, value })),
    find(text) {
      const hits = matcher.find(text).map(({ start, end, value }): SoughtHit => {
        const { type, score } = sought[value] ?? { type: 'PERSON', score: 1 };
        return { start, end, type, score, here: false };
      });
      const others = otherForms(text).map((form): SoughtHit => ({ ...form, here: true }));
      if (byFold.size === 0) return apart([...hits, ...others]);
      return apart([
        ...[...hits, ...partHits(text, byFold)].map((hit) => withInitials(hit, text, byFold)),
        ...others,
      ]);
    },
  };
}

function addParts(
  parts: Map<string, Part>,
  { type, score }: FoundValue,
  { words, initials }: NameParts,
  by: Pick<Usage, 'isOrdinary' | 'isOtherName'> & { allowed: ReadonlySet<string> },
): void {
  for (const word of words) {
    if (by.allowed.has(squeeze(word))) continue;
    const key = keyOf(word);
    const known = parts.get(key);
    const weak = word.length < minStrong || by.isOrdinary(word);
    parts.set(key, {
      type,
      score: Math.max(score, known?.score ?? 0),
      initials: new Set([...(known?.initials ?? []), ...initials]),
      weak,
      otherName: by.isOtherName(word),
    });
  }
}

/**
 * Returns the key of a word. Names in capitals have the same key as names with an initial capital.
 */
function keyOf(word: string): string {
  const inCapitals = word.length > 1 && word === word.toUpperCase();
  return inCapitals ? word.slice(0, 1) + word.slice(1).toLowerCase() : word;
}

/** Returns a part and its German genitive. */
function formsOf(word: string): string[] {
  const hasGenitive = word.length >= minGenitive && !/[sxzß]$/u.test(word) && !hasNoCase(word);
  return hasGenitive ? [word, `${word}s`] : [word];
}

interface Token {
  word: string;
  start: number;
  end: number;
}

/**
 * Finds the parts that the matcher does not search for: short parts, and ordinary words that are
 * used as names.
 */
function partHits(text: string, parts: ReadonlyMap<string, Part>): SoughtHit[] {
  const tokens = [...text.matchAll(token)].map(({ 0: word, index }): Token => {
    return { word, start: index, end: index + word.length };
  });
  return tokens.flatMap(({ word, start, end }, at): SoughtHit[] => {
    const part = parts.get(word.toLowerCase());
    if (!part || (!isCapital(word) && !hasNoCase(word))) return [];
    if (!part.weak && isSoughtEverywhere(word)) return [];
    if (part.weak && !isEvident(text, tokens, at, parts)) return [];
    return [{ start, end, type: part.type, score: part.score, here: part.weak }];
  });
}

const isCapital = (word: string): boolean => word[0]?.toLowerCase() !== word[0];
const hasNoCase = (word: string): boolean => word.toLowerCase() === word.toUpperCase();

/** Number of words examined on either side of a word. */
const around = 4;

/** Whether an ordinary word is evidently used as a name in this place. */
function isEvident(
  text: string,
  tokens: readonly Token[],
  at: number,
  parts: ReadonlyMap<string, Part>,
): boolean {
  const { word, start, end } = tokens[at]!;
  const [before, behind] = [tokens[at - 1], tokens[at + 1]];
  const gapBefore = before ? text.slice(before.end, start) : '';
  const gapBehind = behind ? text.slice(end, behind.start) : '';
  const beside = (gap: string): boolean => /^[ \u00a0]?[.,]?[-–]?\s{0,2}$/u.test(gap) && gap !== '';
  if (before && beside(gapBefore)) {
    if (addressWords.has(foldedWord(before.word)) && !/,/.test(gapBefore)) return true;
    if (isOwn(before.word, parts.get(word.toLowerCase()), parts, gapBefore)) return true;
  }
  if (behind && beside(gapBehind)) {
    const gap = behind.word.length === 1 ? text.slice(end, behind.end + 1) : gapBehind;
    if (isOwn(behind.word, parts.get(word.toLowerCase()), parts, gap)) return true;
  }
  if (parts.get(word.toLowerCase())?.otherName) return false;
  if (/^['’]s\b/u.test(text.slice(end, end + 3)) && isMidSentence(text, start)) return true;
  return isOnlyCapital(text, tokens, at, parts);
}

/**
 * Whether a word beside a part is another part of a name, or an initial of a name with a full stop.
 */
function isOwn(
  word: string,
  part: Part | undefined,
  parts: ReadonlyMap<string, Part>,
  gap: string,
): boolean {
  if (word.length === 1) {
    return gap.includes('.') && part?.initials.has(foldedWord(word)) === true;
  }
  // A full stop ends the sentence.
  return isCapital(word) && !gap.includes('.') && parts.has(word.toLowerCase());
}

/** Whether a word follows another word of the same sentence. */
function isMidSentence(text: string, start: number): boolean {
  return /[\p{Ll}\p{N}],?[ \u00a0\n]$/u.test(text.slice(Math.max(0, start - 3), start));
}

/**
 * Whether a word is the only capitalised one among words in lower case, as in "the letter that
 * Stone sent us". This is not evidence in titles, or in languages that capitalise nouns.
 */
function isOnlyCapital(
  text: string,
  tokens: readonly Token[],
  at: number,
  parts: ReadonlyMap<string, Part>,
): boolean {
  const { word, start, end } = tokens[at]!;
  if (calendarWords.has(foldedWord(word)) || word === word.toUpperCase()) return false;
  if (!isMidSentence(text, start) || isGerman(tokens, at)) return false;
  if (!/^(?:['’]s\b|[,;:]?[ \n]\p{Ll}|[.!?](?:\s|$))/u.test(text.slice(end, end + 4))) return false;
  for (let near = at - around; near <= at + around; near += 1) {
    const other = tokens[near];
    if (!other || near === at || parts.has(other.word.toLowerCase())) continue;
    if (!isCapital(other.word) || other.word === 'I') continue;
    if (calendarWords.has(foldedWord(other.word))) continue;
    // A capital at the start of a sentence does not indicate a noun.
    const [from, to] = near < at ? [other.start, start] : [end, other.start];
    if (near < at ? isMidSentence(text, other.start) : !/[.!?]/u.test(text.slice(from, to))) {
      return false;
    }
  }
  return true;
}

/** Number of surrounding words from which the language is determined. */
const farAround = 30;

/** Whether the words around a word are German. German capitalises all nouns. */
function isGerman(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(Math.max(0, at - farAround), at + farAround);
  const known = near.map(({ word }) => word.toLowerCase()).filter((word) => germanWords.has(word));
  return new Set(known).size >= 2;
}

/**
 * Extends a match of a part to adjacent initials: `J. Kleinhoevel`, `J.K. Kleinhoevel`,
 * `Kleinhoevel, J.`.
 */
function withInitials(hit: SoughtHit, text: string, parts: ReadonlyMap<string, Part>): SoughtHit {
  if (hit.type !== 'PERSON') return hit;
  const words = [...text.slice(hit.start, hit.end).matchAll(token)].map(([word]) => word);
  const own = [words[0], words.at(-1)].flatMap(
    (word) => parts.get(word?.toLowerCase() ?? '') ?? [],
  );
  if (own.length === 0) return hit;
  const isInitial = (letters: string): boolean =>
    [...letters.matchAll(/\p{Lu}/gu)].every(([letter]) =>
      own.some(({ initials }) => initials.size === 1 || initials.has(foldedWord(letter))),
    );
  const before = /(?<![\p{L}\p{N}.])(?:\p{Lu}\.[ \u00a0-]?){1,3}[ \u00a0]?$/u.exec(
    text.slice(Math.max(0, hit.start - 14), hit.start),
  );
  const behind = /^,[ \u00a0]?(?:\p{Lu}\.[ \u00a0-]?){0,2}\p{Lu}\.(?![ \u00a0]?\p{L}\p{Ll})/u.exec(
    text.slice(hit.end, hit.end + 14),
  );
  return {
    ...hit,
    start: before && isInitial(before[0]) ? hit.start - before[0].length : hit.start,
    end: behind && isInitial(behind[0]) ? hit.end + behind[0].length : hit.end,
  };
}

/**
 * Merges overlapping matches and returns the results in order. A merged match is claimed if any of
 * its matches is claimed.
 */
function apart(hits: readonly SoughtHit[]): SoughtHit[] {
  const kept: SoughtHit[] = [];
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const hit of sorted) {
    const last = kept.at(-1);
    if (!last || hit.start >= last.end) kept.push({ ...hit });
    else {
      last.end = Math.max(last.end, hit.end);
      last.here &&= hit.here;
    }
  }
  return kept;
}
