import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import type { Database } from '../db/database.ts';
import { insertNew } from '../db/statements/rows.ts';
import { inProject, type Tx } from '../db/transaction.ts';
import { DenialMarker } from '../entities/access/denial.ts';
import { record } from '../outbox/record.ts';
import { PolicyDenied, recordRolledBackDenial } from '../policies/denials.ts';
import type { FairQueue } from './fair-queue.ts';

/** Records that a caller was denied an operation in its project. */
export type RecordDenial = (origin: Origin, problem: Problem, operation: string) => Promise<void>;

const startOfMinute = (): string => `date_trunc('minute', now())`;

/**
 * Creates the recorder of denials: at most one event per caller, code and minute, in a separate
 * transaction, since that of the denied request is rolled back. A denial that this process has already
 * recorded needs no transaction, so a flood of denials is cheap. Denials by policies are recorded each
 * time. Rate limits bound writes, but not reads of bytes. If denied reads exceed a key's limit of writes
 * per minute, further denials of the same resource by the same rule are recorded as one event.
 */
export function createDenialRecorder(
  database: Database,
  fairQueue: FairQueue,
  now: () => number = Date.now,
): RecordDenial {
  let minute = 0;
  let recorded = new Set<string>();
  let deniedReadsByCaller = new Map<string, number>();
  return async (origin, problem, operation) => {
    const { code } = problem;
    const thisMinute = Math.floor(now() / 60_000);
    if (thisMinute !== minute) {
      minute = thisMinute;
      recorded = new Set();
      deniedReadsByCaller = new Map();
    }
    const callerId = origin.actor.id ?? '';
    const denialKey = `${callerId}:${code}`;
    // Denials by policies are not deduplicated here.
    const denied = problem instanceof PolicyDenied ? problem.denial : null;
    if (recorded.has(denialKey) && !denied) return;
    const isRead = denied?.action === 'download' || denied?.action === 'read';
    const deniedReads = (deniedReadsByCaller.get(callerId) ?? 0) + (isRead ? 1 : 0);
    if (isRead) deniedReadsByCaller.set(callerId, deniedReads);
    const isMerged = isRead && deniedReads > limits.write_requests_per_minute;
    const recordInProject = async (tx: Tx): Promise<void> => {
      if (denied) await recordRolledBackDenial(tx, origin, denied, isMerged);
      const notedDenial = {
        projectId: origin.projectId,
        keyId: callerId,
        code,
        minute: startOfMinute,
      };
      if (!(await insertNew(tx, DenialMarker, notedDenial))) return;
      const data = { code, operation };
      const { type } = origin.actor;
      const actorFields = { resourceId: callerId, ...(type !== 'api_key' && { resource: type }) };
      await record(tx, origin, { type: 'access.request.denied', ...actorFields, data });
    };
    // Not rejected if too many requests wait: denials must be recorded.
    await fairQueue.run(
      { project: origin.projectId, key: callerId, hasNoWaitLimit: true },
      'quick',
      () => inProject(database, origin.projectId, recordInProject),
    );
    recorded.add(denialKey);
  };
}
