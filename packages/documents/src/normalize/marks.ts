import { turnedScript } from '../model/direction.ts';

/**
 * Returns the mark that replaces removed text, followed by the punctuation mark that ended the last
 * word there: `[PERSON],` for "Quill,". A single punctuation mark reveals nothing about the removed
 * text. All other characters of the word are omitted.
 * @param last the rightmost word that touches the removed place
 */
export function punctuated(mark: string, last: string): string {
  if (turnedScript.test(last)) return mark;
  return mark + (/[.,;:!?]$/.exec(last)?.[0] ?? '');
}
