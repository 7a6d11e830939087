import { addEndpointHints } from '../../outbox/relay/hand-over.ts';
import type { HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import { inRounds } from '../../outbox/rounds.ts';
import type { Dispatch } from '../../webhooks/relay/deliver-numbered.ts';
import { endpointQueue, handOverDue } from '../../webhooks/relay/hand-over.ts';
import type { LocalSender } from '../webhooks/local-sender.ts';
import type { RelayContext } from './context.ts';

/** Gets deliveries sent: by this process, or by workers. */
export interface Dispatching {
  /** The sender in this process, unless it has no room for more attempts. */
  senderWithRoom(): LocalSender | null;
  /** Dispatches deliveries to a sender, and what it leaves to workers, by hints. */
  dispatch(sender: LocalSender | null, made: Dispatch): void;
  /** Waits for everything in progress. */
  stop(): Promise<void>;
}

/** @param kickWebhooks is called if endpoints could not be handed over at once */
export function startDispatching(context: RelayContext, kickWebhooks: () => void): Dispatching {
  const { deps, database, redisReady } = context;
  const { logger } = deps;
  const inProgress = new Set<Promise<void>>();
  /** Work in the background, awaited only when the relay stops. */
  const later = (work: Promise<void>): void => {
    const over = work.finally(() => inProgress.delete(over));
    inProgress.add(over);
  };
  const handing = (work: Promise<void>): void =>
    later(
      work.catch((error: unknown) => {
        logger.warn({ err: error }, 'could not hand endpoints over at once');
        kickWebhooks();
      }),
    );
  const hint = (handed: readonly HandedEndpoint[]) =>
    addEndpointHints(database, deps.queues, endpointQueue, handed);
  const handOver = inRounds({ max: 20, rounds: 3 }, async (batches: (readonly string[])[]) => {
    await handOverDue(database, [...new Set(batches.flat())], hint);
    return batches.map(() => undefined);
  });
  return {
    senderWithRoom() {
      const { sender } = deps.local;
      return sender && sender.room().room > 0 ? sender : null;
    },
    dispatch(sender, made) {
      let { waiting } = made;
      if (sender) {
        const { left, done } = sender.take(made);
        waiting = left;
        later(done);
      }
      if (!redisReady()) return;
      if (made.handed.length > 0) handing(hint(made.handed));
      if (waiting.length > 0) handing(handOver(waiting));
    },
    async stop() {
      await Promise.all(inProgress);
    },
  };
}
