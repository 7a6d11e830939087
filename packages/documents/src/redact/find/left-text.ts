import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, sharedArea } from '../../geometry.ts';
import type { Box } from '../../results.ts';
import { type HiddenType, type PagePlan, unreadableType } from '../contract/plan.ts';
import { createMatcher, type SoughtValue } from '../matching/matcher.ts';
import { remainingReading, replaceWithMarks, type TokenPlace, tokenPlaces } from './spread.ts';

/** Areas that are covered for the same reason. */
interface CoveredAreas {
  type: HiddenType;
  boxes: readonly Box[];
}

/** Minimum share of a word that must be covered for the word to count as removed. */
const minCoveredShare = 0.3;

/** Returns the index of the areas that cover a word, or -1. */
export function indexOfCover(box: Box, covered: readonly CoveredAreas[]): number {
  const all = Math.max(area(box), 1e-9);
  return covered.findIndex(({ boxes }) =>
    boxes.some((other) => sharedArea(box, other) >= minCoveredShare * all),
  );
}

/** Returns all covered areas of a page. */
function coveredAreas({ removals, unreadable = [] }: PagePlan): CoveredAreas[] {
  return [
    ...removals,
    ...unreadable.map((box): CoveredAreas => ({ type: unreadableType, boxes: [box] })),
  ];
}

/** Returns the values that are claimed to be removed from the whole file. */
export function claimsOf({ removals }: PagePlan): SoughtValue[] {
  return removals
    .filter(({ here }) => !here)
    .flatMap(({ type, value, parts = [] }) =>
      [value, ...parts].map((one) => ({ type, value: one })),
    );
}

/** Finds claimed values in a text. */
type FindClaims = (text: string) => { start: number; end: number; type: FoundType }[];

/** Creates a search for claimed values that can be used for all pages of a file. */
export function createClaimFinder(claims: readonly SoughtValue[]): FindClaims {
  const matcher = createMatcher(claims);
  return (text) =>
    matcher.find(text).map(({ start, end, value }) => ({ start, end, type: claims[value]!.type }));
}

/** Returns a text of a page with `[TYPE]` in place of each run of covered words. */
function markCovered(
  text: string,
  places: readonly TokenPlace[],
  covered: readonly CoveredAreas[],
): string {
  let out = '';
  let at = 0;
  let previous = -1;
  for (const { from, to, box } of places) {
    const current = indexOfCover(box, covered);
    if (current < 0 || current !== previous) out += text.slice(at, from);
    if (current < 0) out += text.slice(from, to);
    else if (current !== previous) out += `[${covered[current]!.type}]`;
    at = to;
    previous = current;
  }
  return out + text.slice(at);
}

/**
 * Returns the text of a page that remains after its areas are covered: its first trusted reading,
 * and any additional recognised text. Words are compared by position, because a value may be read
 * in two ways.
 * @param plan a plan with its readings; without readings, the text is empty
 * @param findRemoved finds the values that are removed from the whole file. They are replaced
 * wherever they occur.
 */
export function remainingText(plan: PagePlan, findRemoved: FindClaims): string {
  const { readings = [], doubted } = plan;
  const recognised = readings.find(({ source }) => source === 'ocr');
  const first = (doubted ? recognised : undefined) ?? readings[0];
  if (!first) return '';
  const covered = coveredAreas(plan);
  const firstPlaces = tokenPlaces(first);
  const parts = [markCovered(first.text, firstPlaces, covered)];
  if (first.source === 'pdf' && recognised) {
    const places = tokenPlaces(recognised);
    const isNew = places.map(
      ({ box }) => !firstPlaces.some((other) => sharedArea(other.box, box) > 0.5 * area(box)),
    );
    const added = remainingReading(recognised.text, places, isNew);
    if (added.places.length > 0) parts.push(markCovered(added.text, added.places, covered).trim());
  }
  const text = parts.join('\n\n');
  return replaceWithMarks(text, findRemoved(text));
}
