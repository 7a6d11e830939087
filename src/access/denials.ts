import type { Origin } from '../contracts/origin.ts';
import type { Problem } from '../contracts/problems.ts';
import type { Database } from '../db/database.ts';
import { inProject, prepared, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { PolicyDenied, recordRefusal } from '../policies/denials.ts';
import type { Shares } from './shares.ts';

/** Records that a key was refused something in its own project. */
export type NoteDenial = (origin: Origin, refusal: Problem, operation: string) => Promise<void>;

/**
 * Makes the recorder of refusals: at most one event per key, code and minute, in a transaction of
 * its own, since that of the refused request is rolled back. What this process has recorded already
 * costs no transaction, so that a flood of refusals costs next to nothing.
 */
export function createDenialNotes(
  database: Database,
  shares: Shares,
  now: () => number = Date.now,
): NoteDenial {
  let minute = 0;
  let noted = new Set<string>();
  return async (origin, refusal, operation) => {
    const { code } = refusal;
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      noted = new Set();
    }
    const keyId = origin.actor.id ?? '';
    const mark = `${keyId}:${code}`;
    // Policies have marks of their own: each rule and resource is told.
    const denied = refusal instanceof PolicyDenied ? refusal.denial : null;
    if (noted.has(mark) && !denied) return;
    const note = async (tx: Tx): Promise<void> => {
      if (denied) await recordRefusal(tx, origin, denied);
      const first = await prepared(
        tx,
        `INSERT INTO denial (project_id, key_id, code, minute)
         VALUES ($1, $2, $3, date_trunc('minute', now())) ON CONFLICT DO NOTHING RETURNING code`,
        [origin.projectId, keyId, code],
      );
      if (first.length === 0) return;
      const data = { code, operation };
      await record(tx, origin, { type: 'access.request.denied', resourceId: keyId, data });
    };
    // Never refused for the number of those that wait: what was denied is told.
    await shares.during({ project: origin.projectId, key: keyId, patient: true }, 'quick', () =>
      inProject(database, origin.projectId, note),
    );
    noted.add(mark);
  };
}
