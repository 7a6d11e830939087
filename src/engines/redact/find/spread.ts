import { area, hull, shared } from '../../model/page.ts';
import type { Box } from '../../results.ts';
import type { KnownValue, PlannedPage, Spread, SpreadRequest } from '../calls.ts';
import { createMatcher, type Hit, type Matcher } from '../check/matcher.ts';
import type { PagePlan, PageReading, PlannedRemoval } from '../plan.ts';
import { plansIn, writePlans } from '../plans.ts';

/** Words and numbers, of which readings know the places. */
export const tokens = /[\p{L}\p{N}]+/gu;

/** Values to look for: what counts as one is the same as for the checks (see `check/matcher`). */
export type Values = { known: readonly KnownValue[]; matcher: Matcher };

export function valuesOf(known: readonly KnownValue[]): Values {
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
function apart(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = [];
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
export function isCovered(boxes: readonly Box[], by: readonly Box[], most = 0.98): boolean {
  return boxes.every((box) => {
    const all = Math.max(area(box), 1e-9);
    return by.some((other) => shared(box, other) >= most * all);
  });
}

/**
 * Where values stand in the readings of a page: removals for those that `removals` does not cover
 * already.
 */
export function findValues(
  readings: readonly PageReading[],
  { known, matcher }: Values,
  removals: readonly PlannedRemoval[],
): PlannedRemoval[] {
  const covered = removals.flatMap(({ boxes }) => boxes);
  const found: PlannedRemoval[] = [];
  for (const { source, text, boxes } of readings) {
    const hits = apart(matcher.find(text));
    if (hits.length === 0) continue;
    const places = [...text.matchAll(tokens)].map(({ index, 0: token }, at) => ({
      from: index,
      to: index + token.length,
      box: boxes.slice(at * 4, at * 4 + 4).map((side) => side / 100),
    }));
    for (const { start, end, value } of hits) {
      const entry = known[value];
      const touched = places.filter(({ from, to }) => from < end && to > start);
      const whole = touched.map(
        ({ box: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }): Box => [x0, y0, x1, y1],
      );
      if (!entry || isCovered(whole, covered)) continue;
      const lines = byLine(whole);
      covered.push(...lines);
      found.push({
        type: entry.type,
        score: entry.score,
        value: text.slice(start, end),
        boxes: lines,
        source,
      });
    }
  }
  return found;
}

/** Puts `[TYPE]` in the place of values in a text. */
export function withoutValues(text: string, { known, matcher }: Values): string {
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
  const values = valuesOf(await knownOf(plansFile));
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
