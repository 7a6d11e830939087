import { area, hull, sharedArea } from '../../geometry.ts';
import type { Box, Quarter } from '../../results.ts';
import { createMatcher, type Matcher, type ValueHit } from '../check/matching/matcher.ts';
import type { PagePlan, PageReading, PlannedPage, PlannedRemoval } from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { KnownValue, Spread, SpreadRequest } from '../contract/requests.ts';

/** Words and numbers, of which readings know the places. */
export const tokenPattern = /[\p{L}\p{N}]+/gu;

/** Values to look for: what counts as one is the same as for the checks (see `check/matcher`). */
export type Values = { known: readonly KnownValue[]; matcher: Matcher };

export function valuesToFind(known: readonly KnownValue[]): Values {
  return { known, matcher: createMatcher(known) };
}

/** Boxes that follow one another on a line as one. */
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

/** Longest first, each place once. */
function apart(hits: readonly ValueHit[]): ValueHit[] {
  const kept: ValueHit[] = [];
  let end = 0;
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end || a.value - b.value);
  for (const hit of sorted) {
    if (hit.start < end) continue;
    kept.push(hit);
    end = hit.end;
  }
  return kept;
}

/** Whether boxes lie within others, but for what a hundredth of a point makes. */
function isCovered(boxes: readonly Box[], by: readonly Box[], most = 0.98): boolean {
  return boxes.every((box) => {
    const all = Math.max(area(box), 1e-9);
    return by.some((other) => sharedArea(box, other) >= most * all);
  });
}

/** A word or number of a reading, and where it stands. */
type Place = { from: number; to: number; box: Box; direction: Quarter };

function placesOf({ text, boxes, directions }: PageReading): Place[] {
  return [...text.matchAll(tokenPattern)].map(({ index, 0: token }, at) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = boxes
      .slice(at * 4, at * 4 + 4)
      .map((side) => side / 100);
    const direction = directions?.[at] ?? 0;
    return { from: index, to: index + token.length, box: [x0, y0, x1, y1], direction };
  });
}

/** A reading without the words that go, as readers will see it; and what is left, by its new place. */
function remainder(
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
    // Of what stood between it and a word that goes, a blank is left.
    const from = left.text.length + (at > 0 && stays[at - 1] ? gap.length : 1);
    left.text += (at > 0 && stays[at - 1] ? gap : ' ') + text.slice(place.from, place.to);
    left.places.push({ ...place, from, to: left.text.length });
  });
  return left;
}

/** How often what is left is looked at again. */
const mostRounds = 4;

/**
 * Finds values in the readings of a page and returns removals for those that `removals` does not cover
 * yet. A removal can bring words together that were apart: if they then read as a value, they are
 * removed too, because readers of the page could not see the difference.
 */
function findValues(
  readings: readonly PageReading[],
  { known, matcher }: Values,
  removals: readonly PlannedRemoval[],
): PlannedRemoval[] {
  const covered = removals.flatMap(({ boxes }) => boxes);
  const found: PlannedRemoval[] = [];
  const look = (source: 'pdf' | 'ocr', text: string, places: readonly Place[]): void => {
    for (const { start, end, value } of apart(matcher.find(text))) {
      const entry = known[value];
      const touched = places.filter(({ from, to }) => from < end && to > start);
      const whole = touched.map(({ box }) => box);
      if (!entry || isCovered(whole, covered)) continue;
      const lines = byLine(whole);
      covered.push(...lines);
      found.push({
        type: entry.type,
        score: entry.score,
        value: text.slice(start, end),
        boxes: lines,
        source,
        ...(touched[0]?.direction ? { direction: touched[0].direction } : {}),
      });
    }
  };
  const all = readings.map((reading) => ({ ...reading, places: placesOf(reading) }));
  for (const { source, text, places } of all) look(source, text, places);
  for (let round = 0; round < mostRounds; round += 1) {
    const before = covered.length;
    for (const { source, text, places } of all) {
      const stays = places.map(({ box }) => !isCovered([box], covered));
      if (stays.every((stay) => stay)) continue;
      const left = remainder(text, places, stays);
      look(source, left.text, left.places);
    }
    if (covered.length === before) break;
  }
  return found;
}

/** Puts `[TYPE]` in the place of values in a text. */
function withoutValues(text: string, { known, matcher }: Values): string {
  let out = '';
  let at = 0;
  for (const { start, end, value } of apart(matcher.find(text))) {
    out += `${text.slice(at, start)}[${known[value]?.type ?? 'VALUE'}]`;
    at = end;
  }
  return out + text.slice(at);
}

/** A plan with all the places of values that are known. */
export function withValues(plan: PagePlan, values: Values): PagePlan {
  if (values.known.length === 0) return plan;
  const more = findValues(plan.readings ?? [], values, plan.removals);
  return {
    ...plan,
    removals: [...plan.removals, ...more],
    redactedText: withoutValues(plan.redactedText, values),
  };
}

/** A plan that needs nothing more from other pages. */
function withoutReadings(plan: PagePlan): PagePlan {
  const { readings: _readings, ...rest } = plan;
  return rest;
}

/** All that was found in a document, each value once, in the order of pages. */
async function knownOf(plansFile: string): Promise<KnownValue[]> {
  const known = new Map<string, KnownValue>();
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const { type, value, score } of plan.removals) {
      const before = known.get(value);
      if (!before || before.score < score) known.set(value, { type, value, score });
    }
  }
  return [...known.values()];
}

/**
 * Looks on every page for what was found on the others: a name that is plain to see on one page may
 * stand on another where nothing tells that it is one. One page is held at a time.
 */
export async function spreadValues({ plansFile, outPath }: SpreadRequest): Promise<Spread> {
  const values = valuesToFind(await knownOf(plansFile));
  let removals = 0;
  async function* spread(): AsyncGenerator<PlannedPage> {
    for await (const plan of plansIn(plansFile)) {
      if (plan.state === 'failed') {
        yield plan;
        continue;
      }
      const more = withoutReadings(withValues(plan, values));
      removals += more.removals.length - plan.removals.length;
      yield { state: 'planned', ...more };
    }
  }
  await writePlans(outPath, spread());
  return { removals };
}
