import { turnedScript } from './pages/words/word.ts';

/**
 * A mark in the place of what was removed, with the punctuation mark that the last word there ended
 * with: `[PERSON],` for "Quill,". One of these few signs tells nothing of what was removed; whatever
 * else stood beside it in a word, a letter, a figure or another sign, is left out with it.
 * @param last the rightmost word that touches the place
 */
export function punctuated(mark: string, last: string): string {
  if (turnedScript.test(last)) return mark;
  return mark + (/[.,;:!?]$/.exec(last)?.[0] ?? '');
}
