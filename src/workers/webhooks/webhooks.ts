import { inTransaction } from '../../db/transaction.ts';
import { answerCalls } from '../../queues/calls.ts';
import { createCourier } from '../../webhooks/delivery/sending/deliver.ts';
import { releaseEndpoints } from '../../webhooks/relay/hand-over.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { startQueueWorker } from '../runtime.ts';
import { createLocalSender } from './local-sender.ts';

/**
 * Delivers webhooks: each hint names an endpoint, which one slot then serves for a while. Relays
 * call for a few endpoints without hints, and a relay in the same process passes deliveries
 * directly.
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
  /** Work that relays have called for. */
  const called = new Set<Promise<void>>();
  const follow = (endpointIds: readonly string[], work: Promise<unknown>): void => {
    const over = work
      .then(
        () => undefined,
        (error: unknown) =>
          deps.logger.warn({ err: error, webhook_ids: endpointIds }, 'could not serve a call'),
      )
      .finally(() => called.delete(over));
    called.add(over);
  };
  const calls = answerCalls(deps.redis, deps.connect(), deps.workerId, (endpointIds) => {
    const room = courier.room().room > 0 ? Math.max(0, slots - called.size) : 0;
    for (const id of endpointIds.slice(0, room)) follow([id], serve(id));
    const left = endpointIds.slice(room);
    // Workers with room get hints.
    if (left.length > 0) follow(left, giveBack(left).then(deps.wake));
  });
  const giveBack = (ids: string[]): Promise<void> =>
    inTransaction(deps.database, (tx) => releaseEndpoints(tx, ids));
  const heartbeat = startHeartbeat(deps, 'webhooks', slots);
  return {
    async stop() {
      // Deliveries that a relay has leased to this process are still sent: the relay waits for
      // them. What else is due is left to other processes.
      sender.stop();
      if (deps.local.sender === sender) deps.local.sender = null;
      await Promise.all([heartbeat.stop(), worker.close(), calls.stop()]);
      await Promise.all(called);
      await courier.idle();
    },
  };
}
