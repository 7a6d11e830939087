import type { Origin } from '../contracts/origin.ts';
import type { ProblemCode } from '../contracts/problems.ts';
import type { Database } from '../db/database.ts';
import { inProject, prepared } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';

/** Records that a key was refused something in its own project. */
export type NoteDenial = (origin: Origin, code: ProblemCode, operation: string) => Promise<void>;

/**
 * Makes the recorder of refusals: at most one event per key, code and minute, in a transaction of
 * its own, since that of the refused request is rolled back. What this process has recorded already
 * costs no transaction, so that a flood of refusals costs next to nothing.
 */
export function createDenialNotes(database: Database, now: () => number = Date.now): NoteDenial {
  let minute = 0;
  let noted = new Set<string>();
  return async (origin, code, operation) => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      noted = new Set();
    }
    const keyId = origin.actor.id ?? '';
    const mark = `${keyId}:${code}`;
    if (noted.has(mark)) return;
    await inProject(database, origin.projectId, async (tx) => {
      const first = await prepared(
        tx,
        `INSERT INTO denial (project_id, key_id, code, minute)
         VALUES ($1, $2, $3, date_trunc('minute', now())) ON CONFLICT DO NOTHING RETURNING code`,
        [origin.projectId, keyId, code],
      );
      if (first.length === 0) return;
      const data = { code, operation };
      await record(tx, origin, { type: 'access.request.denied', resourceId: keyId, data });
    });
    noted.add(mark);
  };
}
