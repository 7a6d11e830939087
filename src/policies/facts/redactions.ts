import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { RedactionFact } from '../../entities/policies/redaction-fact.ts';

/**
 * Records what an output was verified to be free of, in the transaction that stores it. From then on,
 * policies that require a redaction allow it, and serve it in place of its source.
 */
export function stateRedaction(
  tx: Tx,
  projectId: string,
  redaction: {
    objectId: string;
    sourceObjectId: string;
    /** Null for all kinds of personal data. */
    entities: readonly string[] | null;
    /** Whether it has all pages of its source. */
    allPages: boolean;
    /** Whether a person submitted its review. */
    reviewed: boolean;
  },
): void {
  sendInsert(tx, RedactionFact, {
    ...redaction,
    projectId,
    verified: true,
    entities: redaction.entities && [...redaction.entities],
  });
}
