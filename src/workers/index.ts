import { availableParallelism } from 'node:os';
import type { QueueName, WorkerName } from '@scriptorium/contracts/work/queues';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startRelay } from './relay/relay.ts';
import { startTaskWorker } from './runtime.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

interface WorkerKind {
  start(deps: WorkerDeps, slots: number): RunningWorker;
  /** Maximum number of concurrent tasks, unless WORKER_SLOTS is set. */
  slots: number;
}

const cores = availableParallelism();

/** The relay, and the worker of each queue. A missing entry does not compile. */
export const workerKinds: { [W in WorkerName]: WorkerKind } = {
  relay: { start: startRelay, slots: 1 },
  webhooks: { start: startWebhooks, slots: 50 },
  // Each slot keeps one engine child busy.
  ocr: taskWorker('ocr', cores),
  redact: taskWorker('redact', cores),
  normalize: taskWorker('normalize', cores),
  classify: taskWorker('classify', cores),
  imaging: taskWorker('imaging', cores),
  maintenance: taskWorker('maintenance', 2),
};

function taskWorker(queue: QueueName, slots: number): WorkerKind {
  return { start: (deps, slotCount) => startTaskWorker(deps, queue, slotCount), slots };
}
