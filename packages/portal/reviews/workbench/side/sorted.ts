import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { pageOf, standingOf } from '../../words.ts';
import { type Filter, filtered } from './filter.ts';

/** The displayed findings, and counts of all findings. */
export function sorted(all: readonly FindingRecord[], filter: Filter) {
  const shown = filtered(all, filter);
  const byPage = new Map<number, FindingRecord[]>();
  for (const finding of shown) {
    const page = pageOf(finding);
    if (page === null) continue;
    const on = byPage.get(page);
    if (on) on.push(finding);
    else byPage.set(page, [finding]);
  }
  const pending = new Map<number, number>();
  const types = new Map<string, number>();
  for (const finding of all) {
    types.set(finding.type, (types.get(finding.type) ?? 0) + 1);
    const page = pageOf(finding);
    if (page === null || standingOf(finding) !== 'pending') continue;
    pending.set(page, (pending.get(page) ?? 0) + 1);
  }
  return { shown, byPage, pending, types: new Map([...types].sort()) };
}

/** Returns the finding before or after the current one; the first without one. */
export function neighbour(
  shown: readonly FindingRecord[],
  current: FindingRecord | undefined,
  by: 1 | -1,
): FindingRecord | undefined {
  const at = shown.findIndex(({ id }) => id === current?.id);
  return at < 0 ? shown[0] : shown[at + by];
}

/**
 * Returns the next pending finding after the current one, or from the start; none if the current
 * one is the last.
 */
export function nextPending(
  shown: readonly FindingRecord[],
  current: FindingRecord,
): FindingRecord | undefined {
  const at = shown.findIndex(({ id }) => id === current.id);
  const isNext = (one: FindingRecord): boolean =>
    one.id !== current.id && standingOf(one) === 'pending';
  return shown.slice(at + 1).find(isNext) ?? shown.slice(0, Math.max(0, at)).find(isNext);
}
