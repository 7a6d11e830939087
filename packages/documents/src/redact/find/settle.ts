import type { PagePlan, PlannedPage, PlannedRemoval } from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { Settled, SettleRequest } from '../contract/requests.ts';
import { squeeze } from '../matching/canonical.ts';
import { createMatcher, type Matcher, type Sought } from '../matching/matcher.ts';
import { claimsOf, coveredBy, createFindClaims, leftText } from './left-text.ts';
import { placesOf, remainder, withoutReadings } from './spread.ts';

/**
 * Returns the claims that a page contradicts, because its remaining text still contains the value.
 */
function contradictedClaims({ readings = [], removals }: PagePlan, matcher: Matcher): number[] {
  return readings.flatMap((reading) => {
    const places = placesOf(reading);
    const stays = places.map(({ box }) => coveredBy(box, removals) < 0);
    return matcher.find(remainder(reading.text, places, stays).text).map(({ value }) => value);
  });
}

/**
 * Prepares plans in which a person decided the removals. Text that the person kept may contain a
 * value that was removed elsewhere. Such a value is removed only from the decided places, and the
 * report claims no more than that.
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
    for (const at of contradictedClaims(plan, matcher)) staying.add(squeeze(all[at]!.value));
  }
  const stays = (value: string): boolean => staying.has(squeeze(value));
  const gone = all.filter(({ value }) => !stays(value));
  const findGone = createFindClaims(gone);
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
      const redactedText = leftText({ ...plan, removals }, findGone);
      yield { ...withoutReadings({ ...plan, removals, redactedText }), state: 'planned' };
    }
  }
  await writePlans(outPath, settled());
  return { staying: all.length - gone.length };
}
