import { foldWord, namelessWords } from './words.ts';

/**
 * The words of a person's name that can represent the person, and the first letters of the others.
 */
export interface NameParts {
  words: string[];
  initials: ReadonlySet<string>;
}

const wordPattern = /\p{L}[\p{L}\p{M}]*/gu;
/** Minimum length of a word. Shorter words are initials, or occur by chance. */
const minLetters = 2;

const hasCapital = (text: string): boolean => text[0]?.toLowerCase() !== text[0];
const hasNoCase = (text: string): boolean => text.toLowerCase() === text.toUpperCase();

/**
 * Returns the parts of a name: words that have a capital, or are in a script without capitals, and
 * are neither titles nor particles. For `Dr. J. van der Berg` this is `Berg`, for `Kleinhoevel,
 * Mara` both words.
 */
export function partsOfName(value: string): NameParts {
  const all = [...value.matchAll(wordPattern)].map(([text]) => text);
  const words = all.filter(
    (text) =>
      text.length >= minLetters &&
      (hasCapital(text) || hasNoCase(text)) &&
      !namelessWords.has(foldWord(text)),
  );
  const initials = all.filter(hasCapital).map((text) => foldWord(text).slice(0, 1));
  return { words: [...new Set(words)], initials: new Set(initials) };
}
