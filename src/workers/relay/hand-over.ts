import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { inOnePacket } from '../../db/transaction.ts';
import {
  addEndpointHints,
  handOverEndpoints,
  handOverTasks,
  waitingQueues,
} from '../../outbox/relay/hand-over.ts';
import type { HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import { inRounds, type Loop } from '../../outbox/rounds.ts';
import type { Dispatch } from '../../webhooks/relay/deliver-numbered.ts';
import { endpointQueue, handOverDue } from '../../webhooks/relay/hand-over.ts';
import type { LocalSender } from '../webhooks/webhooks.ts';
import { idleMs, type Kicks, kickSeldom, type RelayContext } from './context.ts';

/** Hand-over is kicked when there is work; the timer is for lost kicks. */
const fallbackMs = 5_000;
/** The shortest pause between hand-overs of tasks: tasks that become due together go together. */
const roundMs = 5;
/** The same while workers have enough hints. */
const unhurriedMs = 15;
/**
 * The shortest pause between looks for deliveries that numbering did not create: retries, replays.
 */
const seldomMs = 50;

/** The loops that hand work over to workers. */
export interface HandOvers {
  /** Work is due on these queues. */
  kick(queues: readonly QueueName[]): void;
  /** Endpoints have something due that could not be handed over otherwise. */
  kickWebhooks(): void;
  /** Work may be due on any queue, since now. */
  scout(): void;
  /** The same, for calls that are frequent. */
  scoutSoon(): void;
  stop(): void;
}

/** Starts a loop for each queue, and one that finds out which of them have work. */
export function startHandOvers(context: RelayContext): HandOvers {
  const { deps, database, start, redisReady } = context;
  /** Whether workers may soon run out of hints. */
  const hurries: Partial<Record<QueueName, boolean>> = {};
  const handOver = async (queue: QueueName): Promise<boolean> => {
    if (!redisReady()) return false;
    if (queue === 'webhooks') return handOverWebhooks(context);
    const since = Date.now();
    const { hints, early } = await handOverTasks(database, deps.queues, queue, (tasks) =>
      context.log.tasks(queue, since, tasks),
    );
    deps.metrics.countHints(queue, hints);
    hurries[queue] = !early;
    // More work may be due than there was room for, and there may be room again.
    if (hints > 0) seldomly[queue].kick();
    return false;
  };
  const loops = Object.fromEntries(
    queueNames.map((queue) => [
      queue,
      start(`hand over ${queue}`, fallbackMs, () => handOver(queue)),
    ]),
  ) as Record<QueueName, Loop>;
  const seldomly = Object.fromEntries(
    queueNames.map((queue) => [
      queue,
      kickSeldom(
        () => (queue === 'webhooks' ? seldomMs : hurries[queue] === false ? unhurriedMs : roundMs),
        loops[queue].kick,
      ),
    ]),
  ) as Record<QueueName, Kicks>;
  const kick = (queues: readonly QueueName[]): void => {
    for (const queue of queues) seldomly[queue].kick();
  };
  const scout = start('scout', idleMs, async () => {
    if (!redisReady()) return false;
    kick(await inOnePacket(database, (tx) => waitingQueues(tx, endpointQueue)));
    return false;
  });
  const scouting = kickSeldom(() => roundMs, scout.kick);
  return {
    kick,
    kickWebhooks: loops.webhooks.kick,
    scout: scout.kick,
    scoutSoon: scouting.kick,
    stop() {
      for (const kicks of [scouting, ...Object.values(seldomly)]) kicks.stop();
    },
  };
}

async function handOverWebhooks({ deps, database }: RelayContext): Promise<boolean> {
  const hints = await handOverEndpoints(database, deps.queues, endpointQueue);
  deps.metrics.countHints('webhooks', hints);
  return hints > 0;
}

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
