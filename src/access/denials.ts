import { limits } from '../contracts/limits.ts';
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
 * costs no transaction, so that a flood of refusals costs next to nothing. What policies refuse is
 * recorded each time. Rates bound writes; reading bytes has none, so above as many refusals a minute
 * as a key may have writes, those of the same rule and resource are one event.
 */
export function createDenialNotes(
  database: Database,
  shares: Shares,
  now: () => number = Date.now,
): NoteDenial {
  let minute = 0;
  let noted = new Set<string>();
  let reads = new Map<string, number>();
  return async (origin, refusal, operation) => {
    const { code } = refusal;
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      noted = new Set();
      reads = new Map();
    }
    const keyId = origin.actor.id ?? '';
    const mark = `${keyId}:${code}`;
    // What policies refuse is told each time.
    const denied = refusal instanceof PolicyDenied ? refusal.denial : null;
    if (noted.has(mark) && !denied) return;
    const isRead = denied?.action === 'download' || denied?.action === 'read';
    const refusedReads = (reads.get(keyId) ?? 0) + (isRead ? 1 : 0);
    if (isRead) reads.set(keyId, refusedReads);
    const merged = isRead && refusedReads > limits.write_requests_per_minute;
    const note = async (tx: Tx): Promise<void> => {
      if (denied) await recordRefusal(tx, origin, denied, merged);
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
