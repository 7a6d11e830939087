import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { foldText } from '../matching/canonical.ts';
import { createMatcher } from '../matching/matcher.ts';
import type { FoundValue } from './doubtful-values.ts';
import { foldWord, namelessWords } from './words.ts';

/** The position of a different form of a found value. */
export interface OtherForm {
  start: number;
  end: number;
  type: FoundType;
  score: number;
}

const formScore = 0.6;
/** Minimum numbers of initials, letters and digits. Fewer occur by chance. */
const minInitials = 3;
const minAccountLetters = 4;
const minMisspeltLetters = 7;
const minStreetLetters = 6;
const minNumberDigits = 7;
const phoneSuffixDigits = 8;

/** Whether the digits of this type identify a person, in any grouping. */
const isIdentifier = (type: FoundType): boolean =>
  /^[A-Z]{2}_/.test(type) ||
  ['PASSPORT', 'DRIVER_LICENSE', 'NATIONAL_ID', 'PERSONAL_ID', 'CREDIT_CARD', 'IBAN_CODE'].includes(
    type,
  );

/**
 * Creates a search for other ways to write the values found in a document: initials of a person
 * (`M.J.K.`), account names that contain a part of a name (`mara1990`), misspelt or misread names
 * (`Kleinhovel`), other house numbers on the same street, and numbers grouped differently or
 * without a prefix.
 * @param found values that are not doubtful
 * @param names parts of names that are not ordinary words
 * @param isOrdinary whether a word of the document is an ordinary word
 */
export function createOtherForms(
  found: readonly FoundValue[],
  names: readonly string[],
  isOrdinary: (word: string) => boolean,
): (text: string) => OtherForm[] {
  const people = found.filter(({ type }) => type === 'PERSON').map(({ value }) => value);
  const searches = [
    initialsSearch(people),
    accountSearch(names, people),
    misspellingSearch(names, isOrdinary),
    streetSearch(found.filter(({ type }) => type === 'ADDRESS').map(({ value }) => value)),
    numberSearch(found),
  ];
  return (text) => searches.flatMap((search) => search(text));
}

type Search = (text: string) => OtherForm[];

const noMatches: Search = () => [];

function eachMatch(
  text: string,
  pattern: RegExp,
  typeOf: (match: string) => FoundType | undefined,
): OtherForm[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: match }) => {
    const type = typeOf(match);
    return type ? [{ start: index, end: index + match.length, type, score: formScore }] : [];
  });
}

/**
 * Searches for initials with full stops, for people with at least three names. The first initial
 * may be that of another first name: Babatunde A. C. signs as T.A.C. if she is called Tunde.
 */
function initialsSearch(people: readonly string[]): Search {
  const allInitials = people.map((person) =>
    [...person.matchAll(/\p{Lu}[\p{L}\p{M}]*/gu)]
      .map(([word]) => foldWord(word))
      .filter((word) => !namelessWords.has(word))
      .map((word) => word[0]!),
  );
  const firstInitials = new Set(allInitials.flat());
  const otherInitials = new Set(
    allInitials
      .filter(({ length }) => length >= minInitials)
      .map((initials) => initials.slice(1).join('')),
  );
  if (otherInitials.size === 0) return noMatches;
  const pattern = /(?<![\p{L}\p{N}.])(?:\p{Lu}\. ?){2,4}\p{Lu}\.(?![\p{L}\p{N}])/gu;
  return (text) =>
    eachMatch(text, pattern, (match) => {
      const [first, ...rest] = foldText(match);
      return firstInitials.has(first!) && otherInitials.has(rest.join('')) ? 'PERSON' : undefined;
    });
}

/**
 * Searches for account names: a part of a name with digits or `_` and optionally an initial before
 * it, or two parts joined.
 */
function accountSearch(names: readonly string[], people: readonly string[]): Search {
  // For example, `devries` for J. de Vries.
  const namesWithParticles = people.flatMap((person) =>
    [...person.matchAll(/(?:\p{Ll}{1,4} ){1,2}\p{Lu}[\p{L}\p{M}]+/gu)].map(([name]) => name),
  );
  const knownNames = new Set(
    [...names, ...namesWithParticles]
      .map(foldText)
      .filter((name) => name.length >= minAccountLetters),
  );
  const isName = (part: string): boolean =>
    knownNames.has(part) || (part.length > minMisspeltLetters && knownNames.has(part.slice(1)));
  if (knownNames.size === 0) return noMatches;
  const pattern =
    /(?<![\p{L}\p{N}@._-])[\p{Ll}\p{N}]{1,40}(?:[._-][\p{Ll}\p{N}]{1,40}){0,4}(?![\p{L}\p{N}@_-])/gu;
  return (text) =>
    eachMatch(text, pattern, (match) => {
      const hasSign = /[\p{N}_]/u.test(match);
      if (!hasSign && !/[.-]/.test(match)) return undefined;
      const parts = match.split(/[^\p{L}]+/u).filter((part) => isName(foldText(part)));
      return parts.length >= (hasSign ? 1 : 2) ? 'PERSON' : undefined;
    });
}

