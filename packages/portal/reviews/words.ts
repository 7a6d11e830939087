import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { entityTitle } from '../kit/entity-titles.ts';

/** The outcome of a finding. An addition by a person is accepted from the start. */
export type Standing = 'pending' | 'accepted' | 'rejected' | 'added';

export function standingOf({ source, decision }: FindingRecord): Standing {
  return source === 'person' ? 'added' : decision;
}

/** Returns the page of a finding; 0 for text that is not on a page, null for labels. */
export function pageOf({ page, range }: FindingRecord): number | null {
  return page ?? (range ? 0 : null);
}

/** Describes the location of a finding: its page or, in a text, its cell or line. */
export function whereOf({ page, location }: FindingRecord): string | undefined {
  if (!location) return page === null ? undefined : `page ${page}`;
  const { part, line, cell } = location;
  if (part === 'hidden') return 'not visible';
  const where = cell ? `cell ${cell}` : `line ${line}`;
  return part === 'body' ? where : `${where}, ${part}`;
}

export const standingTitles: Record<Standing, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  rejected: 'Rejected',
  added: 'Added',
};

/** Symbols for states, so that they do not depend on colour alone. */
export const standingSigns: Record<Standing, string> = {
  pending: '?',
  accepted: '✓',
  rejected: '✕',
  added: '+',
};

/** Returns a score as a percentage, rounded down: 0.799 is not shown as 80%. */
export function percentOf(score: number): string {
  return `${Math.floor(score * 100 + 1e-9)}%`;
}

/** Returns the name of an actor, or the identifier of a key. */
export function nameOf(actor: NonNullable<ReviewRecord['claimed_by']>): string {
  return actor.name ?? actor.id ?? actor.type;
}

/** Returns a finding as text, with its value if the key can read it. */
export function describeFinding(finding: FindingRecord): string {
  const { type, score, text } = finding;
  return [
    text === null ? entityTitle(type) : `${entityTitle(type)}: ${text}`,
    score === null ? undefined : `score ${percentOf(score)}`,
    whereOf(finding),
    standingTitles[standingOf(finding)].toLowerCase(),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
