import type { FoundValue } from './doubt.ts';
import { partsOfName } from './names.ts';
import { addressWords, foldedWord, ordinaryNames } from './words.ts';

/** How the words of names are used in a document. */
export interface Usage {
  /**
   * Records the usage of the words in a text.
   * @param repeats whether the text was already recorded in another reading
   */
  note(text: string, repeats?: boolean): void;
  /**
   * Whether a word is an ordinary word here: it is in the list of such names, occurs in lower case
   * in the document, or occurs often and is rarely part of a name.
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
  const taken = new Map<string, number>();
  for (const { type, value } of found) {
    if (type !== 'PERSON' && /\s/.test(value)) continue;
    for (const part of partsOfName(value).words) {
      const word = foldedWord(part);
      taken.set(word, (taken.get(word) ?? 0) + 1);
    }
  }
  const small = new Set<string>();
  const seen = new Map<string, number>();
  const addressed = new Set<string>();
  const isWord = (folded: string): boolean => ordinaryNames.has(folded) || small.has(folded);
  const isSeldom = (folded: string): boolean => {
    const all = seen.get(folded) ?? 0;
    return all >= minOccurrences && (taken.get(folded) ?? 0) < minShare * all;
  };
  return {
    note(text, repeats = false) {
      if (taken.size === 0) return;
      const texts = text.split(/\s+/);
      const tokens = texts.map(bare);
      tokens.forEach(({ word, isSmall }, at) => {
        if (!taken.has(word)) return;
        const isAddressed =
          initial.test(texts[at - 1] ?? '') || addressWords.has(tokens[at - 1]?.word ?? '');
        if (!isSmall && isAddressed) addressed.add(word);
        if (!isSmall && !repeats) seen.set(word, (seen.get(word) ?? 0) + 1);
        if (!isSmall || small.has(word)) return;
        // A full name may be written in lower case. This does not make its words ordinary.
        const beside = [tokens[at - 1], tokens[at + 1]];
        if (!beside.some((other) => other && other.word !== word && taken.has(other.word))) {
          small.add(word);
        }
      });
    },
    isOrdinary(word) {
      const folded = foldedWord(word);
      return isWord(folded) || isSeldom(folded);
    },
    isAddressed: (word) => addressed.has(foldedWord(word)),
    isOtherName(word) {
      const folded = foldedWord(word);
      return !isWord(folded) && isSeldom(folded);
    },
  };
}

const initial = /^\p{Lu}\.$/u;
const token = /^["'“„‚‘«(]*(\p{L}[\p{L}\p{M}]*)(?:['’]s)?["'”’»)]*[.,;:!?]*["'”’»)]*$/u;

/**
 * Returns the word of a token without its punctuation. Empty for numbers, addresses and similar
 * tokens.
 */
function bare(text: string): { word: string; isSmall: boolean } {
  const word = token.exec(text)?.[1] ?? '';
  return { word: foldedWord(word), isSmall: /^\p{Ll}/u.test(word) };
}