/**
 * Searches for words that differ from a name by one letter, by comparing both with each letter
 * omitted in turn.
 */
function misspellingSearch(
  names: readonly string[],
  isOrdinary: (word: string) => boolean,
): Search {
  const knownForms = new Set<string>();
  for (const name of names.map(foldText)) {
    if (name.length < minMisspeltLetters) continue;
    for (const form of withOneLetterOmitted(name)) knownForms.add(form);
  }
  if (knownForms.size === 0) return noMatches;
  const cache = new Map<string, boolean>();
  const pattern = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{5,39}(?![\p{L}\p{N}])/gu;
  return (text) =>
    eachMatch(text, pattern, (match) => {
      const word = foldText(match);
      let isMisspelling = cache.get(word);
      if (isMisspelling === undefined) {
        isMisspelling =
          word.length >= minMisspeltLetters - 1 &&
          !isOrdinary(match) &&
          withOneLetterOmitted(word).some((one) => knownForms.has(one));
        cache.set(word, isMisspelling);
      }
      return isMisspelling ? 'PERSON' : undefined;
    });
}

/** Returns a word, and the word without each of its letters. */
function withOneLetterOmitted(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** Searches for the streets of found addresses with any house number. */
function streetSearch(addresses: readonly string[]): Search {
  const streets = new Set(addresses.flatMap((address) => streetOf(address) ?? []));
  if (streets.size === 0) return noMatches;
  const matcher = createMatcher([...streets].map((value) => ({ type: 'ADDRESS', value })));
  return (text) =>
    matcher.find(text).flatMap(({ start, end }): OtherForm[] => {
      const numberAfter =
        /^,? (?:nr\.? ?|no\.? ?|n[.º°] ?)?\d{1,4}(?: ?[a-zA-Z])?(?![\p{L}\p{N}]|[.,]\d)/u.exec(
          text.slice(end, end + 16),
        );
      const numberBefore = /(?<![\p{L}\p{N}.,])\d{1,4}[a-zA-Z]?,? $/u.exec(
        text.slice(Math.max(0, start - 8), start),
      );
      if (!numberAfter && !numberBefore) return [];
      const from = start - (numberBefore?.[0].length ?? 0);
      return [
        {
          start: from,
          end: end + (numberAfter?.[0].length ?? 0),
          type: 'ADDRESS',
          score: formScore,
        },
      ];
    });
}

/**
 * Returns the street of an address, such as `Mill Lane` for `14 Mill Lane, Northfield`; undefined
 * for an address without a house number.
 */
function streetOf(address: string): string | undefined {
  const line = address.split(/[,;\n\t]/)[0]!.trim();
  const street =
    /^(\p{L}[\p{L}\p{M}.'’ -]{2,50}?) ?\d{1,4}(?: ?[a-zA-Z])?(?![\p{L}\p{N}])/u.exec(line)?.[1] ??
    /^\d{1,4}[a-zA-Z]? (\p{L}[\p{L}\p{M}.'’ -]{2,50})$/u.exec(line)?.[1];
  if (!street) return undefined;
  return foldText(street).length >= minStreetLetters ? street.trim() : undefined;
}

/**
 * Searches for numbers that have the digits of a found number or, for telephone numbers, the same
 * last digits.
 */
function numberSearch(found: readonly FoundValue[]): Search {
  const digitRuns = new Map<string, FoundType>();
  const phones = new Set<string>();
  for (const { type, value } of found) {
    if (type === 'PHONE_NUMBER') {
      const digits = value.replace(/\D/g, '');
      if (digits.length > phoneSuffixDigits) phones.add(digits.slice(-phoneSuffixDigits));
    } else if (isIdentifier(type)) {
      for (const run of value.match(/\d+/g) ?? []) {
        if (run.length >= minNumberDigits) digitRuns.set(run, type);
      }
    }
  }
  if (digitRuns.size + phones.size === 0) return noMatches;
  const pattern = /(?<![\p{L}\p{N}])\+?\(?\d[\d ()./-]{5,24}\d(?![\p{L}\p{N}])/gu;
  return (text) =>
    eachMatch(text, pattern, (match) => {
      const run = match.match(/\d+/g)?.find((digits) => digitRuns.has(digits));
      if (run !== undefined) return digitRuns.get(run);
      const digits = match.replace(/\D/g, '');
      return digits.length > phoneSuffixDigits && phones.has(digits.slice(-phoneSuffixDigits))
        ? 'PHONE_NUMBER'
        : undefined;
    });
}
