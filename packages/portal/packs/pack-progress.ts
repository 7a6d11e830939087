import { isTerminal } from '@scriptorium/contracts/jobs';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { formatCount } from '../kit/format-count.ts';

/** Whether a pack is in a final state. */
export function isFinished({ state }: Pick<PackRecord, 'state'>): boolean {
  return isTerminal(state);
}

/** Returns the documents of a pack: `3 of 5 documents done, 1 failed, 1 withheld`. */
export function documentProgress({ progress }: PackRecord): string {
  const { documents_total: total, documents_completed: done } = progress;
  const otherCounts = [
    [progress.documents_failed, 'failed'],
    [progress.documents_withheld, 'withheld'],
  ] as const;
  return [
    `${formatCount(done)} of ${pluralise(total, 'document')} done`,
    ...otherCounts.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : [])),
  ].join(', ');
}

/** Returns the pages of a pack: `12 of 20 pages`. */
export function pageProgress({ progress }: PackRecord): string {
  return `${formatCount(progress.pages_completed)} of ${pluralise(progress.pages_total, 'page')}`;
}
