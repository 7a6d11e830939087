import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, sharedArea } from '../../geometry.ts';
import type { Box } from '../../results.ts';
import { type HiddenType, type PagePlan, unreadableType } from '../contract/plan.ts';
import { createMatcher, type Sought } from '../matching/matcher.ts';
import { type Place, placesOf, remainder, withMarks } from './spread.ts';

/** Areas that are covered for the same reason. */
interface Covered {
  type: HiddenType;
  boxes: readonly Box[];
}

/** Minimum share of a word that must be covered for the word to count as removed. */
const minGone = 0.3;

/** Returns the index of the areas that cover a word, or -1. */
export function coveredBy(box: Box, covered: readonly Covered[]): number {
  const all = Math.max(area(box), 1e-9);
  return covered.findIndex(({ boxes }) =>
    boxes.some((other) => sharedArea(box, other) >= minGone * all),
  );
}

/** Returns all covered areas of a page. */
function coveredAreas({ removals, unreadable = [] }: PagePlan): Covered[] {
  return [
    ...removals,
    ...unreadable.map((box): Covered => ({ type: unreadableType, boxes: [box] })),
  ];
}

/** Returns the values that are claimed to be removed from the whole file. */
export function claimsOf({ removals }: PagePlan): Sought[] {
  return removals
    .filter(({ here }) => !here)
    .flatMap(({ type, value, parts = [] }) =>
      [value, ...parts].map((one) => ({ type, value: one })),
    );
}

/** Finds claimed values in a text. */
type FindClaims = (text: string) => { start: number; end: number; type: FoundType }[];

/** Creates a search for claimed values that can be used for all pages of a file. */
export function createFindClaims(claims: readonly Sought[]): FindClaims {
  const matcher = createMatcher(claims);
  return (text) =>
    matcher.find(text).map(({ start, end, value }) => ({ start, end, type: claims[value]!.type }));
}

/** Returns a text of a page with `[TYPE]` in place of each run of covered words. */
function marked(text: string, places: readonly Place[], covered: readonly Covered[]): string {
  let out = '';
  let at = 0;
  let last = -1;
  for (const { from, to, box } of places) {
    const now = coveredBy(box, covered);
    if (now < 0 || now !== last) out += text.slice(at, from);
    if (now < 0) out += text.slice(from, to);
    else if (now !== last) out += `[${covered[now]!.type}]`;
    at = to;
    last = now;
  }
  return out + text.slice(at);
}

/**
 * Returns the text of a page that remains after its areas are covered: its first trusted reading,
 * and any additional recognised text. Words are compared by position, because a value may be read
 * in two ways.
 * @param plan a plan with its readings; without readings, the text is empty
 * @param findGone finds the values that are removed from the whole file. They are replaced wherever
 * they occur.
 */
export function leftText(plan: PagePlan, findGone: FindClaims): string {
  const { readings = [], doubted } = plan;
  const recognised = readings.find(({ source }) => source === 'ocr');
  const first = (doubted ? recognised : undefined) ?? readings[0];
  if (!first) return '';
  const covered = coveredAreas(plan);
  const own = placesOf(first);
  const parts = [marked(first.text, own, covered)];
  if (first.source === 'pdf' && recognised) {
    const places = placesOf(recognised);
    const isNew = places.map(
      ({ box }) => !own.some((other) => sharedArea(other.box, box) > 0.5 * area(box)),
    );
    const added = remainder(recognised.text, places, isNew);
    if (added.places.length > 0) parts.push(marked(added.text, added.places, covered).trim());
  }
  const text = parts.join('\n\n');
  return withMarks(text, findGone(text));
}
