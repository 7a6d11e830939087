import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, hull, sharedArea } from '../../geometry.ts';
import type { Box, Quarter } from '../../results.ts';
import type { PagePlan, PageReading, PlannedPage, PlannedRemoval } from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { Spread, SpreadRequest } from '../contract/requests.ts';
import type { FoundValue } from '../values/doubt.ts';
import { createSeeker, type Seeker, type SoughtHit } from '../values/seek.ts';
import { createUsage, type Usage } from '../values/usage.ts';

/** Words and numbers. The readings record their places. */
export const tokenPattern = /[\p{L}\p{N}]+/gu;

/** Merges adjacent boxes on a line. */
function byLine(boxes: readonly Box[]): Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const both = last && hull([last, box]);
    const flat = (side: 0 | 1): boolean =>
      last !== undefined &&
      both !== undefined &&
      both[side + 2]! - both[side]! <=
        1.35 * Math.max(last[side + 2]! - last[side]!, box[side + 2]! - box[side]!);
    if (both && (flat(0) || flat(1))) lines[lines.length - 1] = both;
    else lines.push(box);
  }
  return lines;
}

/** Whether boxes are within other boxes, with a tolerance of a hundredth of a point. */
export function isCovered(boxes: readonly Box[], by: readonly Box[], most = 0.98): boolean {
  return boxes.every((box) => {
    const all = Math.max(area(box), 1e-9);
    return by.some((other) => sharedArea(box, other) >= most * all);
  });
}

/** A word or number of a reading, and its place. */
export type Place = { from: number; to: number; box: Box; direction: Quarter };

/** Returns the words of a reading, in order. */
export function placesOf({ text, boxes, directions }: PageReading): Place[] {
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
export function remainder(
  text: string,
  places: readonly Place[],
  stays: readonly boolean[],
): { text: string; places: Place[] } {
  const left: { text: string; places: Place[] } = { text: '', places: [] };
  let end = 0;
  places.forEach((place, at) => {
    const gap = text.slice(end, place.from);
    end = place.to;
    if (!stays[at]) return;
    // The text between this word and a removed word becomes a space.
    const from = left.text.length + (at > 0 && stays[at - 1] ? gap.length : 1);
    left.text += (at > 0 && stays[at - 1] ? gap : ' ') + text.slice(place.from, place.to);
    left.places.push({ ...place, from, to: left.text.length });
  });
  return left;
}

/** Maximum number of times that the remaining text is searched. */
const maxRounds = 4;

/**
 * Finds values in the readings of a page and returns removals for those that `removals` does not
 * cover yet. A removal can bring words together that were separate. If they then read as a value,
 * they are also removed, because readers of the page could not see the difference.
 */
export function findValues(
  readings: readonly PageReading[],
  seeker: Pick<Seeker, 'find'>,
  removals: readonly PlannedRemoval[],
): PlannedRemoval[] {
  const covered = removals.flatMap(({ boxes }) => boxes);
  const found: PlannedRemoval[] = [];
  const look = (
    source: 'pdf' | 'ocr',
    text: string,
    places: readonly Place[],
    hits: readonly SoughtHit[],
  ): void => {
    for (const { start, end, type, score, here } of hits) {
      const touched = places.filter(({ from, to }) => from < end && to > start);
      const whole = touched.map(({ box }) => box);
      if (isCovered(whole, covered)) continue;
      const lines = byLine(whole);
      covered.push(...lines);
      found.push({
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
  const all = readings.map((reading) => ({ ...reading, places: placesOf(reading) }));
  for (const { source, text, places } of all) look(source, text, places, seeker.find(text));
  for (let round = 0; round < maxRounds; round += 1) {
    const before = covered.length;
    for (const { source, text, places } of all) {
      const stays = places.map(({ box }) => !isCovered([box], covered));
      if (stays.every((stay) => stay)) continue;
      const left = remainder(text, places, stays);
      // A name that is recognisable only by its context has lost this context.
      const hits = seeker.find(left.text).filter(({ here }) => !here);
      look(source, left.text, left.places, hits);
    }
    if (covered.length === before) break;
  }
  return found;
}

/** Replaces matches in a text with `[TYPE]`. If matches overlap, the first determines the type. */
export function withMarks(
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

/** Returns a plan with all places of the values that are searched for. */
function withValues(plan: PagePlan, seeker: Seeker): PagePlan {
  const own = plan.removals.map(({ here: _here, parts: _parts, ...removal }): PlannedRemoval => {
    if (seeker.isDoubtful(removal)) return { ...removal, here: true };
    const parts = seeker.partsOf(removal);
    return parts.length > 0 ? { ...removal, parts } : removal;
  });
  return {
    ...plan,
    removals: [...own, ...findValues(plan.readings ?? [], seeker, own)],
    redactedText: withMarks(plan.redactedText, seeker.find(plan.redactedText)),
  };
}

/** Returns a plan with all places of the values found on the same page. */
export function withOwnValues(plan: PagePlan, allowList: readonly string[]): PagePlan {
  if (plan.removals.length === 0) return plan;
  const usage = createUsage(plan.removals);
  noteReadings(plan, usage);
  return withValues(plan, createSeeker(plan.removals, usage, allowList));
}

/** Returns a plan without its readings, for a page that needs no values from other pages. */
export function withoutReadings(plan: PagePlan): PagePlan {
  const { readings: _readings, ...rest } = plan;
  return rest;
}

/** Creates the search for all values found in a document. */
async function seekerFor({ plansFile, allowList }: SpreadRequest): Promise<Seeker> {
  const found: FoundValue[] = [];
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const { type, value, score } of plan.removals) found.push({ type, value, score });
  }
  const usage = createUsage(found);
  for await (const plan of plansIn(plansFile)) {
    if (plan.state !== 'failed') noteReadings(plan, usage);
  }
  return createSeeker(found, usage, allowList);
}

function noteReadings({ readings = [] }: PagePlan, usage: Usage): void {
  readings.forEach(({ text }, at) => {
    usage.note(text, at > 0);
  });
}

/**
 * Searches each page for values found on other pages. A name that is recognisable on one page may
 * occur on another without context. Only one page is in memory at a time.
 */
export async function spreadValues(request: SpreadRequest): Promise<Spread> {
  const { plansFile, outPath } = request;
  const seeker = await seekerFor(request);
  let removals = 0;
  async function* spread(): AsyncGenerator<PlannedPage> {
    for await (const plan of plansIn(plansFile)) {
      if (plan.state === 'failed') {
        yield plan;
        continue;
      }
      const more = withoutReadings(withValues(plan, seeker));
      removals += more.removals.length - plan.removals.length;
      yield { state: 'planned', ...more };
    }
  }
  await writePlans(outPath, spread());
  return { removals };
}
