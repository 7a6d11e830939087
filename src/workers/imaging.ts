import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Reads images, makes renditions and strips metadata. Each slot keeps one child busy. */
export function startImaging(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'imaging', slots);
}
