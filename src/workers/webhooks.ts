import { type Job, Worker } from 'bullmq';
import { queuePrefix } from '../queues/connection.ts';
import { deliverTo } from '../webhooks/deliver.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';

/** Sends what is due to endpoints: each hint names one, and one slot serves it. */
export function startWebhooks(deps: WorkerDeps, slots: number): RunningWorker {
  const connection = deps.connect();
  const worker = new Worker(
    'webhooks',
    async (job: Job) => {
      const endpointId: unknown = job.data?.endpoint_id;
      if (typeof endpointId !== 'string') return 'not a hint';
      const sent = await deliverTo(deps, endpointId);
      // What was settled may be published or due again, and the endpoint has room for more.
      if (sent > 0) deps.wake();
      return `${sent} sent`;
    },
    {
      connection,
      prefix: queuePrefix,
      concurrency: slots,
      lockDuration: 60_000,
      maxStalledCount: 3,
      skipVersionCheck: true,
    },
  );
  worker.on('error', (error) => deps.logger.debug({ err: error }, 'queue worker error'));
  worker.on('failed', (_job, error) => deps.logger.error({ err: error }, 'a delivery run failed'));
  const heartbeat = startHeartbeat(deps, 'webhooks', slots);
  return {
    async stop() {
      await heartbeat.stop();
      await worker.close();
      connection.disconnect();
    },
  };
}
