import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, sharedArea } from '../../geometry.ts';
import type { Box } from '../../results.ts';
import type { PagePlan, PlannedRemoval } from '../contract/plan.ts';
import { createMatcher } from '../matching/matcher.ts';
import type { Seeker } from '../values/seek.ts';
import { findValues, isCovered, placesOf } from './spread.ts';

/** Creates a function that finds the places of a text on pages, with the matcher of the checks. */
export function createLocator(
  type: FoundType,
  text: string,
): (plan: Pick<PagePlan, 'readings'>) => PlannedRemoval[] {
  const matcher = createMatcher([{ type, value: text }]);
  const seeker: Pick<Seeker, 'find'> = {
    find: (read) =>
      matcher.find(read).map(({ start, end }) => ({ start, end, type, score: 1, here: false })),
  };
  return ({ readings = [] }) => findValues(readings, seeker, []);
}

/** Whether all given boxes are within other boxes. */
export function areCovered(boxes: readonly Box[], by: readonly Box[]): boolean {
  return isCovered(boxes, by);
}

/** Minimum share of a word that must be within an area. */
const minWithin = 0.5;

/**
 * Returns the text that was read in areas of a page, in reading order; empty if no text was read
 * there.
 */
export function textWithin(
  { readings = [] }: Pick<PagePlan, 'readings'>,
  areas: readonly Box[],
): string {
  for (const reading of readings) {
    const words = placesOf(reading).filter(({ box }) =>
      areas.some((other) => sharedArea(box, other) >= minWithin * Math.max(area(box), 1e-9)),
    );
    if (words.length > 0) {
      return words.map(({ from, to }) => reading.text.slice(from, to)).join(' ');
    }
  }
  return '';
}
