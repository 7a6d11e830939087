import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Redacts personal data. Each slot keeps one engine child busy. */
export function startRedact(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'redact', slots);
}
