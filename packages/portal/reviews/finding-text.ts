import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { entityTitle } from '../kit/entity-titles.ts';

export const outcomes = ['pending', 'accepted', 'rejected', 'added'] as const;
/** The outcome of a finding. A finding that a person added counts as accepted. */
export type FindingOutcome = (typeof outcomes)[number];

export function outcomeOf({ source, decision }: FindingRecord): FindingOutcome {
  return source === 'person' ? 'added' : decision;
}

export function countOutcomes(findings: readonly FindingRecord[]): Record<FindingOutcome, number> {
  const counts = { pending: 0, accepted: 0, rejected: 0, added: 0 };
  for (const finding of findings) counts[outcomeOf(finding)] += 1;
  return counts;
}

/** Returns the findings to show: in a preview of the result, those that will be removed. */
export function shownFindings(
  findings: readonly FindingRecord[] = [],
  isPreview: boolean,
): readonly FindingRecord[] {
  return isPreview ? findings.filter(({ decision }) => decision === 'accepted') : findings;
}

/** Returns the page of a finding; 0 for text that is not on a page, null for labels. */
export function pageOf({ page, range }: FindingRecord): number | null {
  return page ?? (range ? 0 : null);
}

/** Describes the location of a finding: its page or, in text without pages, its cell or line. */
export function describeLocation({ page, location }: FindingRecord): string | undefined {
  if (!location) return page === null ? undefined : `page ${page}`;
  const { part, line, cell } = location;
  if (part === 'hidden') return 'not visible';
  const position = cell ? `cell ${cell}` : `line ${line}`;
  return part === 'body' ? position : `${position}, ${part}`;
}

export const outcomeTitles: Record<FindingOutcome, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  rejected: 'Rejected',
  added: 'Added',
};

/** Symbols for outcomes, which must not be shown by colour alone. */
export const outcomeSymbols: Record<FindingOutcome, string> = {
  pending: '?',
  accepted: '✓',
  rejected: '✕',
  added: '+',
};

/** Returns a score as a percentage, rounded down: 0.799 is not shown as 80%. */
export function formatPercent(score: number): string {
  return `${Math.floor(score * 100 + 1e-9)}%`;
}

/** Describes a finding, including its value if the key can read it. */
export function describeFinding(finding: FindingRecord): string {
  const { type, score, text } = finding;
  return [
    text === null ? entityTitle(type) : `${entityTitle(type)}: ${text}`,
    score === null ? undefined : `score ${formatPercent(score)}`,
    describeLocation(finding),
    outcomeTitles[outcomeOf(finding)].toLowerCase(),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
