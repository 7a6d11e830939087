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
import { foldText } from '../matching/canonical.ts';
import { createMatcher, isSoughtEverywhere, type SoughtValue } from '../matching/matcher.ts';
import { createDoubtTest, type FoundValue } from './doubtful-values.ts';
import { type NameParts, partsOfName } from './names.ts';
import { createOtherForms } from './other-forms.ts';
import type { Usage } from './usage.ts';
import { addressWords, calendarWords, foldWord, germanWords } from './words.ts';

/** The place of a match. */
export interface SoughtMatch {
  start: number;
  end: number;
  type: FoundType;
  score: number;
  /** Whether the value may legitimately occur elsewhere. */
  here: boolean;
}

export interface ValueSearch {
  /** Returns all matches in a text, in order and without overlap. */
  find(text: string): SoughtMatch[];
  /** Whether a value is removed only where it was found. */
  isDoubtful(value: FoundValue): boolean;
  /** Returns the parts of a value that must not occur in the output. */
  partsOf(value: FoundValue): string[];
  /** All values that must not occur in the output. */
  claims: readonly SoughtValue[];
}

interface Part {
  type: FoundType;
  score: number;
  initials: Set<string>;
  /** Whether the part is an ordinary word, or too short to be searched for alone. */
  isWeak: boolean;
  /**
   * Whether the part is usually the name of something else, so that a capital does not indicate a
   * person.
   */
  isOtherName: boolean;
}

const wordPattern = /\p{L}[\p{L}\p{M}]*/gu;
/** Minimum length of a part. Shorter parts are matched only in context. */
const minPartLength = 3;
const minGenitiveLength = 4;

/**
 * Creates a search for the values found in a document. It is linear in the length of the text, for
 * any number of values.
 * @param usage usage of the words of names, recorded from all texts of the document
 */
export function createValueSearch(
  found: readonly FoundValue[],
  usage: Usage,
  allowList: readonly string[] = [],
): ValueSearch {
  const { isOrdinary, isOtherName } = usage;
  const allowed = new Set(allowList.map(foldText));
  const isDoubtful = createDoubtTest(found, usage);
  const parts = new Map<string, Part>();
  const sought: FoundValue[] = [];
  for (const finding of found) {
    if (!isDoubtful(finding)) sought.push(finding);
    if (finding.type === 'PERSON' && (!isDoubtful(finding) || isOrdinary(finding.value))) {
      addParts(parts, finding, partsOfName(finding.value), { isOrdinary, isOtherName, allowed });
    }
  }
  for (const [word, { type, score, isWeak }] of parts) {
    if (!isWeak) sought.push(...formsOf(word).map((value) => ({ type, score, value })));
  }
  const matcher = createMatcher(sought);
  const strongParts = [...parts].filter(([, { isWeak }]) => !isWeak).map(([word]) => word);
  const otherForms = createOtherForms(sought, strongParts, isOrdinary);
  const partsByLowerCase = new Map<string, Part>();
  for (const [word, part] of parts) partsByLowerCase.set(word.toLowerCase(), part);

  return {
    isDoubtful,
    partsOf(one) {
      if (one.type !== 'PERSON' || isDoubtful(one)) return [];
      const keys = partsOfName(one.value).words.map(keyOf);
      return keys.filter((key) => parts.get(key)?.isWeak === false).flatMap(formsOf);
    },
    claims: sought.map(({ type, value }) => ({ type, value })),
    find(text) {
      const hits = matcher.find(text).map(({ start, end, value }): SoughtMatch => {
        const { type, score } = sought[value] ?? { type: 'PERSON', score: 1 };
        return { start, end, type, score, here: false };
      });
      const others = otherForms(text).map((form): SoughtMatch => ({ ...form, here: true }));
      if (partsByLowerCase.size === 0) return mergeOverlaps([...hits, ...others]);
      return mergeOverlaps([
        ...[...hits, ...matchParts(text, partsByLowerCase)].map((hit) =>
          withInitials(hit, text, partsByLowerCase),
        ),
        ...others,
      ]);
    },
  };
}

