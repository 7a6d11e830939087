import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Classifies documents. Its operation is still to come. */
export function startClassify(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'classify', slots);
}
