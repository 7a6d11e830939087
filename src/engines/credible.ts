import type { Word } from './results.ts';

/** A page whose recognised letters have a lower mean confidence is not of print: a photo, or handwriting. */
const leastMean = 0.4;
/** On such a page, words of lower confidence are left out. */
const leastSure = 0.6;

/**
 * The words to show of a page: of one that is not of print only the sure ones, since the others are noise.
 * Redaction looks at all words.
 */
export function credibleWords(words: readonly Word[]): Word[] {
  let [letters, sum] = [0, 0];
  for (const { text, confidence, source } of words) {
    if (source !== 'ocr') continue;
    letters += text.length;
    sum += text.length * confidence;
  }
  if (letters === 0 || sum / letters >= leastMean) return [...words];
  return words.filter(({ text, confidence, source }) => {
    return source !== 'ocr' || (confidence >= leastSure && /[\p{L}\p{N}]{2}/u.test(text));
  });
}
