import { sweepBytes } from '../library/bytes/sweep.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import type { WorkerDeps } from './deps.ts';

const everySeconds = 24 * 3_600;
/** Longer than any upload or job takes from storing bytes to inserting their row. */
const graceMs = 24 * 3_600_000;
/** The work of one run: well within its deadline, on S3 too. */
const perRun = 100_000;

/**
 * Removes bytes that no row of a project references any more. Runs again at once while there is
 * more to check, else in a day.
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
    limit: perRun,
    signal: run.signal,
  });
  run.log.info({ seen, removed }, 'swept unreferenced bytes');
  await run.finish(
    async () => undefined,
    async (tx) => {
      await schedule(tx, projectId, projectId, {
        kind: 'project.sweep',
        payload: next === null ? {} : { after: next },
        dueInSeconds: next === null ? everySeconds : 0,
      });
    },
  );
}
