import { createCourier } from '../../webhooks/delivery/sending/deliver.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { startQueueWorker } from '../runtime.ts';
import { createLocalSender } from './local-sender.ts';

/**
 * Delivers webhooks: each hint names an endpoint, which one slot then serves for a while. A relay in
 * the same process passes deliveries directly.
 */
export function startWebhooks(deps: WorkerDeps, slots: number): RunningWorker {
  const courier = createCourier({ ...deps, observeAttempt: deps.metrics.observeAttempt });
  deps.metrics.gaugeOpenAttempts(courier.open);
  const sender = createLocalSender(courier, deps.logger);
  deps.local.sender = sender;
  const serve = async (endpointId: string): Promise<string> => {
    const { begun, more } = await courier.serve(endpointId);
    // Its turn has ended; the rest is handed over again, to any worker with room.
    if (more) deps.wake();
    return `${begun} begun`;
  };
  const worker = startQueueWorker(deps, 'webhooks', slots, async ({ endpoint_id: endpointId }) =>
    typeof endpointId === 'string' ? serve(endpointId) : 'not a hint',
  );
  const heartbeat = startHeartbeat(deps, 'webhooks', slots);
  return {
    async stop() {
      // Deliveries that a relay has leased to this process are still sent: the relay waits for
      // them. What else is due is left to other processes.
      sender.stop();
      if (deps.local.sender === sender) deps.local.sender = null;
      await Promise.all([heartbeat.stop(), worker.close()]);
      await courier.idle();
    },
  };
}
