import type { FindingRecord, ReviewRecord } from '../../contracts/wire/reviews.ts';

/** What has become of a finding. A person's addition is accepted from the start. */
export type Standing = 'pending' | 'accepted' | 'rejected' | 'added';

export function standingOf({ source, decision }: FindingRecord): Standing {
  return source === 'person' ? 'added' : decision;
}

export const standingTitles: Record<Standing, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  rejected: 'Rejected',
  added: 'Added',
};

/** Symbols for standings, so that they do not depend on colour alone. */
export const standingSigns: Record<Standing, string> = {
  pending: '?',
  accepted: '✓',
  rejected: '✕',
  added: '+',
};

/** A score as a percentage, rounded down: 0.799 is not shown as 80%. */
export function percentOf(score: number): string {
  return `${Math.floor(score * 100 + 1e-9)}%`;
}

/** Who acted: a name, or the identifier of a key. */
export function nameOf(actor: NonNullable<ReviewRecord['claimed_by']>): string {
  return actor.name ?? actor.id ?? actor.type;
}

/** A finding in words, with its value if the key can read it. */
export function saidOf(finding: FindingRecord): string {
  const { type, score, text, page } = finding;
  return [
    text === null ? type : `${type}: ${text}`,
    score === null ? undefined : `score ${percentOf(score)}`,
    page === null ? undefined : `page ${page}`,
    standingTitles[standingOf(finding)].toLowerCase(),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
