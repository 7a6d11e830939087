import type { Word } from './results.ts';

/**
 * Minimum mean confidence of the recognised letters of a printed page. A page below this threshold
 * is a photo or handwriting.
 */
const minMeanConfidence = 0.4;
/** Minimum confidence for keeping a word of a page below `minMeanConfidence`. */
const minWordConfidence = 0.6;

/**
 * Returns the words of a page to show. If the page is not printed, returns only confident words,
 * because the others are noise. Redaction examines all words.
 */
export function credibleWords(words: readonly Word[]): Word[] {
  let [letters, sum] = [0, 0];
  for (const { text, confidence, source } of words) {
    if (source !== 'ocr') continue;
    letters += text.length;
    sum += text.length * confidence;
  }
  if (letters === 0 || sum / letters >= minMeanConfidence) return [...words];
  return words.filter(({ text, confidence, source }) => {
    return source !== 'ocr' || (confidence >= minWordConfidence && /[\p{L}\p{N}]{2}/u.test(text));
  });
}
