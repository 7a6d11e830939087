import { randomUUID } from 'node:crypto';
import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import type { Database } from '../../db/database.ts';
import { faultOf } from '../../db/faults.ts';
import { freesLocksSoon } from '../../db/statements/rows.ts';
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

/** What was handed over and not claimed for this long is handed over again, unless its hint waits. */
const unclaimedAfter = '10 seconds';

/** Since when leases could be renewed, in SQL. A promoted standby may have been running for long. */
const available = `greatest(pg_postmaster_start_time(), now() - $1 * interval '1 second')`;

/**
 * Makes tasks due again whose lease expired: their worker died or hung, which counts as a crash. A
 * lease that expired while Postgres was unavailable could not be renewed and does not count; after an
 * outage, workers may first renew theirs.
 */
export async function expireLeases(tx: Tx, outages: Outages = watchOutages()): Promise<number> {
  // The transaction has the time of this packet: no lease is late because Postgres froze after it.
  await prepared(tx, `SELECT ${freesLocksSoon}`, []);
  outages.note();
  if (outages.isRecovering()) return 0;
  readInIndexOrder(tx);
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, due_at = now(),
       crashes = crashes + CASE WHEN lease_until < ${available} THEN 0 ELSE 1 END,
       last_error = CASE WHEN lease_until < ${available}
         THEN 'Postgres was unavailable' ELSE 'its worker stopped responding' END
     WHERE id = ANY(ARRAY(SELECT id FROM task WHERE state = 'running' AND lease_until < now()
       ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [outages.secondsSince()],
  );
  outages.note();
  return rows.length;
}

/** How many hints are looked up at once. */
const lookedFor = 500;

/**
 * Takes back what was handed over a while ago, was not claimed, and has no hint that waits for a
 * worker: the hint is lost, or was taken by a worker that died before its claim.
 */
export async function recoverUnclaimed(
  database: Database,
  queues: Queues,
  endpoints: Pick<EndpointQueue, 'unclaimed' | 'takeBack'>,
): Promise<number> {
  let retaken = 0;
  for (let after = ''; ; ) {
    const tasks = await inTransaction(database, (tx) => unclaimedTasks(tx, after));
    const lost = await withoutHint(tasks, (task) =>
      isWaiting(queues[task.queue], taskHintId(task.id, task.handed_ms)),
    );
    const ids = lost.map(({ id }) => id);
    if (lost.length > 0) retaken += await inOnePacket(database, (tx) => takeBackTasks(tx, ids));
    if (tasks.length < lookedFor) break;
    after = tasks.at(-1)!.id;
  }
  const handed = await inReadTransaction(database, (tx) => endpoints.unclaimed(tx, unclaimedAfter));
  const lost = await withoutHint(handed, (endpoint) =>
    isWaiting(queues.webhooks, endpointHintId(endpoint)),
  );
  if (lost.length === 0) return retaken;
  return retaken + (await inOnePacket(database, (tx) => endpoints.takeBack(tx, lost)));
}

async function withoutHint<T>(
  handed: readonly T[],
  hasHint: (one: T) => Promise<boolean>,
): Promise<T[]> {
  const has = await Promise.all(handed.map(hasHint));
  return handed.filter((_, at) => !has[at]);
}

/** Whether a hint waits for a worker. One that is taken is followed by a claim at once, or never. */
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
     ORDER BY id LIMIT ${lookedFor}`,
    [queueNames, after],
  );
}

/** Marks tasks as having no hint. Locked tasks can wait. */
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
 * Detects a wiped Redis by a missing marker. Everything handed over and not claimed is then taken
 * back, to be handed over again.
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
  const taken = await inTransaction(database, async (tx) => {
    const tasks = await prepared<{ id: string }>(
      tx,
      `UPDATE task SET handed_at = NULL WHERE state = 'pending' AND handed_at IS NOT NULL RETURNING id`,
      [],
    );
    return tasks.length + (await endpoints.takeBack(tx, 'all'));
  });
  await redis.set(marker, randomUUID());
  return taken;
}

/** Creates partitions ahead of time, and removes workers that stopped long ago. */
export async function tendTables(tx: Tx): Promise<void> {
  await prepared(tx, 'SELECT partitions_ensure()', []);
  await prepared(tx, `DELETE FROM worker WHERE seen_at < now() - interval '1 hour'`, []);
}

/** Dropping a table waits this long at most, since later statements queue behind it. */
const dropWait = '200ms';
/**
 * The table is in use (lock_not_available), or contains something that is still due
 * (object_in_use).
 */
const notNow: ReadonlySet<unknown> = new Set(['55P03', '55006', '40P01']);

/**
 * Drops the weeks of events, deliveries and attempts that are past retention, each in its own
 * transaction. A table in use is retried later.
 * @returns how many tables were dropped, and whether none is left to drop
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

/**
 * Relays reach Postgres every second. After a longer pause than this, workers may have missed a renewal
 * of their leases as well.
 */
const pauseMs = renewalSeconds * 1_000;
/** Within this time workers renew their leases once Postgres is back. */
const recoveryMs = pauseMs + 1_000;

/** Tells workers that died from those that could not renew their leases because Postgres was away. */
export interface Outages {
  /** Notes that Postgres has answered. */
  note(): void;
  /** Postgres is back, and workers are about to renew their leases. */
  isRecovering(): boolean;
  /** Since when workers have been able to renew their leases, in seconds; null without an outage. */
  secondsSince(): number | null;
}

/** @param now monotonic, in milliseconds */
export function watchOutages(now: () => number = () => performance.now()): Outages {
  let answered = now();
  let recovered: number | null = null;
  return {
    note() {
      if (now() - answered > pauseMs) recovered = now() + recoveryMs;
      answered = now();
    },
    isRecovering: () => recovered !== null && now() < recovered,
    secondsSince: () => (recovered === null ? null : (now() - recovered) / 1_000),
  };
}
