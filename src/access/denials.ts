import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import type { Database } from '../db/database.ts';
import { insertNew } from '../db/statements/rows.ts';
import { inProject, type Tx } from '../db/transaction.ts';
import { NotedDenial } from '../entities/access/denial.ts';
import { record } from '../outbox/record.ts';
import { PolicyDenied, recordDenied } from '../policies/denials.ts';
import type { FairQueue } from './fair-queue.ts';

/** Records that a caller was denied something in its own project. */
export type NoteDenial = (origin: Origin, problem: Problem, operation: string) => Promise<void>;

const currentMinute = (): string => `date_trunc('minute', now())`;

/**
 * Creates the recorder of denials: at most one event per caller, code and minute, in its own transaction,
 * since that of the denied request is rolled back. What this process has already recorded needs no
 * transaction, so that a flood of denials costs next to nothing. Denials by policies are recorded each
 * time. Rate limits bound writes but not reads of bytes; so above a key's limit of writes per minute,
 * denials by the same rule of the same resource are one event.
 */
export function createDenialNotes(
  database: Database,
  fairQueue: FairQueue,
  now: () => number = Date.now,
): NoteDenial {
  let minute = 0;
  let noted = new Set<string>();
  let reads = new Map<string, number>();
  return async (origin, problem, operation) => {
    const { code } = problem;
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      noted = new Set();
      reads = new Map();
    }
    const callerId = origin.actor.id ?? '';
    const mark = `${callerId}:${code}`;
    // Denials by policies are recorded each time.
    const denied = problem instanceof PolicyDenied ? problem.denial : null;
    if (noted.has(mark) && !denied) return;
    const isRead = denied?.action === 'download' || denied?.action === 'read';
    const deniedReads = (reads.get(callerId) ?? 0) + (isRead ? 1 : 0);
    if (isRead) reads.set(callerId, deniedReads);
    const merged = isRead && deniedReads > limits.write_requests_per_minute;
    const note = async (tx: Tx): Promise<void> => {
      if (denied) await recordDenied(tx, origin, denied, merged);
      const mark = { projectId: origin.projectId, keyId: callerId, code, minute: currentMinute };
      if (!(await insertNew(tx, NotedDenial, mark))) return;
      const data = { code, operation };
      const { type } = origin.actor;
      const who = { resourceId: callerId, ...(type !== 'api_key' && { resource: type }) };
      await record(tx, origin, { type: 'access.request.denied', ...who, data });
    };
    // Never rejected because of the number of waiting requests: denials must be recorded.
    await fairQueue.run({ project: origin.projectId, key: callerId, patient: true }, 'quick', () =>
      inProject(database, origin.projectId, note),
    );
    noted.add(mark);
  };
}
