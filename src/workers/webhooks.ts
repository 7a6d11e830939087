import { createCourier } from '../webhooks/delivery/deliver.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createLocalSender } from './local-sender.ts';
import { startQueueWorker } from './runtime.ts';

/**
 * Sends what is due to endpoints: each hint names one, and one slot serves it for a while. A relay in
 * the same process gives it deliveries without hints.
 */
export function startWebhooks(deps: WorkerDeps, slots: number): RunningWorker {
  const courier = createCourier({ ...deps, observeAttempt: deps.metrics.observeAttempt });
  deps.metrics.gaugeOpenAttempts(courier.open);
  const sender = createLocalSender(courier, deps.logger);
  deps.local.sender = sender;
  const worker = startQueueWorker(deps, 'webhooks', slots, async ({ endpoint_id: endpointId }) => {
    if (typeof endpointId !== 'string') return 'not a hint';
    const { begun, more } = await courier.serve(endpointId);
    // Its turn is over; what is left is handed over again, to whoever has room.
    if (more) deps.wake();
    return `${begun} begun`;
  });
  const heartbeat = startHeartbeat(deps, 'webhooks', slots);
  return {
    async stop() {
      // What a relay has leased to this process until now is still sent: it waits for that itself.
      if (deps.local.sender === sender) deps.local.sender = null;
      await Promise.all([heartbeat.stop(), worker.close()]);
      await courier.idle();
    },
  };
}
