import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Classifies documents. Each slot keeps one engine child busy. */
export function startClassify(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'classify', slots);
}
