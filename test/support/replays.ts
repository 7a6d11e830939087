import type { Database } from '../../src/db/database.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { workOnReplay } from '../../src/webhooks/replays/work.ts';
import { tryTask } from './tasks.ts';

/** Runs one step of a replay, as a worker of the maintenance queue does; false if none is left. */
export async function stepReplay(worker: Database, replayId: string): Promise<boolean> {
  const [task] = await inTransaction(worker, (tx) =>
    query<{ id: string }>(
      tx,
      `SELECT id FROM task WHERE kind = 'webhook.replay' AND resource_id = $1`,
      [replayId],
    ),
  );
  if (!task) return false;
  const run = await tryTask<'webhook.replay'>(worker, task.id);
  if (run) await workOnReplay({}, run);
  return true;
}
