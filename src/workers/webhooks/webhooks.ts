import type { Logger } from '../../logger.ts';
import { toClaimedDeliveries } from '../../webhooks/delivery/sending/claim.ts';
import {
  createWebhookSender,
  type WebhookSender,
} from '../../webhooks/delivery/sending/deliver.ts';
import type { Dispatch } from '../../webhooks/relay/deliver-numbered.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { startQueueWorker } from '../runtime.ts';

/**
 * Starts the worker that delivers webhooks. Each hint names an endpoint, which one slot serves for up
 * to a second. A relay in the same process passes deliveries directly.
 */
export function startWebhooks(deps: WorkerDeps, slots: number): RunningWorker {
  const webhookSender = createWebhookSender({
    ...deps,
    observeAttempt: deps.metrics.observeAttempt,
  });
  deps.metrics.gaugeOpenAttempts(webhookSender.open);
  const sender = createLocalSender(webhookSender, deps.logger);
  deps.local.sender = sender;
  const serve = async (endpointId: string): Promise<string> => {
    const { begun, more } = await webhookSender.serve(endpointId);
    // Its time is up; the endpoint is handed over again, to any worker with capacity.
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
      // them. Other due deliveries are left to other processes.
      sender.stop();
      if (deps.local.sender === sender) deps.local.sender = null;
      await Promise.all([heartbeat.stop(), worker.close()]);
      await webhookSender.idle();
    },
  };
}

/**
 * Maximum number of endpoints served without a hint at the same time. Others are handed over by hints,
 * which any worker can take.
 */
const maxServed = 50;

/** Sends webhooks in the process that numbers their events. */
export interface LocalSender {
  capacity: WebhookSender['capacity'];
  /** Sends deliveries leased to this process, and serves endpoints with due deliveries. */
  accept(dispatch: Pick<Dispatch, 'immediate' | 'waiting'>): {
    left: string[];
    done: Promise<void>;
  };
  /** Stops serving endpoints; deliveries leased to this process are still sent. */
  stop(): void;
}

export function createLocalSender(webhookSender: WebhookSender, logger: Logger): LocalSender {
  /** Endpoints being served; true if they must be served again afterwards. */
  const serving = new Map<string, boolean>();
  /** The number of attempts leased by numbering without a response yet, by endpoint. */
  const unanswered = new Map<string, number>();
  /** Endpoints at their limit: served again when one of these attempts gets a response. */
  const awaitingCapacity = new Set<string>();
  let stopped = false;

  const serve = async (endpointId: string): Promise<void> => {
    if (stopped) return;
    if (serving.has(endpointId)) {
      serving.set(endpointId, true);
      return;
    }
    let hasMore: boolean;
    do {
      serving.set(endpointId, false);
      const served = await webhookSender.serve(endpointId).catch((error: unknown) => {
        // It is soon handed over to a worker.
        logger.warn({ err: error, webhook_id: endpointId }, 'could not serve an endpoint at once');
        return null;
      });
      hasMore = served !== null && (served.more || serving.get(endpointId) === true);
    } while (hasMore && !stopped);
    serving.delete(endpointId);
    // These attempts may have kept other due deliveries from being sent.
    if (unanswered.has(endpointId)) awaitingCapacity.add(endpointId);
  };

  return {
    capacity: webhookSender.capacity,
    accept({ immediate, waiting }) {
      const claimed = toClaimedDeliveries(immediate);
      for (const { endpoint } of claimed) {
        unanswered.set(endpoint.id, (unanswered.get(endpoint.id) ?? 0) + 1);
      }
      const inProgress: Promise<void>[] = [];
      const sent = webhookSender.deliver(claimed, ({ endpoint: { id } }) => {
        const open = unanswered.get(id)! - 1;
        if (open > 0) unanswered.set(id, open);
        else unanswered.delete(id);
        if (awaitingCapacity.delete(id) || serving.has(id)) inProgress.push(serve(id));
      });
      const remaining: string[] = [];
      for (const id of waiting) {
        if (!stopped && (serving.has(id) || serving.size < maxServed)) inProgress.push(serve(id));
        else remaining.push(id);
      }
      return { left: remaining, done: sent.then(async () => void (await Promise.all(inProgress))) };
    },
    stop() {
      stopped = true;
    },
  };
}
