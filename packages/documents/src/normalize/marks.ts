import { rightToLeftScript } from '../model/direction.ts';

/**
 * Returns the mark that replaces removed text, followed by the punctuation mark that ended its last
 * word: `[PERSON],` for "Quill,". A single punctuation mark reveals nothing about the removed text.
 * All other characters of the word are omitted.
 * @param last the rightmost word that touches the redacted area
 */
export function withPunctuation(mark: string, last: string): string {
  if (rightToLeftScript.test(last)) return mark;
  return mark + (/[.,;:!?]$/.exec(last)?.[0] ?? '');
}
