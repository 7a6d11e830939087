import { randomUUID } from 'node:crypto';
import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import type { Database } from '../../db/database.ts';
import { errorFieldsOf } from '../../db/errors.ts';
import { shortIdleTimeoutSql } from '../../db/statements/rows.ts';
import {
  inOnePacket,
  inReadTransaction,
  inTransaction,
  prepared,
  type Tx,
} from '../../db/transaction.ts';
import { prefixOf, type Redis } from '../../queues/connection.ts';
import type { Queues } from '../../queues/hints.ts';
import { renewalSeconds } from '../lease-queries.ts';
import { readInIndexOrder } from './due-task-queries.ts';
import { endpointHintId, taskHintId } from './hand-over.ts';
import type { EndpointQueue } from './webhooks.ts';

/** After this time, unclaimed work is handed over again, unless its hint still waits. */
const unclaimedAfter = '10 seconds';

/** SQL: since when leases could be renewed. A promoted standby may have started much earlier. */
const availableSince = `greatest(pg_postmaster_start_time(), now() - $1 * interval '1 second')`;

/**
 * Makes tasks due again whose lease has expired because their worker died or hung, which counts as a
 * crash. A lease that could not be renewed because Postgres was unavailable does not count; after an
 * outage, workers first get time to renew theirs.
 */
