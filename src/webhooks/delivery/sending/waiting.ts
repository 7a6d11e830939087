import type { Database } from '../../../db/database.ts';
import { byKey, inReadTransaction, prepared } from '../../../db/transaction.ts';
import { inRounds } from '../../../outbox/rounds.ts';

/** How many endpoints are read together. */
const maxBatch = 50;

/** Whether an endpoint has due deliveries that no process is sending. */
export type Waits = (endpoint: { id: string; projectId: string }) => Promise<boolean>;

/**
 * Creates the reader of waiting deliveries of a process. It locks and writes nothing: an empty
 * claim would keep an endpoint's flow locked until it is on disk, and numbering skips locked flows.
 */
export function createWaits(database: Database): Waits {
  return inRounds<Parameters<Waits>[0], boolean>({ max: maxBatch, rounds: 2 }, async (asked) => {
    const rows = await inReadTransaction(database, (tx) => {
      byKey(tx);
      return prepared<{ id: string }>(
        tx,
        `SELECT given.id FROM unnest($1::text[], $2::text[]) AS given (project_id, id), LATERAL (
           SELECT FROM due_delivery
           WHERE project_id = given.project_id AND endpoint_id = given.id
             AND lease_until IS NULL AND due_at <= statement_timestamp() LIMIT 1) due`,
        [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id)],
      );
    });
    const waiting = new Set(rows.map(({ id }) => id));
    return asked.map(({ id }) => waiting.has(id));
  });
}
