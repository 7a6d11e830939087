import { deliverTo } from '../webhooks/deliver.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startQueueWorker } from './runtime.ts';

/** Sends what is due to endpoints: each hint names one, and one slot serves it. */
export function startWebhooks(deps: WorkerDeps, slots: number): RunningWorker {
  const worker = startQueueWorker(deps, 'webhooks', slots, async ({ endpoint_id: endpointId }) => {
    if (typeof endpointId !== 'string') return 'not a hint';
    const sent = await deliverTo(deps, endpointId);
    // What was settled may be published or due again, and the endpoint has room for more.
    if (sent > 0) deps.wake();
    return `${sent} sent`;
  });
  const heartbeat = startHeartbeat(deps, 'webhooks', slots);
  return {
    async stop() {
      await Promise.all([heartbeat.stop(), worker.close()]);
    },
  };
}
