import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { query, type Tx } from '../db/transaction.ts';
import { workerTimeout } from '../outbox/pause.ts';

/** The state of a queue in Postgres. `webhooks` counts deliveries, the other queues tasks. */
export interface QueueState {
  queue: QueueName;
  paused_at: Date | null;
  pause_reason: string | null;
  /** Due and not claimed. */
  due: number;
  /** Due at a later time. */
  later: number;
  running: number;
  /** The age of the oldest due task. */
  oldest_due_seconds: number | null;
  /** The number of live worker processes, and the total of their slots. */
  workers: number;
  slots: number;
}

/** The state of all queues. `tx` must be a transaction of the owner. */
export async function readQueueStates(tx: Tx): Promise<QueueState[]> {
  return query<QueueState>(
    tx,
    `WITH work AS (
       SELECT queue, state = 'running' AS running, due_at FROM task
       UNION ALL
       SELECT 'webhooks', lease_until IS NOT NULL, due_at FROM due_delivery
     ), counted AS (
       SELECT queue, count(*) FILTER (WHERE running) AS running,
         count(*) FILTER (WHERE NOT running AND due_at <= now()) AS due,
         count(*) FILTER (WHERE NOT running AND due_at > now()) AS later,
         extract(epoch FROM now() - min(due_at) FILTER (WHERE NOT running AND due_at <= now()))
           AS oldest FROM work GROUP BY queue
     ), live AS (
       SELECT queue, count(*) AS workers, sum(slots)::integer AS slots FROM worker
       WHERE seen_at > now() - interval '${workerTimeout}' GROUP BY queue
     )
     SELECT q.queue, p.paused_at, p.reason AS pause_reason, coalesce(c.due, 0) AS due,
       coalesce(c.later, 0) AS later, coalesce(c.running, 0) AS running,
       round(c.oldest)::integer AS oldest_due_seconds, coalesce(l.workers, 0) AS workers,
       coalesce(l.slots, 0) AS slots
     FROM unnest($1::text[]) WITH ORDINALITY AS q (queue, place)
     LEFT JOIN queue_pause p USING (queue) LEFT JOIN counted c USING (queue)
     LEFT JOIN live l USING (queue) ORDER BY q.place`,
    [queueNames],
  );
}

/** The number of running tasks of a queue, or of deliveries for `webhooks`. */
export async function countRunning(tx: Tx, queue: QueueName): Promise<number> {
  const [row] = await query<{ n: number }>(
    tx,
    queue === 'webhooks'
      ? 'SELECT count(*) AS n FROM due_delivery WHERE lease_until IS NOT NULL'
      : `SELECT count(*) AS n FROM task WHERE queue = $1 AND state = 'running'`,
    queue === 'webhooks' ? [] : [queue],
  );
  return row!.n;
}
