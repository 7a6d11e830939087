import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { Database } from '../../db/database.ts';
import { inTransaction, prepared } from '../../db/transaction.ts';
import type { Queues } from '../../queues/hints.ts';

/** The number of hints that are read at a time. */
const batchSize = 500;

/**
 * Removes hints from all queues whose task or webhook no longer exists, as after the deletion of a
 * project. Hints decide nothing, so this can run at any time.
 * @param database the workers' pool, which sees the tasks of all projects
 */
export async function removeOrphanedHints(database: Database, queues: Queues): Promise<number> {
  let removed = 0;
  for (const name of Object.keys(queues) as QueueName[]) {
    removed += await removeFrom(database, queues[name]);
  }
  return removed;
}

async function removeFrom(database: Database, queue: Queues[QueueName]): Promise<number> {
  let removed = 0;
  for (let start = 0; ; ) {
    // Hints in progress end by themselves.
    const listed = await queue.getJobs(
      ['waiting', 'prioritized', 'delayed', 'completed', 'failed'],
      start,
      start + batchSize - 1,
      true,
    );
    if (listed.length === 0) return removed;
    // Of a hint that was removed meanwhile, only the place is left.
    const hints = listed.filter((hint) => hint !== undefined);
    const idOf = (hint: (typeof hints)[number]) =>
      String(hint.data.task_id ?? hint.data.endpoint_id);
    const alive = new Set(await findAlive(database, hints.map(idOf)));
    const orphans = hints.filter((hint) => !alive.has(idOf(hint)));
    const ends = await Promise.allSettled(orphans.map((hint) => hint.remove()));
    // Removing fails for a hint that a worker has taken meanwhile.
    const count = ends.filter(({ status }) => status === 'fulfilled').length;
    removed += count;
    start += listed.length - count;
  }
}

async function findAlive(database: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await inTransaction(database, (tx) =>
    prepared<{ id: string }>(
      tx,
      `SELECT id FROM task WHERE id = ANY($1) UNION ALL
       SELECT id FROM webhook_endpoint WHERE id = ANY($1)`,
      [ids],
    ),
  );
  return rows.map(({ id }) => id);
}
