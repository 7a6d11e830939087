import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';

/** Longer gaps between decisions are breaks, which say nothing about the pace; in milliseconds. */
const maxGapMs = 60_000;
/** The number of latest gaps that count, and the number needed for an estimate. */
const maxGaps = 30;
const minGaps = 5;

/**
 * Estimates the time that the pending values need at the pace of the latest decisions, in
 * milliseconds; undefined after few decisions.
 * @param decidedAt the times of decisions in this tab, in milliseconds, ascending
 */
export function estimateTimeLeft(
  decidedAt: readonly number[],
  pendingCount: number,
): number | undefined {
  const gaps = decidedAt
    .slice(1)
    .map((at, index) => at - decidedAt[index]!)
    .filter((gap) => gap <= maxGapMs)
    .slice(-maxGaps)
    .sort((a, b) => a - b);
  if (gaps.length < minGaps) return undefined;
  return gaps[Math.floor(gaps.length / 2)]! * pendingCount;
}

/** Describes a duration for people, who need no seconds. */
export function describeTimeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute left';
  if (minutes < 60) return `about ${minutes} min left`;
  return `about ${Math.round(minutes / 60)} h left`;
}

/**
 * Returns the share of the detector's findings that people accepted; undefined before they decided
 * any.
 */
export function precisionOf(findings: readonly FindingRecord[]): number | undefined {
  const decided = findings.filter(
    ({ source, decided_by, decision }) =>
      source === 'detector' && decided_by !== null && decision !== 'pending',
  );
  const accepted = decided.filter(({ decision }) => decision === 'accepted').length;
  return decided.length === 0 ? undefined : accepted / decided.length;
}
