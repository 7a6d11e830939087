import type { Logger } from '../logger.ts';
import type { Dispatch } from '../outbox/relay/number.ts';
import { claimedByNumbering } from '../webhooks/delivery/sending/claim.ts';
import type { Courier } from '../webhooks/delivery/sending/deliver.ts';

/** Endpoints that are served without a hint at once; more are left to hints, which any worker takes. */
const mostServed = 50;

/** Sends webhooks in the process that numbers their events. */
export interface LocalSender {
  room: Courier['room'];
  /**
   * Sends what was leased to this process, and serves endpoints that something waits for.
   * @returns the endpoints that it does not take on, and the end of what it does
   */
  take(dispatch: Pick<Dispatch, 'now' | 'waiting'>): { left: string[]; done: Promise<void> };
}

export function createLocalSender(courier: Courier, logger: Logger): LocalSender {
  /** Being served; true when something became due meanwhile, or there is room again. */
  const serving = new Map<string, boolean>();
  /** How many attempts are without an answer that numbering has leased. */
  const unanswered = new Map<string, number>();
  /** Something waits that had no room: served when one of these is answered. */
  const crowded = new Set<string>();

  const serve = async (endpointId: string): Promise<void> => {
    if (serving.has(endpointId)) {
      serving.set(endpointId, true);
      return;
    }
    let more: boolean;
    do {
      serving.set(endpointId, false);
      const served = await courier.serve(endpointId).catch((error: unknown) => {
        // It is handed over to a worker soon.
        logger.warn({ err: error, webhook_id: endpointId }, 'an endpoint was not served at once');
        return null;
      });
      more = served !== null && (served.more || serving.get(endpointId) === true);
    } while (more);
    serving.delete(endpointId);
    // What is left may have found no room beside these.
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
        if (serving.has(id) || serving.size < mostServed) under.push(serve(id));
        else left.push(id);
      }
      return { left, done: sent.then(async () => void (await Promise.all(under))) };
    },
  };
}
