import { coveredWithout } from '@scriptorium/contracts/documents/profiles';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { RedactionFact } from '../../entities/policies/redaction-fact.ts';

/**
 * Records which kinds of data an output is verified to be free of, in the transaction that stores
 * it. From then on, policies that require a redaction allow the output, and serve it in place of
 * its source.
 */
export function recordRedaction(
  tx: Tx,
  projectId: string,
  redaction: {
    objectId: string;
    sourceObjectId: string;
    /** Null for all kinds of personal data. */
    entities: readonly string[] | null;
    /** The types of findings that were rejected in its review, and so remain. */
    rejected: readonly string[];
    /** Whether it contains all pages of its source. */
    allPages: boolean;
    /** Whether a person submitted its review. */
    reviewed: boolean;
    /** Whether the reviewer had to be someone other than the requester. */
    fourEyes: boolean;
  },
): void {
  const { entities, rejected, ...flags } = redaction;
  const coveredEntities = coveredWithout(entities, rejected);
  sendInsert(tx, RedactionFact, {
    ...flags,
    projectId,
    verified: true,
    entities: coveredEntities && [...coveredEntities],
    asked: rejected.length === 0 ? null : entities ? [...entities] : 'all',
  });
}
