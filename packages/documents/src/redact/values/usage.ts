import type { FoundValue } from './doubtful-values.ts';
import { partsOfName } from './names.ts';
import { addressWords, foldWord, ordinaryNames } from './words.ts';

/** How the words of names are used in a document. */
export interface Usage {
  /**
   * Records the usage of the words in a text.
   * @param isRepeated whether the text was already recorded in another reading
   */
  record(text: string, isRepeated?: boolean): void;
  /**
   * Whether a word is an ordinary word in this document: it is in `ordinaryNames`, occurs in lower
   * case, or occurs often and is rarely part of a name.
   */
  isOrdinary(word: string): boolean;
  /** Whether a word follows a form of address or an initial anywhere in the document. */
  isAddressed(word: string): boolean;
  /**
   * Whether a word is usually a name of something other than a person: it never occurs in lower
   * case, but is rarely part of a person's name.
   */
  isOtherName(word: string): boolean;
}

/** Minimum number of occurrences for statistics about a word. */
const minOccurrences = 6;
/** Minimum share of occurrences in which a word is part of a name. */
const minShare = 0.2;

export function createUsage(found: readonly FoundValue[]): Usage {
  const nameCounts = new Map<string, number>();
  for (const { type, value } of found) {
    if (type !== 'PERSON' && /\s/.test(value)) continue;
    for (const part of partsOfName(value).words) {
      const word = foldWord(part);
      nameCounts.set(word, (nameCounts.get(word) ?? 0) + 1);
    }
  }
  const lowerCaseWords = new Set<string>();
  const wordCounts = new Map<string, number>();
  const addressed = new Set<string>();
  const isWord = (folded: string): boolean =>
    ordinaryNames.has(folded) || lowerCaseWords.has(folded);
  const isRarelyName = (folded: string): boolean => {
    const count = wordCounts.get(folded) ?? 0;
    return count >= minOccurrences && (nameCounts.get(folded) ?? 0) < minShare * count;
  };
  return {
    record(text, isRepeated = false) {
      if (nameCounts.size === 0) return;
      const texts = text.split(/\s+/);
      const tokens = texts.map(readToken);
      tokens.forEach(({ word, isSmall }, at) => {
        if (!nameCounts.has(word)) return;
        const isAddressed =
          initial.test(texts[at - 1] ?? '') || addressWords.has(tokens[at - 1]?.word ?? '');
        if (!isSmall && isAddressed) addressed.add(word);
        if (!isSmall && !isRepeated) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1);
        if (!isSmall || lowerCaseWords.has(word)) return;
        // A full name may be written in lower case. This does not make its words ordinary.
        const neighbours = [tokens[at - 1], tokens[at + 1]];
        if (
          !neighbours.some((other) => other && other.word !== word && nameCounts.has(other.word))
        ) {
          lowerCaseWords.add(word);
        }
      });
    },
    isOrdinary(word) {
      const folded = foldWord(word);
      return isWord(folded) || isRarelyName(folded);
    },
    isAddressed: (word) => addressed.has(foldWord(word)),
    isOtherName(word) {
      const folded = foldWord(word);
      return !isWord(folded) && isRarelyName(folded);
    },
  };
}

const initial = /^\p{Lu}\.$/u;
const token = /^["'“„‚‘«(]*(\p{L}[\p{L}\p{M}]*)(?:['’]s)?["'”’»)]*[.,;:!?]*["'”’»)]*$/u;

/**
 * Returns the word of a token without its punctuation. Empty for numbers, addresses and similar
 * tokens.
 */
function readToken(text: string): { word: string; isSmall: boolean } {
  const word = token.exec(text)?.[1] ?? '';
  return { word: foldWord(word), isSmall: /^\p{Ll}/u.test(word) };
}
