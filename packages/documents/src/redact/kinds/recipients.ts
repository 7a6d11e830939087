import type { Detector } from '@scriptorium/pii/finding';
import { foldText } from '../matching/canonical.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Returns the values that are kept with the recipients of a message, with the words of names. */
export const valuesOfRecipients = (recipients: readonly string[]): string[] => [
  ...new Set(recipients.flatMap((one) => (one.includes('@') ? [one] : [one, ...wordsOf(one)]))),
];

/**
 * Returns a detector that does not find recipients: their names and addresses, and any selection of
 * the words of a name in any order (`Ida Orr` for `Orr, Ida`).
 */
export function withoutRecipients(detector: Detector, recipients: readonly string[]): Detector {
  if (recipients.length === 0) return detector;
  const isKept = recipientTest(recipients);
  return (text) => detector(text).filter(({ start, end }) => !isKept(text.slice(start, end)));
}

/** Returns a function that reports whether a value is a recipient, as `withoutRecipients` does. */
export function recipientTest(recipients: readonly string[]): (value: string) => boolean {
  const addresses = new Set(recipients.map(foldText));
  const names = recipients
    .filter((one) => !one.includes('@'))
    .map((one) => new Set(wordsOf(one).map(foldText)));
  return (value) => {
    if (addresses.has(foldText(value))) return true;
    const words = wordsOf(value).map(foldText);
    return words.length > 0 && names.some((name) => words.every((word) => name.has(word)));
  };
}
