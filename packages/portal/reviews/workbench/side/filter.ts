import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { standingOf } from '../../words.ts';

/** The filter of the findings. Empty texts filter nothing. */
export interface Filter {
  type: string;
  standing: string;
  /** In percent, as typed. */
  least: string;
  most: string;
}

export const noFilter: Filter = { type: '', standing: '', least: '', most: '' };

/**
 * Returns the findings that a filter shows. A finding added by a person has no score, so no limit
 * excludes it.
 */
export function filtered(
  findings: readonly FindingRecord[],
  { type, standing, least, most }: Filter,
): readonly FindingRecord[] {
  const from = least === '' ? 0 : Number(least) / 100;
  const to = most === '' ? 1 : Number(most) / 100;
  return findings.filter(
    (finding) =>
      (type === '' || finding.type === type) &&
      (standing === '' || standingOf(finding) === standing) &&
      (finding.score === null || (finding.score >= from && finding.score <= to)),
  );
}
