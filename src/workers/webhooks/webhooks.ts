import type { Logger } from '../../logger.ts';
import { claimedByNumbering } from '../../webhooks/delivery/sending/claim.ts';
import { type Courier, createCourier } from '../../webhooks/delivery/sending/deliver.ts';
import type { Dispatch } from '../../webhooks/relay/deliver-numbered.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { startQueueWorker } from '../runtime.ts';

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

/**
 * How many endpoints are served without a hint at once; more are left to hints, which any worker
 * takes.
 */
const maxServed = 50;

/** Sends webhooks in the process that numbers their events. */
export interface LocalSender {
  room: Courier['room'];
  /** Sends deliveries that were leased to this process, and serves endpoints with something due. */
  take(dispatch: Pick<Dispatch, 'now' | 'waiting'>): { left: string[]; done: Promise<void> };
  /** Serves no endpoint any further; still sends what is leased to this process. */
  stop(): void;
}

export function createLocalSender(courier: Courier, logger: Logger): LocalSender {
  /** Endpoints being served; true when something became due meanwhile, or there is room again. */
  const serving = new Map<string, boolean>();
  /** How many attempts leased by numbering have no answer yet, by endpoint. */
  const unanswered = new Map<string, number>();
  /** Endpoints whose due deliveries had no room: served when one of these attempts is answered. */
  const crowded = new Set<string>();
  let stopped = false;

  const serve = async (endpointId: string): Promise<void> => {
    if (stopped) return;
    if (serving.has(endpointId)) {
      serving.set(endpointId, true);
      return;
    }
    let more: boolean;
    do {
      serving.set(endpointId, false);
      const served = await courier.serve(endpointId).catch((error: unknown) => {
        // It is soon handed over to a worker.
        logger.warn({ err: error, webhook_id: endpointId }, 'could not serve an endpoint at once');
        return null;
      });
      more = served !== null && (served.more || serving.get(endpointId) === true);
    } while (more && !stopped);
    serving.delete(endpointId);
    // Deliveries may be left that had no room beside these attempts.
    if (unanswered.has(endpointId)) crowded.add(endpointId);
  };

  return {
    room: courier.room,
    take({ now, waiting }) {
      const claimed = claimedByNumbering(now);
      for (const { endpoint } of claimed) {
        unanswered.set(endpoint.id, (unanswered.get(endpoint.id) ?? 0) + 1);
      }
      const under: Promise<void>[] = [];
      const sent = courier.deliver(claimed, ({ endpoint: { id } }) => {
        const open = unanswered.get(id)! - 1;
        if (open > 0) unanswered.set(id, open);
        else unanswered.delete(id);
        if (crowded.delete(id) || serving.has(id)) under.push(serve(id));
      });
      const left: string[] = [];
      for (const id of waiting) {
        if (!stopped && (serving.has(id) || serving.size < maxServed)) under.push(serve(id));
        else left.push(id);
      }
      return { left, done: sent.then(async () => void (await Promise.all(under))) };
    },
    stop() {
      stopped = true;
    },
  };
}
