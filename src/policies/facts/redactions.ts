import { send, type Tx } from '../../db/transaction.ts';

/**
 * Writes down what an output was verified to be free of, in the transaction that stores it: from then
 * on policies that require a redaction let it pass, and serve it in place of its source.
 */
export function stateRedaction(
  tx: Tx,
  projectId: string,
  redaction: {
    objectId: string;
    sourceObjectId: string;
    /** Null for all kinds of personal data there are. */
    entities: readonly string[] | null;
    /** Whether it holds all pages of its source. */
    allPages: boolean;
  },
): void {
  send(
    tx,
    `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
     VALUES ($1, $2, $3, true, $4, $5)`,
    [
      projectId,
      redaction.objectId,
      redaction.sourceObjectId,
      redaction.entities,
      redaction.allPages,
    ],
  );
}