function addParts(
  parts: Map<string, Part>,
  { type, score }: FoundValue,
  { words, initials }: NameParts,
  usage: Pick<Usage, 'isOrdinary' | 'isOtherName'> & { allowed: ReadonlySet<string> },
): void {
  for (const word of words) {
    if (usage.allowed.has(foldText(word))) continue;
    const key = keyOf(word);
    const existing = parts.get(key);
    const isWeak = word.length < minPartLength || usage.isOrdinary(word);
    parts.set(key, {
      type,
      score: Math.max(score, existing?.score ?? 0),
      initials: new Set([...(existing?.initials ?? []), ...initials]),
      isWeak,
      isOtherName: usage.isOtherName(word),
    });
  }
}

/**
 * Returns the key of a word. Names in capitals have the same key as names with an initial capital.
 */
function keyOf(word: string): string {
  const isInCapitals = word.length > 1 && word === word.toUpperCase();
  return isInCapitals ? word.slice(0, 1) + word.slice(1).toLowerCase() : word;
}

/** Returns a part and its German genitive. */
function formsOf(word: string): string[] {
  const hasGenitive =
    word.length >= minGenitiveLength && !/[sxzß]$/u.test(word) && !hasNoCase(word);
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
function matchParts(text: string, parts: ReadonlyMap<string, Part>): SoughtMatch[] {
  const tokens = [...text.matchAll(wordPattern)].map(({ 0: word, index }): Token => {
    return { word, start: index, end: index + word.length };
  });
  return tokens.flatMap(({ word, start, end }, at): SoughtMatch[] => {
    const part = parts.get(word.toLowerCase());
    if (!part || (!isCapital(word) && !hasNoCase(word))) return [];
    if (!part.isWeak && isSoughtEverywhere(word)) return [];
    if (part.isWeak && !isEvidentName(text, tokens, at, parts)) return [];
    return [{ start, end, type: part.type, score: part.score, here: part.isWeak }];
  });
}

const isCapital = (word: string): boolean => word[0]?.toLowerCase() !== word[0];
const hasNoCase = (word: string): boolean => word.toLowerCase() === word.toUpperCase();

/** Number of words examined on either side of a word. */
const nearWords = 4;

/** Whether an ordinary word is evidently used as a name in this place. */
function isEvidentName(
  text: string,
  tokens: readonly Token[],
  at: number,
  parts: ReadonlyMap<string, Part>,
): boolean {
  const { word, start, end } = tokens[at]!;
  const [previous, next] = [tokens[at - 1], tokens[at + 1]];
  const gapBefore = previous ? text.slice(previous.end, start) : '';
  const gapAfter = next ? text.slice(end, next.start) : '';
  const isAdjacent = (gap: string): boolean =>
    /^[ \u00a0]?[.,]?[-–]?\s{0,2}$/u.test(gap) && gap !== '';
  if (previous && isAdjacent(gapBefore)) {
    if (addressWords.has(foldWord(previous.word)) && !/,/.test(gapBefore)) return true;
    if (belongsToName(previous.word, parts.get(word.toLowerCase()), parts, gapBefore)) return true;
  }
  if (next && isAdjacent(gapAfter)) {
    const gap = next.word.length === 1 ? text.slice(end, next.end + 1) : gapAfter;
    if (belongsToName(next.word, parts.get(word.toLowerCase()), parts, gap)) return true;
  }
  if (parts.get(word.toLowerCase())?.isOtherName) return false;
  if (/^['’]s\b/u.test(text.slice(end, end + 3)) && isMidSentence(text, start)) return true;
  return isOnlyCapital(text, tokens, at, parts);
}

/**
 * Whether a word beside a part is another part of a name, or an initial of a name with a full stop.
 */
function belongsToName(
  word: string,
  part: Part | undefined,
  parts: ReadonlyMap<string, Part>,
  gap: string,
): boolean {
  if (word.length === 1) {
    return gap.includes('.') && part?.initials.has(foldWord(word)) === true;
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
  if (calendarWords.has(foldWord(word)) || word === word.toUpperCase()) return false;
  if (!isMidSentence(text, start) || isGerman(tokens, at)) return false;
  if (!/^(?:['’]s\b|[,;:]?[ \n]\p{Ll}|[.!?](?:\s|$))/u.test(text.slice(end, end + 4))) return false;
  for (let near = at - nearWords; near <= at + nearWords; near += 1) {
    const other = tokens[near];
    if (!other || near === at || parts.has(other.word.toLowerCase())) continue;
    if (!isCapital(other.word) || other.word === 'I') continue;
    if (calendarWords.has(foldWord(other.word))) continue;
    // A capital at the start of a sentence does not indicate a noun.
    const [from, to] = near < at ? [other.start, start] : [end, other.start];
    if (near < at ? isMidSentence(text, other.start) : !/[.!?]/u.test(text.slice(from, to))) {
      return false;
    }
  }
  return true;
}

/** Number of surrounding words from which the language is determined. */
const languageWindow = 30;

/** Whether the words around a word are German. German capitalises all nouns. */
function isGerman(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(Math.max(0, at - languageWindow), at + languageWindow);
  const germanFound = near
    .map(({ word }) => word.toLowerCase())
    .filter((word) => germanWords.has(word));
  return new Set(germanFound).size >= 2;
}

/**
 * Extends a match of a part to adjacent initials: `J. Kleinhoevel`, `J.K. Kleinhoevel`,
 * `Kleinhoevel, J.`.
 */
function withInitials(
  hit: SoughtMatch,
  text: string,
  parts: ReadonlyMap<string, Part>,
): SoughtMatch {
  if (hit.type !== 'PERSON') return hit;
  const words = [...text.slice(hit.start, hit.end).matchAll(wordPattern)].map(([word]) => word);
  const matchedParts = [words[0], words.at(-1)].flatMap(
    (word) => parts.get(word?.toLowerCase() ?? '') ?? [],
  );
  if (matchedParts.length === 0) return hit;
  const isInitial = (letters: string): boolean =>
    [...letters.matchAll(/\p{Lu}/gu)].every(([letter]) =>
      matchedParts.some(({ initials }) => initials.size === 1 || initials.has(foldWord(letter))),
    );
  const initialsBefore = /(?<![\p{L}\p{N}.])(?:\p{Lu}\.[ \u00a0-]?){1,3}[ \u00a0]?$/u.exec(
    text.slice(Math.max(0, hit.start - 14), hit.start),
  );
  const initialsAfter =
    /^,[ \u00a0]?(?:\p{Lu}\.[ \u00a0-]?){0,2}\p{Lu}\.(?![ \u00a0]?\p{L}\p{Ll})/u.exec(
      text.slice(hit.end, hit.end + 14),
    );
  return {
    ...hit,
    start:
      initialsBefore && isInitial(initialsBefore[0])
        ? hit.start - initialsBefore[0].length
        : hit.start,
    end: initialsAfter && isInitial(initialsAfter[0]) ? hit.end + initialsAfter[0].length : hit.end,
  };
}

/**
 * Merges overlapping matches and returns the results in order. A merged match is claimed if any of
 * its matches is claimed.
 */
function mergeOverlaps(hits: readonly SoughtMatch[]): SoughtMatch[] {
  const merged: SoughtMatch[] = [];
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const hit of sorted) {
    const last = merged.at(-1);
    if (!last || hit.start >= last.end) merged.push({ ...hit });
    else {
      last.end = Math.max(last.end, hit.end);
      last.here &&= hit.here;
    }
  }
  return merged;
}
