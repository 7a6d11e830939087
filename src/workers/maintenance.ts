import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Purges what its time in the trash has ended, and tidies projects. */
export function startMaintenance(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'maintenance', slots);
}
