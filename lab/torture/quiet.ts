import { setTimeout as delay } from 'node:timers/promises';
import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import type { Reader } from './readers.ts';
import type { World } from './world.ts';

type RowSource = Pick<World, 'rows'>;

/** Tasks that are due hours or days later. Any other task is due immediately. */
export const laterTasks: TaskKind[] = [
  'project.tidy',
  'project.sweep',
  'object.purge',
  'collection.purge',
  'upload.expire',
];

/** How long it must last: downloads and requests are counted in memory, and stored after 5 s. */
const quietPeriodMs = 6_000;

/**
 * Waits until nothing is due, everything is numbered and sent, and the readers have received
 * everything. The remaining work if that takes too long, or if there is no more progress.
 */
export async function untilQuiet(
  world: RowSource,
  readers: readonly Reader[],
  { quietMs, stillMs }: { quietMs: number; stillMs: number },
): Promise<string[]> {
  const end = Date.now() + quietMs;
  let previous: string[] = [];
  let lastChangeAt = Date.now();
  let lastPendingAt = Date.now();
  for (;;) {
    // Postgres may have been restarted while connections were open.
    const pending = await findPendingWork(world, readers).catch((error: unknown) => [
      String(error),
    ]);
    if (pending.length > 0) lastPendingAt = Date.now();
    if (Date.now() > lastPendingAt + quietPeriodMs) return [];
    if (pending.join() !== previous.join()) lastChangeAt = Date.now();
    previous = pending;
    if (pending.length > 0 && Date.now() > Math.min(end, lastChangeAt + stillMs)) return pending;
    await delay(200);
  }
}

async function findPendingWork(world: RowSource, readers: readonly Reader[]): Promise<string[]> {
  const rows = await world.rows<{ what: string }>(
    `SELECT 'task ' || kind || ' ' || state || ' ' || coalesce(last_error, '') AS what FROM task
       WHERE state <> 'pending' OR due_at <= now() OR kind <> ALL ($1)
     UNION ALL SELECT 'an event without sequence: ' || type FROM event WHERE sequence IS NULL
     UNION ALL SELECT 'an event to be fanned out: ' || type FROM event WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     UNION ALL SELECT 'a delivery is due: ' || endpoint_id || ' at ' || due_at || ', failures ' || failures FROM due_delivery
     UNION ALL SELECT 'a job is ' || state FROM job WHERE finished_at IS NULL`,
    [laterTasks],
  );
  const ends = await world.rows<{ project_id: string; category: string; last: number }>(
    'SELECT project_id, category, last FROM sequence_counter',
  );
  const laggingReaders = readers.flatMap((reader) => {
    const end = ends.find(
      (row) => row.project_id === reader.project && row.category === reader.category,
    );
    return end && reader.latest() < end.last
      ? [`${reader.name} is at ${reader.latest()} of ${end.last}`]
      : [];
  });
  return [...rows.map(({ what }) => what), ...laggingReaders];
}
