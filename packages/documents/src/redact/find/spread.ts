import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, hull, sharedArea } from '../../geometry.ts';
import type { Box, Quarter } from '../../results.ts';
import {
  type PagePlan,
  type PageReading,
  type PlannedPage,
  type PlannedRemoval,
  textPage,
} from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { SpreadRequest, SpreadResult } from '../contract/requests.ts';
import type { FoundValue } from '../values/doubtful-values.ts';
import { createValueSearch, type SoughtMatch, type ValueSearch } from '../values/seek.ts';
import { createUsage, type Usage } from '../values/usage.ts';

/** Words and numbers. The readings record their places. */
export const tokenPattern = /[\p{L}\p{N}]+/gu;

/** Merges adjacent boxes on a line. */
function mergeByLine(boxes: readonly Box[]): Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const union = last && hull([last, box]);
    const isOnOneLine = (side: 0 | 1): boolean =>
      last !== undefined &&
      union !== undefined &&
      union[side + 2]! - union[side]! <=
        1.35 * Math.max(last[side + 2]! - last[side]!, box[side + 2]! - box[side]!);
    if (union && (isOnOneLine(0) || isOnOneLine(1))) lines[lines.length - 1] = union;
    else lines.push(box);
  }
  return lines;
}

/** Whether boxes are within other boxes, with a tolerance of a hundredth of a point. */
export function isCovered(boxes: readonly Box[], others: readonly Box[], minShare = 0.98): boolean {
  return boxes.every((box) => {
    const all = Math.max(area(box), 1e-9);
    return others.some((other) => sharedArea(box, other) >= minShare * all);
  });
}

/** A word or number of a reading, and its place. */
export type TokenPlace = { from: number; to: number; box: Box; direction: Quarter };

/** Returns the words of a reading, in order. */
export function tokenPlaces({ text, boxes, directions }: PageReading): TokenPlace[] {
  return [...text.matchAll(tokenPattern)].map(({ index, 0: token }, at) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = boxes
      .slice(at * 4, at * 4 + 4)
      .map((side) => side / 100);
    const direction = directions?.[at] ?? 0;
    return { from: index, to: index + token.length, box: [x0, y0, x1, y1], direction };
  });
}

/**
 * Returns a reading without its removed words, as readers will see it, and the remaining words with
 * their new offsets.
 */
export function remainingReading(
  text: string,
  places: readonly TokenPlace[],
  isKept: readonly boolean[],
): { text: string; places: TokenPlace[] } {
  const remaining: { text: string; places: TokenPlace[] } = { text: '', places: [] };
  let end = 0;
  places.forEach((place, at) => {
    const gap = text.slice(end, place.from);
    end = place.to;
    if (!isKept[at]) return;
    // The text between this word and a removed word becomes a space.
    const from = remaining.text.length + (at > 0 && isKept[at - 1] ? gap.length : 1);
    remaining.text += (at > 0 && isKept[at - 1] ? gap : ' ') + text.slice(place.from, place.to);
    remaining.places.push({ ...place, from, to: remaining.text.length });
  });
  return remaining;
}

/** Maximum number of times that the remaining text is searched. */
const maxRounds = 4;

/**
 * Finds values in the readings of a page and returns removals for those that `removals` does not
 * cover yet. A removal can join words that were separate. If the joined words read as a value, they
 * are also removed, because readers of the page could not see the difference.
 */
