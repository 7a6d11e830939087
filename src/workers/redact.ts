import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startTaskWorker } from './runtime.ts';

/** Redacts personal data. Its operation is still to come; the queue and its worker are there. */
export function startRedact(deps: WorkerDeps, slots: number): RunningWorker {
  return startTaskWorker(deps, 'redact', slots);
}
