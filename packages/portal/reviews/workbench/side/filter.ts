import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { standingOf } from '../../words.ts';

/** The filter of the findings. Empty texts filter nothing. */
export interface Filter {
  type: string;
  standing: string;
  /** In percent, as typed. */
  minScore: string;
  maxScore: string;
}

export const noFilter: Filter = { type: '', standing: '', minScore: '', maxScore: '' };

/**
 * Returns the findings that a filter shows. A finding added by a person has no score, so no limit
 * excludes it.
 */
export function filtered(
  findings: readonly FindingRecord[],
  { type, standing, minScore, maxScore }: Filter,
): readonly FindingRecord[] {
  const from = minScore === '' ? 0 : Number(minScore) / 100;
  const to = maxScore === '' ? 1 : Number(maxScore) / 100;
  return findings.filter(
    (finding) =>
      (type === '' || finding.type === type) &&
      (standing === '' || standingOf(finding) === standing) &&
      (finding.score === null || (finding.score >= from && finding.score <= to)),
  );
}
