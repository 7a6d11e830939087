import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { inOnePacket } from '../../db/transaction.ts';
import {
  addEndpointHints,
  handOverEndpoints,
  handOverTasks,
  waitingQueues,
} from '../../outbox/relay/hand-over.ts';
import type { HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import { batchCalls, type Loop } from '../../outbox/rounds.ts';
import type { Dispatch } from '../../webhooks/relay/deliver-numbered.ts';
import { endpointQueue, handOverDue } from '../../webhooks/relay/hand-over.ts';
import type { LocalSender } from '../webhooks/webhooks.ts';
import { idleMs, type RelayContext, type ThrottledKick, throttleKicks } from './context.ts';

/** Hand-over is kicked when there is work; the timer covers lost kicks. */
const fallbackMs = 5_000;
/** The minimum pause between hand-overs of tasks, so that tasks due at the same time share one. */
const roundMs = 5;
/** The minimum pause while workers have enough hints. */
const relaxedRoundMs = 15;
/** The minimum pause between hand-overs of deliveries that numbering did not create. */
const webhooksRoundMs = 50;

/** The loops that hand work over to workers. */
export interface HandOvers {
  /** Reports that work is due on these queues. */
  kick(queues: readonly QueueName[]): void;
  /** Hands over endpoints with due deliveries that could not be handed over directly. */
  kickWebhooks(): void;
  /** Checks all queues for due work. */
  checkQueues(): void;
  /** Checks all queues for due work; throttled, for frequent calls. */
  checkQueuesSoon(): void;
  stop(): void;
}

/** Starts a loop for each queue, and one that checks which queues have work. */
export function startHandOvers(context: RelayContext): HandOvers {
  const { deps, database, start, isRedisReady } = context;
  /** Whether workers may soon run out of hints. */
  const needsHints: Partial<Record<QueueName, boolean>> = {};
  const handOver = async (queue: QueueName): Promise<boolean> => {
    if (!isRedisReady()) return false;
    if (queue === 'webhooks') return handOverWebhooks(context);
    const since = Date.now();
    const { hints, early } = await handOverTasks(database, deps.queues, queue, (tasks) =>
      context.log.tasks(queue, since, tasks),
    );
    deps.metrics.countHints(queue, hints);
    needsHints[queue] = !early;
    // More work may be due than the workers had capacity for, and they may have capacity again.
    if (hints > 0) throttled[queue].kick();
    return false;
  };
  const loops = Object.fromEntries(
    queueNames.map((queue) => [
      queue,
      start(`hand over ${queue}`, fallbackMs, () => handOver(queue)),
    ]),
  ) as Record<QueueName, Loop>;
  const throttled = Object.fromEntries(
    queueNames.map((queue) => [
      queue,
      throttleKicks(
        () =>
          queue === 'webhooks'
            ? webhooksRoundMs
            : needsHints[queue] === false
              ? relaxedRoundMs
              : roundMs,
        loops[queue].kick,
      ),
    ]),
  ) as Record<QueueName, ThrottledKick>;
  const kick = (queues: readonly QueueName[]): void => {
    for (const queue of queues) throttled[queue].kick();
  };
  const checkLoop = start('scout', idleMs, async () => {
    if (!isRedisReady()) return false;
    kick(await inOnePacket(database, (tx) => waitingQueues(tx, endpointQueue)));
    return false;
  });
  const throttledCheck = throttleKicks(() => roundMs, checkLoop.kick);
  return {
    kick,
    kickWebhooks: loops.webhooks.kick,
    checkQueues: checkLoop.kick,
    checkQueuesSoon: throttledCheck.kick,
    stop() {
      for (const kicks of [throttledCheck, ...Object.values(throttled)]) kicks.stop();
    },
  };
}

async function handOverWebhooks({ deps, database }: RelayContext): Promise<boolean> {
  const hints = await handOverEndpoints(database, deps.queues, endpointQueue);
  deps.metrics.countHints('webhooks', hints);
  return hints > 0;
}

/** Dispatches deliveries to the sender in this process, or to workers. */
export interface Dispatcher {
  /** The sender in this process; null if it cannot start more attempts. */
  availableSender(): LocalSender | null;
  /** Dispatches deliveries to a sender, and the remaining ones to workers by hints. */
  dispatch(sender: LocalSender | null, deliveries: Dispatch): void;
  /** Waits for everything in progress. */
  stop(): Promise<void>;
}

/** @param kickWebhooks called if endpoints could not be handed over immediately */
export function createDispatcher(context: RelayContext, kickWebhooks: () => void): Dispatcher {
  const { deps, database, isRedisReady } = context;
  const { logger } = deps;
  const inProgress = new Set<Promise<void>>();
  /** Runs work in the background. Only `stop` waits for it. */
  const runInBackground = (work: Promise<void>): void => {
    const tracked = work.finally(() => inProgress.delete(tracked));
    inProgress.add(tracked);
  };
  const handOverInBackground = (work: Promise<void>): void =>
    runInBackground(
      work.catch((error: unknown) => {
        logger.warn({ err: error }, 'could not hand endpoints over at once');
        kickWebhooks();
      }),
    );
  const addHints = (handed: readonly HandedEndpoint[]) =>
    addEndpointHints(database, deps.queues, endpointQueue, handed);
  const handOver = batchCalls({ max: 20, rounds: 3 }, async (batches: (readonly string[])[]) => {
    await handOverDue(database, [...new Set(batches.flat())], addHints);
    return batches.map(() => undefined);
  });
  return {
    availableSender() {
      const { sender } = deps.local;
      return sender && sender.capacity().free > 0 ? sender : null;
    },
    dispatch(sender, deliveries) {
      let { waiting } = deliveries;
      if (sender) {
        const { left, done } = sender.accept(deliveries);
        waiting = left;
        runInBackground(done);
      }
      if (!isRedisReady()) return;
      if (deliveries.handed.length > 0) handOverInBackground(addHints(deliveries.handed));
      if (waiting.length > 0) handOverInBackground(handOver(waiting));
    },
    async stop() {
      await Promise.all(inProgress);
    },
  };
}
