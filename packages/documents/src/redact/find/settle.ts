import type { PagePlan, PlannedPage, PlannedRemoval } from '../contract/plan.ts';
import { plansIn, writePlans } from '../contract/plan-file.ts';
import type { SettleRequest, SettleResult } from '../contract/requests.ts';
import { foldText } from '../matching/canonical.ts';
import { createMatcher, type Matcher, type SoughtValue } from '../matching/matcher.ts';
import { claimsOf, createClaimFinder, indexOfCover, remainingText } from './left-text.ts';
import { remainingReading, tokenPlaces, withoutReadings } from './spread.ts';

/**
 * Returns the claims that a page contradicts, because its remaining text still contains the value.
 */
function contradictedClaims({ readings = [], removals }: PagePlan, matcher: Matcher): number[] {
  return readings.flatMap((reading) => {
    const places = tokenPlaces(reading);
    const isRemaining = places.map(({ box }) => indexOfCover(box, removals) < 0);
    return matcher
      .find(remainingReading(reading.text, places, isRemaining).text)
      .map(({ value }) => value);
  });
}

/**
 * Prepares plans in which a person decided the removals. Text that the person kept may contain a
 * value that was removed elsewhere. Such a value is removed only from the decided places, and the
 * report claims only these removals.
 */
export async function settlePlans({ plansFile, outPath }: SettleRequest): Promise<SettleResult> {
  const claims = new Map<string, SoughtValue>();
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const claim of claimsOf(plan)) claims.set(`${claim.type} ${claim.value}`, claim);
  }
  const allClaims = [...claims.values()];
  const matcher = createMatcher(allClaims);
  const remainingValues = new Set<string>();
  for await (const plan of plansIn(plansFile)) {
    if (plan.state === 'failed') continue;
    for (const at of contradictedClaims(plan, matcher))
      remainingValues.add(foldText(allClaims[at]!.value));
  }
  const remains = (value: string): boolean => remainingValues.has(foldText(value));
  const removedEverywhere = allClaims.filter(({ value }) => !remains(value));
  const findRemoved = createClaimFinder(removedEverywhere);
  async function* settledPlans(): AsyncGenerator<PlannedPage> {
    for await (const plan of plansIn(plansFile)) {
      if (plan.state === 'failed') {
        yield plan;
        continue;
      }
      const removals = plan.removals.map((removal): PlannedRemoval => {
        const { parts = [], ...rest } = removal;
        const remainingParts = parts.filter((part) => !remains(part));
        const here = rest.here || remains(rest.value);
        return {
          ...rest,
          ...(here ? { here } : {}),
          ...(remainingParts.length > 0 ? { parts: remainingParts } : {}),
        };
      });
      const redactedText = remainingText({ ...plan, removals }, findRemoved);
      yield { ...withoutReadings({ ...plan, removals, redactedText }), state: 'planned' };
    }
  }
  await writePlans(outPath, settledPlans());
  return { staying: allClaims.length - removedEverywhere.length };
}
