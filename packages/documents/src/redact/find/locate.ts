import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '@scriptorium/pii/finding';
import { area, sharedArea } from '../../geometry.ts';
import type { Box } from '../../results.ts';
import type { PagePlan, PlannedRemoval } from '../contract/plan.ts';
import { createMatcher } from '../matching/matcher.ts';
import type { ValueSearch } from '../values/seek.ts';
import { findValues, isCovered, tokenPlaces } from './spread.ts';

/** Creates a function that finds the places of a text on pages, with the matcher of the checks. */
export function createLocator(
  type: FoundType,
  text: string,
): (plan: Pick<PagePlan, 'readings'>) => PlannedRemoval[] {
  const matcher = createMatcher([{ type, value: text }]);
  const search: Pick<ValueSearch, 'find'> = {
    find: (read) =>
      matcher.find(read).map(({ start, end }) => ({ start, end, type, score: 1, here: false })),
  };
  return ({ readings = [] }) => findValues(readings, search, []);
}

/** Returns a plan with the findings of another recogniser in each of the texts of the page. */
export function withFindings(
  plan: PagePlan,
  find: (text: string) => readonly PiiFinding[],
): PagePlan {
  const search: Pick<ValueSearch, 'find'> = {
    find: (read) => find(read).map((finding) => ({ ...finding, here: false })),
  };
  const added = findValues(plan.readings ?? [], search, plan.removals);
  return { ...plan, removals: [...plan.removals, ...added] };
}

/** Whether all given boxes are within other boxes. */
export function areCovered(boxes: readonly Box[], cover: readonly Box[]): boolean {
  return isCovered(boxes, cover);
}

/** Minimum share of a word that must be within an area. */
const minShareWithin = 0.5;

/**
 * Returns the text that was read in areas of a page, in reading order; empty if no text was read
 * there.
 */
export function textWithin(
  { readings = [] }: Pick<PagePlan, 'readings'>,
  areas: readonly Box[],
): string {
  for (const reading of readings) {
    const words = tokenPlaces(reading).filter(({ box }) =>
      areas.some((other) => sharedArea(box, other) >= minShareWithin * Math.max(area(box), 1e-9)),
    );
    if (words.length > 0) {
      return words.map(({ from, to }) => reading.text.slice(from, to)).join(' ');
    }
  }
  return '';
}
