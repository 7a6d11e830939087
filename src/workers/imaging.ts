import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Looks at pictures, makes renditions and takes metadata out. Each slot keeps one child busy. */
export function startImaging(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'imaging', slots);
}