export function findValues(
  readings: readonly PageReading[],
  search: Pick<ValueSearch, 'find'>,
  removals: readonly PlannedRemoval[],
): PlannedRemoval[] {
  const covered = removals.flatMap(({ boxes }) => boxes);
  const added: PlannedRemoval[] = [];
  const addHits = (
    source: 'pdf' | 'ocr',
    text: string,
    places: readonly TokenPlace[],
    hits: readonly SoughtMatch[],
  ): void => {
    for (const { start, end, type, score, here } of hits) {
      const touched = places.filter(({ from, to }) => from < end && to > start);
      const touchedBoxes = touched.map(({ box }) => box);
      if (isCovered(touchedBoxes, covered)) continue;
      const lines = mergeByLine(touchedBoxes);
      covered.push(...lines);
      added.push({
        type,
        score,
        value: text.slice(start, end),
        boxes: lines,
        source,
        ...(here ? { here } : {}),
        ...(touched[0]?.direction ? { direction: touched[0].direction } : {}),
      });
    }
  };
  const placedReadings = readings.map((reading) => ({ ...reading, places: tokenPlaces(reading) }));
  for (const { source, text, places } of placedReadings)
    addHits(source, text, places, search.find(text));
  for (let round = 0; round < maxRounds; round += 1) {
    const countBefore = covered.length;
    for (const { source, text, places } of placedReadings) {
      const isKept = places.map(({ box }) => !isCovered([box], covered));
      if (isKept.every((stay) => stay)) continue;
      const remaining = remainingReading(text, places, isKept);
      // A name that is recognisable only by its context has lost this context.
      const hits = search.find(remaining.text).filter(({ here }) => !here);
      addHits(source, remaining.text, remaining.places, hits);
    }
    if (covered.length === countBefore) break;
  }
  return added;
}

/** Replaces matches in a text with `[TYPE]`. If matches overlap, the first determines the type. */
export function replaceWithMarks(
  text: string,
  hits: readonly { start: number; end: number; type: FoundType }[],
): string {
  let out = '';
  let at = 0;
  for (const { start, end, type } of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) out += `${text.slice(at, start)}[${type}]`;
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}

/** Returns the removals of a plan with the parts of values, and which of them are doubtful. */
function markedRemovals({ removals }: PagePlan, search: ValueSearch): PlannedRemoval[] {
  return removals.map(({ here: _here, parts: _parts, ...removal }): PlannedRemoval => {
    if (search.isDoubtful(removal)) return { ...removal, here: true };
    const parts = search.partsOf(removal);
    return parts.length > 0 ? { ...removal, parts } : removal;
  });
}

/** Returns a plan with all places of the values that are searched for. */
function withValues(plan: PagePlan, search: ValueSearch): PagePlan {
  const ownRemovals = markedRemovals(plan, search);
  if (plan.page === textPage) return { ...plan, removals: ownRemovals };
  return {
    ...plan,
    removals: [...ownRemovals, ...findValues(plan.readings ?? [], search, ownRemovals)],
    redactedText: replaceWithMarks(plan.redactedText, search.find(plan.redactedText)),
  };
}

/** Returns a plan with all places of the values found on the same page. */
export function withOwnValues(plan: PagePlan, allowList: readonly string[]): PagePlan {
  if (plan.removals.length === 0) return plan;
  const usage = createUsage(plan.removals);
  recordReadings(plan, usage);
  return withValues(plan, createValueSearch(plan.removals, usage, allowList));
}

/** Returns a plan without its readings, for a page that needs no values from other pages. */
export function withoutReadings(plan: PagePlan): PagePlan {
  const { readings: _readings, ...rest } = plan;
  return rest;
}

/** Creates the search for all values found in a document. */
async function createSearch({ plansFile, allowList }: SpreadRequest): Promise<ValueSearch> {
  const found: FoundValue[] = [];
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const { type, value, score } of plan.removals) found.push({ type, value, score });
  }
  const usage = createUsage(found);
  for await (const plan of plansIn(plansFile)) {
    if (plan.state !== 'failed') recordReadings(plan, usage);
  }
  return createValueSearch(found, usage, allowList);
}

/** Records how the words of a page are used. */
export function recordReadings({ readings = [] }: PagePlan, usage: Usage): void {
  readings.forEach(({ text }, at) => {
    usage.record(text, at > 0);
  });
}

/**
 * Searches each page for values found on other pages. A name that is recognisable on one page may
 * occur on another without context. Only one page is in memory at a time.
 */
export async function spreadValues(request: SpreadRequest): Promise<SpreadResult> {
  const { plansFile, outPath } = request;
  const search = await createSearch(request);
  let removals = 0;
  async function* spreadPlans(): AsyncGenerator<PlannedPage> {
    for await (const plan of plansIn(plansFile)) {
      if (plan.state === 'failed') {
        yield plan;
        continue;
      }
      const extended = withoutReadings(withValues(plan, search));
      removals += extended.removals.length - plan.removals.length;
      yield { state: 'planned', ...extended };
    }
  }
  await writePlans(outPath, spreadPlans());
  return { removals };
}
