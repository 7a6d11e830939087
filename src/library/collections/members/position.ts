/*
 * Positions of members: texts that sort byte by byte. Another position always fits between any two, so
 * moving a member updates one row. They are keys of `fractional-indexing`, in its default alphabet.
 */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** When a position becomes longer than this, the positions around it are reassigned. */
export const maxPositionLength = 100;

/**
 * A position after `after` and before `before`; null means the end on that side.
 * @throws Error if `after` is not before `before`
 */
export function positionBetween(after: string | null, before: string | null): string {
  // The library would swap them.
  if (after !== null && before !== null && after >= before) {
    throw new Error(`Position ${after} is not before ${before}.`);
  }
  return generateKeyBetween(after, before);
}

/** `count` positions in order, all after `last`. */
export const positionsAfter = (last: string | null, count: number): string[] =>
  generateNKeysBetween(last, null, count);

/** `count` positions in order between two others, spread evenly to keep all of them short. */
export const positionsWithin = (
  after: string | null,
  before: string | null,
  count: number,
): string[] => generateNKeysBetween(after, before, count);
