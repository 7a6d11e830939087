import type { EntityType } from '@scriptorium/contracts/documents/entities';

/** The types that the tagger finds, in the order of the weights. */
export const taggedTypes = [
  'PERSON',
  'TITLE',
  'ORGANIZATION',
  'LOCATION',
  'ADDRESS',
  'NRP',
] as const satisfies readonly EntityType[];

export type TaggedType = (typeof taggedTypes)[number];

/** Labels are numbers: 0 is outside; 1 + 2t starts an entity of type t; 2 + 2t continues it. */
export const OUTSIDE = 0;
export const LABELS = 1 + 2 * taggedTypes.length;

export function beginOf(type: number): number {
  return 1 + 2 * type;
}

export function insideOf(type: number): number {
  return 2 + 2 * type;
}

/** Returns the type of a label; -1 for "outside". */
export function typeOf(label: number): number {
  return label === OUTSIDE ? -1 : (label - 1) >> 1;
}

/**
 * Whether `next` may follow `label` (-1 at the start): an entity continues only with its own type.
 */
export function mayFollow(label: number, next: number): boolean {
  const goesOn = next !== OUTSIDE && next % 2 === 0;
  return !goesOn || (label > OUTSIDE && typeOf(label) === typeOf(next));
}
