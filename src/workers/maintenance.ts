import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Purges expired trash, and tidies projects. */
export function startMaintenance(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'maintenance', slots);
}
