import type { QueueName } from '@scriptorium/contracts/work/queues';
import { inTransaction, prepared } from '../db/transaction.ts';
import { type Loop, startLoop } from '../outbox/rounds.ts';
import type { WorkerDeps } from './deps.ts';

const beatMs = 5_000;

/** Reports that this process serves a queue with this many slots, until it is stopped. */
export function startHeartbeat(
  deps: WorkerDeps,
  queue: QueueName,
  slots: number,
): Pick<Loop, 'stop'> {
  const loop = startLoop(
    `heartbeat ${queue}`,
    { idleMs: beatMs, logger: deps.logger },
    async () => {
      await inTransaction(deps.database, (tx) =>
        prepared(
          tx,
          `INSERT INTO worker (id, queue, slots) VALUES ($1, $2, $3)
         ON CONFLICT (id, queue) DO UPDATE SET slots = excluded.slots, seen_at = now()`,
          [deps.workerId, queue, slots],
        ),
      );
      return false;
    },
  );
  return {
    async stop() {
      await loop.stop();
      await inTransaction(deps.database, (tx) =>
        prepared(tx, 'DELETE FROM worker WHERE id = $1 AND queue = $2', [deps.workerId, queue]),
      ).catch((error: unknown) =>
        deps.logger.warn({ err: error }, 'the last heartbeat could not be removed'),
      );
    },
  };
}
