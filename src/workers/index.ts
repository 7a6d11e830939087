import { availableParallelism } from 'node:os';
import type { QueueName } from '../contracts/queues.ts';
import { startClassify } from './classify.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startImaging } from './imaging.ts';
import { startMaintenance } from './maintenance.ts';
import { startNormalize } from './normalize.ts';
import { startOcr } from './ocr.ts';
import { startRedact } from './redact.ts';
import { startRelay } from './relay/relay.ts';
import { startWebhooks } from './webhooks.ts';

interface WorkerKind {
  start(deps: WorkerDeps, slots: number): RunningWorker;
  /** How many tasks it holds at once, unless WORKER_SLOTS is set. */
  slots: number;
}

const cores = availableParallelism();

/** The worker of each queue. A missing entry does not compile. */
export const workerKinds: { [Q in QueueName]: WorkerKind } = {
  relay: { start: startRelay, slots: 1 },
  webhooks: { start: startWebhooks, slots: 50 },
  ocr: { start: startOcr, slots: cores },
  redact: { start: startRedact, slots: cores },
  normalize: { start: startNormalize, slots: cores },
  classify: { start: startClassify, slots: cores },
  imaging: { start: startImaging, slots: cores },
  maintenance: { start: startMaintenance, slots: 2 },
};
