import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Produces text for language models. Each slot keeps one engine child busy. */
export function startNormalize(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'normalize', slots);
}
