import { sweepBytes } from '../library/bytes/sweep.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import type { WorkerDeps } from './deps.ts';

const intervalSeconds = 24 * 3_600;
/** Longer than any upload or job takes between storing bytes and inserting their row. */
const graceMs = 24 * 3_600_000;
/** Maximum number of files that a run checks; takes much less than its deadline, also on S3. */
const maxPerRun = 100_000;

/**
 * Removes bytes that no row of a project references. Runs again immediately if there is more to
 * check, otherwise in a day.
 * @param grace how long unreferenced bytes are kept, in milliseconds
 */
export async function sweepProject(
  deps: Pick<WorkerDeps, 'storage' | 'database'>,
  run: TaskRun<'project.sweep'>,
  grace: number = graceMs,
): Promise<void> {
  const { projectId, payload } = run.task;
  const { seen, removed, next } = await sweepBytes(deps, projectId, {
    graceMs: grace,
    after: payload.after,
    limit: maxPerRun,
    signal: run.signal,
  });
  run.log.info({ seen, removed }, 'swept unreferenced bytes');
  await run.finish(
    async () => undefined,
    async (tx) => {
      await schedule(tx, projectId, projectId, {
        kind: 'project.sweep',
        payload: next === null ? {} : { after: next },
        dueInSeconds: next === null ? intervalSeconds : 0,
      });
    },
  );
}
