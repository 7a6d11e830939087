import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Reads pictures and makes renditions. Its tasks come with the image library. */
export function startImaging(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'imaging', slots);
}
