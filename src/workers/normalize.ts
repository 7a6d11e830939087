import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Normalises documents for language models. Its operation is still to come. */
export function startNormalize(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'normalize', slots);
}
