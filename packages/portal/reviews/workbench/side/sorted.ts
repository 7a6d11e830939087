import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { outcomeOf, pageOf } from '../../finding-text.ts';
import { type Filter, filterFindings } from './filter.ts';

/** Returns the findings that match the filter, and counts of all findings. */
export function sortFindings(findings: readonly FindingRecord[], filter: Filter) {
  const filteredFindings = filterFindings(findings, filter);
  const byPage = new Map<number, FindingRecord[]>();
  for (const finding of filteredFindings) {
    const page = pageOf(finding);
    if (page === null) continue;
    const pageFindings = byPage.get(page);
    if (pageFindings) pageFindings.push(finding);
    else byPage.set(page, [finding]);
  }
  const pendingByPage = new Map<number, number>();
  const types = new Map<string, number>();
  for (const finding of findings) {
    types.set(finding.type, (types.get(finding.type) ?? 0) + 1);
    const page = pageOf(finding);
    if (page === null || outcomeOf(finding) !== 'pending') continue;
    pendingByPage.set(page, (pendingByPage.get(page) ?? 0) + 1);
  }
  return {
    shown: filteredFindings,
    byPage,
    pending: pendingByPage,
    types: new Map([...types].sort()),
  };
}
