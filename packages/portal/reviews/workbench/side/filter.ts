import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { outcomeOf } from '../../finding-text.ts';

/** The filter of the findings. Empty strings do not filter. */
export interface Filter {
  type: string;
  outcome: string;
  /** In percent, as typed. */
  minScore: string;
  maxScore: string;
}

export const noFilter: Filter = { type: '', outcome: '', minScore: '', maxScore: '' };

/**
 * Returns the findings that a filter shows. A finding added by a person has no score, so no limit
 * excludes it.
 */
export function filterFindings(
  findings: readonly FindingRecord[],
  { type, outcome, minScore, maxScore }: Filter,
): readonly FindingRecord[] {
  const from = minScore === '' ? 0 : Number(minScore) / 100;
  const to = maxScore === '' ? 1 : Number(maxScore) / 100;
  return findings.filter(
    (finding) =>
      (type === '' || finding.type === type) &&
      (outcome === '' || outcomeOf(finding) === outcome) &&
      (finding.score === null || (finding.score >= from && finding.score <= to)),
  );
}