export async function expireLeases(tx: Tx, outages: Outages = watchOutages()): Promise<number> {
  // The time of the transaction is that of this packet, so a later freeze of Postgres expires no lease.
  await prepared(tx, `SELECT ${shortIdleTimeoutSql}`, []);
  outages.recordAnswer();
  if (outages.isRecovering()) return 0;
  readInIndexOrder(tx);
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, due_at = now(),
       crashes = crashes + CASE WHEN lease_until < ${availableSince} THEN 0 ELSE 1 END,
       last_error = CASE WHEN lease_until < ${availableSince}
         THEN 'Postgres was unavailable' ELSE 'its worker stopped responding' END
     WHERE id = ANY(ARRAY(SELECT id FROM task WHERE state = 'running' AND lease_until < now()
       ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [outages.secondsSinceOutage()],
  );
  outages.recordAnswer();
  return rows.length;
}

/** Number of hints that are looked up together. */
const lookupBatch = 500;

/**
 * Takes back tasks and endpoints that were handed over a while ago, are unclaimed, and have no waiting
 * hint: the hint was lost, or taken by a worker that died before its claim.
 */
export async function recoverUnclaimed(
  database: Database,
  queues: Queues,
  endpoints: Pick<EndpointQueue, 'unclaimed' | 'takeBack'>,
): Promise<number> {
  let recovered = 0;
  for (let after = ''; ; ) {
    const tasks = await inTransaction(database, (tx) => unclaimedTasks(tx, after));
    const lost = await filterWithoutHint(tasks, (task) =>
      isWaiting(queues[task.queue], taskHintId(task.id, task.handed_ms)),
    );
    const ids = lost.map(({ id }) => id);
    if (lost.length > 0) recovered += await inOnePacket(database, (tx) => takeBackTasks(tx, ids));
    if (tasks.length < lookupBatch) break;
    after = tasks.at(-1)!.id;
  }
  const handed = await inReadTransaction(database, (tx) => endpoints.unclaimed(tx, unclaimedAfter));
  const lost = await filterWithoutHint(handed, (endpoint) =>
    isWaiting(queues.webhooks, endpointHintId(endpoint)),
  );
  if (lost.length === 0) return recovered;
  return recovered + (await inOnePacket(database, (tx) => endpoints.takeBack(tx, lost)));
}

async function filterWithoutHint<T>(
  handed: readonly T[],
  hasHint: (item: T) => Promise<boolean>,
): Promise<T[]> {
  const haveHints = await Promise.all(handed.map(hasHint));
  return handed.filter((_, at) => !haveHints[at]);
}

/** Whether a hint waits for a worker. A worker that takes a hint claims immediately, or never. */
async function isWaiting(queue: Queues[QueueName], hintId: string): Promise<boolean> {
  const state = await queue.getJobState(hintId);
  return state === 'waiting' || state === 'prioritized';
}

interface UnclaimedTask {
  id: string;
  queue: QueueName;
  handed_ms: number;
}

/** Only due tasks are handed over, so tasks due later are not read. */
function unclaimedTasks(tx: Tx, after: string): Promise<UnclaimedTask[]> {
  readInIndexOrder(tx);
  return prepared<UnclaimedTask>(
    tx,
    `SELECT id, queue, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms
     FROM unnest($1::text[]) AS q (name), LATERAL (
       SELECT id, queue, handed_at FROM task
       WHERE queue = q.name AND state = 'pending' AND due_at <= now()
         AND handed_at < now() - interval '${unclaimedAfter}' AND id > $2 ORDER BY due_at) t
     ORDER BY id LIMIT ${lookupBatch}`,
    [queueNames, after],
  );
}

/** Marks tasks as having no hint. Skips locked tasks until the next run. */
async function takeBackTasks(tx: Tx, ids: readonly string[]): Promise<number> {
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE task SET handed_at = NULL WHERE id = ANY(ARRAY(
       SELECT id FROM task WHERE id = ANY($1) AND state = 'pending' FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [ids],
  );
  return rows.length;
}

/**
 * Detects a wiped Redis by a missing marker. All unclaimed tasks and endpoints are then taken back, to
 * be handed over again.
 * @returns how many rows were taken back
 */
export async function recoverWipedRedis(
  database: Database,
  redis: Redis,
  endpoints: Pick<EndpointQueue, 'takeBack'>,
): Promise<number> {
  const marker = `${prefixOf(redis)}:marker`;
  if (await redis.exists(marker)) return 0;
  // The rows come first: if the relay dies here, the marker is still missing and the next relay
  // starts over.
  const takenBack = await inTransaction(database, async (tx) => {
    const tasks = await prepared<{ id: string }>(
      tx,
      `UPDATE task SET handed_at = NULL WHERE state = 'pending' AND handed_at IS NOT NULL RETURNING id`,
      [],
    );
    return tasks.length + (await endpoints.takeBack(tx, 'all'));
  });
  await redis.set(marker, randomUUID());
  return takenBack;
}

/** Creates partitions ahead of time, and removes workers that stopped long ago. */
export async function maintainTables(tx: Tx): Promise<void> {
  await prepared(tx, 'SELECT partitions_ensure()', []);
  await prepared(tx, `DELETE FROM worker WHERE seen_at < now() - interval '1 hour'`, []);
}

/** How long dropping a table waits for its lock, since later statements queue behind it. */
const dropLockTimeout = '200ms';
/**
 * Errors after which dropping is retried: the table is in use (lock_not_available) or has due rows
 * (object_in_use), or the transaction deadlocked.
 */
const retryableCodes: ReadonlySet<unknown> = new Set(['55P03', '55006', '40P01']);

/**
 * Drops the weeks of events, deliveries and attempts that are past retention, each in a separate
 * transaction. A table in use is retried later.
 * @returns how many tables were dropped, and whether no others are left to drop
 */
export async function dropExpired(
  database: Database,
  retentionDays: number,
): Promise<{ dropped: number; isComplete: boolean }> {
  for (let dropped = 0; ; ) {
    try {
      const tables = await inTransaction(database, async (tx) => {
        await prepared(tx, `SELECT set_config('lock_timeout', $1, true)`, [dropLockTimeout]);
        const [row] = await prepared<{ n: number }>(
          tx,
          `SELECT partitions_drop($1 * interval '1 day') AS n`,
          [retentionDays],
        );
        return row!.n;
      });
      if (tables === 0) return { dropped, isComplete: true };
      dropped += tables;
    } catch (error) {
      if (!retryableCodes.has(errorFieldsOf(error).code)) throw error;
      return { dropped, isComplete: false };
    }
  }
}

/**
 * Relays query Postgres every second. If it does not answer for longer than this, workers may have
 * missed a renewal of their leases.
 */
const outageMs = renewalSeconds * 1_000;
/** Within this time workers renew their leases once Postgres is back. */
const recoveryMs = outageMs + 1_000;

/** Distinguishes workers that died from those that could not renew leases during an outage. */
export interface Outages {
  /** Records that Postgres has answered. */
  recordAnswer(): void;
  /** Whether Postgres has just recovered, and workers are about to renew their leases. */
  isRecovering(): boolean;
  /** For how many seconds workers have been able to renew their leases; null without an outage. */
  secondsSinceOutage(): number | null;
}

/** @param now monotonic, in milliseconds */
export function watchOutages(now: () => number = () => performance.now()): Outages {
  let lastAnswer = now();
  let recovered: number | null = null;
  return {
    recordAnswer() {
      if (now() - lastAnswer > outageMs) recovered = now() + recoveryMs;
      lastAnswer = now();
    },
    isRecovering: () => recovered !== null && now() < recovered,
    secondsSinceOutage: () => (recovered === null ? null : (now() - recovered) / 1_000),
  };
}
