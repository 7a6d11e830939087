import { turnedScript } from '../model/direction.ts';

/**
 * Returns a mark in place of removed text, with the punctuation mark that ended the last word
 * there: `[PERSON],` for "Quill,". One of these characters reveals nothing about the removed text;
 * all other characters of the word (letters, digits and other signs) are omitted.
 * @param last the rightmost word that touches the place
 */
export function punctuated(mark: string, last: string): string {
  if (turnedScript.test(last)) return mark;
  return mark + (/[.,;:!?]$/.exec(last)?.[0] ?? '');
}
