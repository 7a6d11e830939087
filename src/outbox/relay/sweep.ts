import { randomUUID } from 'node:crypto';
import type { QueueName } from '../../contracts/queues.ts';
import type { Database } from '../../db/database.ts';
import { faultOf } from '../../db/faults.ts';
import { byKey, inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import type { Redis } from '../../queues/connection.ts';
import { queuePrefix } from '../../queues/connection.ts';
import type { Queues } from '../../queues/hints.ts';
import { inOrder } from './due-tasks.ts';
import { taskHintId, workQueues } from './hand-over.ts';

/** A hint that nobody took for this long is looked for, and given anew when it is gone. */
const unclaimedAfter = '30 seconds';

/**
 * Makes tasks due again whose lease ran out: their worker died or lost its way, which counts as a
 * crash. A lease that ran out while Postgres was down could not be renewed by anybody: no crash.
 */
export async function sweepLeases(tx: Tx): Promise<number> {
  inOrder(tx);
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, due_at = now(),
       crashes = crashes + CASE WHEN lease_until < pg_postmaster_start_time() THEN 0 ELSE 1 END,
       last_error = CASE WHEN lease_until < pg_postmaster_start_time()
         THEN 'Postgres was away' ELSE 'its worker went silent' END
     WHERE id = ANY(ARRAY(SELECT id FROM task WHERE state = 'running' AND lease_until < now()
       ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [],
  );
  return rows.length;
}

/** How many hints are looked for at once. */
const lookedFor = 500;

/** Takes back what was handed over long ago, was not claimed, and is in no queue any more. */
export async function sweepUnclaimed(database: Database, queues: Queues): Promise<number> {
  let retaken = 0;
  for (let after = ''; ; ) {
    const tasks = await inTransaction(database, (tx) => unclaimedTasks(tx, after));
    const there = await Promise.all(tasks.map((task) => hasHint(queues[task.queue], task)));
    const lost = tasks.filter((_task, at) => !there[at]).map(({ id }) => id);
    if (lost.length > 0) retaken += await inTransaction(database, (tx) => takeBackTasks(tx, lost));
    if (tasks.length < lookedFor) break;
    after = tasks.at(-1)!.id;
  }
  // A hint for an endpoint is cheap and a second one does no harm.
  return inTransaction(
    database,
    async (tx) => retaken + (await takeBackEndpoints(tx, `< now() - interval '${unclaimedAfter}'`)),
  );
}

interface UnclaimedTask {
  id: string;
  queue: QueueName;
  handed_ms: number;
}

/** What was handed over was due: what is due at a later time is not even looked at. */
function unclaimedTasks(tx: Tx, after: string): Promise<UnclaimedTask[]> {
  inOrder(tx);
  return prepared<UnclaimedTask>(
    tx,
    `SELECT id, queue, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms
     FROM unnest($1::text[]) AS q (name), LATERAL (
       SELECT id, queue, handed_at FROM task
       WHERE queue = q.name AND state = 'pending' AND due_at <= now()
         AND handed_at < now() - interval '${unclaimedAfter}' AND id > $2 ORDER BY due_at) t
     ORDER BY id LIMIT ${lookedFor}`,
    [workQueues, after],
  );
}

/** Whether the hint of a hand-over still waits for a worker, or is with one. */
async function hasHint(queue: Queues[QueueName], task: UnclaimedTask): Promise<boolean> {
  const hint = await queue.getJob(taskHintId(task.id, task.handed_ms));
  return hint !== undefined && !(await hint.isCompleted()) && !(await hint.isFailed());
}

/** Makes it known that tasks have no hint out; one that somebody is changing just now can wait. */
async function takeBackTasks(tx: Tx, ids: readonly string[]): Promise<number> {
  byKey(tx);
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE task SET handed_at = NULL WHERE id = ANY(ARRAY(
       SELECT id FROM task WHERE id = ANY($1) AND state = 'pending' FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [ids],
  );
  return rows.length;
}

/** Makes it known that endpoints have no hint out which were handed over at such a time. */
async function takeBackEndpoints(
  tx: Tx,
  when: 'IS NOT NULL' | `< now() - interval '${typeof unclaimedAfter}'`,
): Promise<number> {
  const rows = await prepared<{ endpoint_id: string }>(
    tx,
    `UPDATE webhook_flow SET handed_at = NULL WHERE endpoint_id IN (
       SELECT endpoint_id FROM webhook_flow WHERE handed_at ${when}
       ORDER BY endpoint_id FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING endpoint_id`,
    [],
  );
  return rows.length;
}

const markerKey = `${queuePrefix}:marker`;

/**
 * Notices a Redis that was wiped, by a marker that is gone: everything handed over and not claimed
 * is taken back at once, to be handed over again.
 * @returns how many rows were taken back
 */
export async function recoverWipedRedis(database: Database, redis: Redis): Promise<number> {
  if (await redis.exists(markerKey)) return 0;
  // The rows come first: a relay that dies here leaves no marker, and the next one starts over.
  const taken = await inTransaction(database, async (tx) => {
    const tasks = await prepared<{ id: string }>(
      tx,
      `UPDATE task SET handed_at = NULL WHERE state = 'pending' AND handed_at IS NOT NULL RETURNING id`,
      [],
    );
    return tasks.length + (await takeBackEndpoints(tx, 'IS NOT NULL'));
  });
  await redis.set(markerKey, randomUUID());
  return taken;
}

/** Keeps partitions ahead of time, and forgets workers long gone. */
export async function tendTables(tx: Tx): Promise<void> {
  await prepared(tx, 'SELECT partitions_ensure()', []);
  await prepared(tx, `DELETE FROM worker WHERE seen_at < now() - interval '1 hour'`, []);
}

/** Dropping waits no longer than this for each table: whoever comes after it waits as well. */
const dropWait = '200ms';
/** Somebody is reading or writing (lock_not_available), or something is still due (object_in_use). */
const notNow: ReadonlySet<unknown> = new Set(['55P03', '55006', '40P01']);

/**
 * Drops the weeks of events, deliveries and attempts that are past retention, each in a transaction of
 * its own. One that is in use is left for later.
 * @returns how many tables were dropped, and whether all were that should be
 */
export async function dropExpired(
  database: Database,
  retentionDays: number,
): Promise<{ dropped: number; complete: boolean }> {
  for (let dropped = 0; ; ) {
    try {
      const tables = await inTransaction(database, async (tx) => {
        await prepared(tx, `SELECT set_config('lock_timeout', $1, true)`, [dropWait]);
        const [row] = await prepared<{ n: number }>(
          tx,
          `SELECT partitions_drop($1 * interval '1 day') AS n`,
          [retentionDays],
        );
        return row!.n;
      });
      if (tables === 0) return { dropped, complete: true };
      dropped += tables;
    } catch (error) {
      if (!notNow.has(faultOf(error).code)) throw error;
      return { dropped, complete: false };
    }
  }
}
