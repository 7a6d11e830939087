import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Recognises pages. Each slot keeps one engine child busy. */
export function startOcr(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'ocr', slots);
}
