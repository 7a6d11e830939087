import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { area, sharedArea } from '../../geometry.ts';
import type { Box } from '../../results.ts';
import { squeeze } from '../check/matching/canonical.ts';
import { createMatcher, type Matcher, type Sought } from '../check/matching/matcher.ts';
import type { PagePlan, PlannedPage, PlannedRemoval } from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { Settled, SettleRequest } from '../contract/requests.ts';
import { type Place, placesOf, remainder, withoutReadings } from './spread.ts';

/** The least share of a word that a removal must cover for the word to count as gone. */
const leastGone = 0.3;

/** The removal that covers a word, or -1. */
function removalAt(box: Box, removals: readonly PlannedRemoval[]): number {
  const all = Math.max(area(box), 1e-9);
  return removals.findIndex(({ boxes }) =>
    boxes.some((other) => sharedArea(box, other) >= leastGone * all),
  );
}

/** What is claimed to be gone from the whole file. */
function claimsOf({ removals }: PagePlan): Sought[] {
  return removals
    .filter(({ here }) => !here)
    .flatMap(({ type, value, parts = [] }) =>
      [value, ...parts].map((one) => ({ type, value: one })),
    );
}

/** The claims that a page contradicts: what is left of it still shows them. */
function stayingOn({ readings = [], removals }: PagePlan, matcher: Matcher): number[] {
  return readings.flatMap((reading) => {
    const places = placesOf(reading);
    const stays = places.map(({ box }) => removalAt(box, removals) < 0);
    return matcher.find(remainder(reading.text, places, stays).text).map(({ value }) => value);
  });
}

/** A text of a page with `[TYPE]` for each removed value. */
function marked(
  text: string,
  places: readonly Place[],
  removals: readonly PlannedRemoval[],
): string {
  let out = '';
  let at = 0;
  let last = -1;
  for (const { from, to, box } of places) {
    const now = removalAt(box, removals);
    if (now < 0 || now !== last) out += text.slice(at, from);
    if (now < 0) out += text.slice(from, to);
    else if (now !== last) out += `[${removals[now]!.type}]`;
    at = to;
    last = now;
  }
  return out + text.slice(at);
}

/**
 * The text that is left of a page: its first reading, and what was recognised in addition. Values that
 * are gone from the whole file are replaced wherever they stand.
 */
function textLeft({ readings = [], removals }: PagePlan, gone: readonly Sought[]): string {
  const [first] = readings;
  if (!first) return '';
  const own = placesOf(first);
  const parts = [marked(first.text, own, removals)];
  const seen = first.source === 'pdf' ? readings.find(({ source }) => source === 'ocr') : undefined;
  if (seen) {
    const places = placesOf(seen);
    const isNew = places.map(
      ({ box }) => !own.some((other) => sharedArea(other.box, box) > 0.5 * area(box)),
    );
    const added = remainder(seen.text, places, isNew);
    if (added.places.length > 0) parts.push(marked(added.text, added.places, removals).trim());
  }
  return withoutValues(parts.join('\n\n'), gone);
}

function withoutValues(text: string, gone: readonly Sought[]): string {
  const hits = createMatcher(gone)
    .find(text)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let out = '';
  let at = 0;
  for (const { start, end, value } of hits) {
    if (start >= at) out += `${text.slice(at, start)}[${typeOf(gone[value])}]`;
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}

const typeOf = (sought: Sought | undefined): FoundType | '' => sought?.type ?? '';

/**
 * Prepares plans whose removals a person decided. What the person kept may show a value that was
 * removed elsewhere: such a value is gone only from where it was removed, and the proof says no more.
 */
export async function settlePlans({ plansFile, outPath }: SettleRequest): Promise<Settled> {
  const claims = new Map<string, Sought>();
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const claim of claimsOf(plan)) claims.set(`${claim.type} ${claim.value}`, claim);
  }
  const all = [...claims.values()];
  const matcher = createMatcher(all);
  const staying = new Set<string>();
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const at of stayingOn(plan, matcher)) staying.add(squeeze(all[at]!.value));
  }
  const stays = (value: string): boolean => staying.has(squeeze(value));
  const gone = all.filter(({ value }) => !stays(value));
  async function* settled(): AsyncGenerator<PlannedPage> {
    for await (const plan of plansIn(plansFile)) {
      if (plan.state === 'failed') {
        yield plan;
        continue;
      }
      const removals = plan.removals.map((removal): PlannedRemoval => {
        const { parts = [], ...rest } = removal;
        const left = parts.filter((part) => !stays(part));
        const here = rest.here || stays(rest.value);
        return { ...rest, ...(here ? { here } : {}), ...(left.length > 0 ? { parts: left } : {}) };
      });
      const redactedText = textLeft(plan, gone);
      yield { ...withoutReadings({ ...plan, removals, redactedText }), state: 'planned' };
    }
  }
  await writePlans(outPath, settled());
  return { staying: all.length - gone.length };
}
