/*
 * Findings that are based on language are guesses, and so are account names; findings that are not
 * text have no value to search for. A doubtful finding is
 * removed where it was found. It is neither searched for elsewhere nor claimed to be removed from
 * the file.
 */
import {
  entityTypes,
  type FoundType,
  isDrawnType,
} from '@scriptorium/contracts/documents/entities';
import { foldText } from '../matching/canonical.ts';
import type { Usage } from './usage.ts';

/** A value that was found in a document. */
export interface FoundValue {
  type: FoundType;
  value: string;
  score: number;
}

/**
 * Minimum score of a finding that is not doubtful. A finding with a lower score must occur twice.
 */
const minSureScore = 0.8;
const maxWords = 8;

/** Whether a finding is a guess based on language, as opposed to a format that can be validated. */
function isGuess(type: FoundType): boolean {
  return (
    !type.startsWith('CUSTOM_') && entityTypes[type as keyof typeof entityTypes]?.basis === 'tagger'
  );
}

/**
 * Whether a text looks like a code, a product or jargon: `TI-89`, `SKU-8847`, `getName`, `a_b`.
 * Names have inner capitals only after a short prefix (McGhee, DeVries) or an apostrophe.
 */
function isCode(value: string): boolean {
  return value.split(/\s+/).some((word) => {
    const letters = word.replace(/[^\p{L}\p{N}]/gu, '');
    if (/\p{N}/u.test(letters) && /\p{L}/u.test(letters)) return true;
    if (/[_=<>{}[\]\\|@#$%^*+~]/.test(word)) return true;
    return /^\p{Ll}+\p{Lu}|^\p{Lu}?\p{Ll}{4,}\p{Lu}/u.test(word);
  });
}

/** Whether a text is in lower case although its script has capitals. */
const isLowerCase = (value: string): boolean =>
  value === value.toLowerCase() && value !== value.toUpperCase();

/** Creates a function that returns whether a value of the document is doubtful. */
export function createDoubtTest(
  found: readonly FoundValue[],
  { isOrdinary, isAddressed }: Pick<Usage, 'isOrdinary' | 'isAddressed'>,
): (one: FoundValue) => boolean {
  const occurrences = new Map<string, { count: number; score: number }>();
  for (const { value, score, type } of found) {
    if (!isGuess(type)) continue;
    const key = foldText(value);
    const earlier = occurrences.get(key);
    occurrences.set(key, {
      count: (earlier?.count ?? 0) + 1,
      score: Math.max(earlier?.score ?? 0, score),
    });
  }
  return ({ type, value, score }) => {
    // The content of a barcode may be printed elsewhere, where it is judged as text.
    if (isDrawnType(type)) return true;
    // An account name may be an ordinary word.
    if (type === 'PERSONAL_ID' && /^\p{Ll}+$/u.test(value)) return true;
    if (!isGuess(type) || type === 'ADDRESS') return false;
    const words = value.split(/\s+/).filter((word) => /\p{L}/u.test(word));
    if (words.length === 0 || words.length > maxWords || isCode(value)) return true;
    if (isLowerCase(value)) return true;
    if (words.length === 1 && isOrdinary(value)) return true;
    if (words.length === 1 && isAddressed(value)) return false;
    const occurrence = occurrences.get(foldText(value));
    return (occurrence?.score ?? score) < minSureScore && (occurrence?.count ?? 1) < 2;
  };
}
