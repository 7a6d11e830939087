import { idFloor } from '../contracts/ids.ts';
import { inOnePacket } from '../db/one-packet.ts';
import { inTransaction } from '../db/transaction.ts';
import { forgetStretches, type StretchPlace } from '../outbox/feed/unpublished.ts';
import { gather } from '../outbox/gather.ts';
import { type Loop, startLoop } from '../outbox/loop.ts';
import { fanOutEvents } from '../outbox/relay/fan-out.ts';
import {
  addEndpointHints,
  handOverEndpoints,
  handOverTasks,
  type WorkQueue,
  waitingQueues,
  workQueues,
} from '../outbox/relay/hand-over.ts';
import { numberEvents, numberingBatch } from '../outbox/relay/number.ts';
import {
  dropExpired,
  recoverWipedRedis,
  sweepLeases,
  sweepUnclaimed,
  tendTables,
} from '../outbox/relay/sweep.ts';
import { hearBell } from '../queues/wake.ts';
import { expireDeliveries } from '../webhooks/delivery/ending/end-deliveries.ts';
import { sweepDeliveryLeases } from '../webhooks/delivery/ending/sweep.ts';
import { deliverLeft } from '../webhooks/relay/deliver-left.ts';
import { type Dispatch, deliverNumbered, type SentBy } from '../webhooks/relay/deliver-numbered.ts';
import { endpointQueue, handOverDue } from '../webhooks/relay/hand-over.ts';
import { answerMs, type Calling, createCalling } from './calling.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import type { LocalSender } from './local-sender.ts';
import { createRelayLog } from './relay-log.ts';
import { startQueueWorker } from './runtime.ts';

/** The relay's own timer: the maximum cost of a lost wake-up. */
const idleMs = 250;
const sweepMs = 1_000;
const tendMs = 3_600_000;
/** Retries tables that were in use. */
const dropMs = 300_000;
const fanOutLoops = 2;
/** Numbering kicks these loops; the timer is for events left by a relay that died. */
const fanOutMs = 1_000;
/**
 * When woken, numbering reads events recorded within this time; by its timer it reads all of them.
 */
const recentMs = 86_400_000;
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

/**
 * Starts the relay: it numbers events, fans them out, hands work over and sweeps. Numbering and
 * fanning out continue without Redis. Any number of relays may run.
 */
export function startRelay(deps: WorkerDeps): RunningWorker {
  const { relayDatabase: database, logger } = deps;
  if (!database) throw new Error('A relay needs DATABASE_RELAY_URL.');
  const log = createRelayLog(logger, deps.tracing);
  const loops: Loop[] = [];
  const telling = new Set<Promise<void>>();
  const start = (name: string, idle: number, round: () => Promise<boolean>): Loop => {
    const loop = startLoop(name, { idleMs: idle, logger }, round);
    loops.push(loop);
    return loop;
  };

  /** Whether workers may soon run out of hints. */
  const hurries: Partial<Record<WorkQueue, boolean>> = {};
  const handOvers = Object.fromEntries(
    workQueues.map((queue) => [
      queue,
      start(`hand over ${queue}`, fallbackMs, async () => {
        if (deps.redis.status !== 'ready') return false;
        if (queue === 'webhooks') {
          const hints = await handOverEndpoints(database, deps.queues, endpointQueue);
          deps.metrics.countHints(queue, hints);
          return hints > 0;
        }
        const since = Date.now();
        const { hints, early } = await handOverTasks(database, deps.queues, queue, (tasks) =>
          log.tasks(queue, since, tasks),
        );
        deps.metrics.countHints(queue, hints);
        hurries[queue] = !early;
        // More work may be due than there was room for, and there may be room again.
        if (hints > 0) seldomly[queue].kick();
        return false;
      }),
    ]),
  ) as Record<WorkQueue, Loop>;
  const seldomly = Object.fromEntries(
    workQueues.map((queue) => [
      queue,
      kickSeldom(
        () => (queue === 'webhooks' ? seldomMs : hurries[queue] === false ? unhurriedMs : roundMs),
        handOvers[queue].kick,
      ),
    ]),
  ) as Record<WorkQueue, Kicks>;
  const kickAll = (queues: readonly WorkQueue[]): void => {
    for (const queue of queues) seldomly[queue].kick();
  };
  const scout = start('scout', idleMs, async () => {
    if (deps.redis.status !== 'ready') return false;
    kickAll(await inOnePacket(database, (tx) => waitingQueues(tx, endpointQueue)));
    return false;
  });
  const scouting = kickSeldom(() => roundMs, scout.kick);
  /** The sender in this process, unless it has no room for more attempts. */
  const senderWithRoom = (): LocalSender | null => {
    const { sender } = deps.local;
    return sender && sender.room().room > 0 ? sender : null;
  };
  /** Work in the background, awaited only when the relay stops. */
  const later = (work: Promise<void>): void => {
    const over = work.finally(() => telling.delete(over));
    telling.add(over);
  };
  const handing = (work: Promise<void>): void =>
    later(
      work.catch((error: unknown) => {
        logger.warn({ err: error }, 'could not hand endpoints over at once');
        handOvers.webhooks.kick();
      }),
    );
  const calling = createCalling(deps, database);
  const handOverTogether = (tell: Calling['tell']) =>
    gather({ most: 20, rounds: 3 }, async (batches: (readonly string[])[]) => {
      await handOverDue(database, [...new Set(batches.flat())], tell);
      return batches.map(() => undefined);
    });
  const callTogether = handOverTogether(calling.tell);
  const hintTogether = handOverTogether((handed) =>
    addEndpointHints(database, deps.queues, endpointQueue, handed),
  );
  start('follow calls', answerMs, async () => {
    if (deps.redis.status === 'ready') await calling.follow();
    return false;
  });
  /** Gets deliveries sent: by this process, or by workers through hints. */
  const dispatch = (
    sender: LocalSender | null,
    made: Dispatch,
    handOverWaiting = hintTogether,
  ): void => {
    let { waiting } = made;
    if (sender) {
      const { left, done } = sender.take(made);
      waiting = left;
      later(done);
    }
    if (deps.redis.status !== 'ready') return;
    if (made.handed.length > 0) handing(calling.tell(made.handed));
    if (waiting.length > 0) handing(handOverWaiting(waiting));
  };
  const fanOuts = Array.from({ length: fanOutLoops }, (_, at) =>
    start(`fan out ${at + 1}`, fanOutMs, async () => {
      const since = Date.now();
      const { events, batch, endpoints } = await inTransaction(database, (tx) =>
        fanOutEvents(tx, deliverLeft),
      );
      log.events('fan out', since, batch);
      deps.metrics.countFannedOut(events);
      dispatch(senderWithRoom(), { now: [], handed: [], waiting: endpoints });
      return events > 0;
    }),
  );
  let rungHere = false;
  let numbering = false;
  /** The next round of numbering looks for other work as well, in the same packet. */
  let scouts = false;
  let lookedEverywhere = 0;
  const numberAndScout = async (by: SentBy) => {
    const now = Date.now();
    const everywhere = now - lookedEverywhere >= idleMs;
    const scouting = scouts && deps.redis.status === 'ready';
    scouts = false;
    const numbered = await inTransaction(database, (tx) => {
      if (scouting) {
        // A failure fails the transaction, which reports it.
        waitingQueues(tx, endpointQueue).then(kickAll, () => undefined);
      }
      return numberEvents(
        tx,
        deliverNumbered(by),
        everywhere ? '' : idFloor('event', now - recentMs),
      );
    });
    if (everywhere) lookedEverywhere = now;
    return numbered;
  };
  const number = start('number', idleMs, async () => {
    const since = Date.now();
    const rung = rungHere;
    rungHere = false;
    const sender = senderWithRoom();
    const by = sender?.room() ?? (deps.redis.status === 'ready' ? 'hints' : 'none');
    numbering = true;
    const { elsewhere, events, batch, left, ...made } = await numberAndScout(by).finally(() => {
      numbering = false;
    });
    // The relay that is numbering may have read before this process's ring was committed.
    if (elsewhere && rung) deps.bell.pass();
    log.events('number', since, batch);
    deps.metrics.countNumbered(events);
    // A sender that has started meanwhile serves what is waiting.
    const now = sender ?? senderWithRoom();
    // With a sender here, the rest is shared out; without one, only endpoints with a locked flow
    // are unmarked.
    dispatch(now, await made.dispatch, now ? hintTogether : callTogether);
    if (left) for (const loop of fanOuts) loop.kick();
    // Later commits ring again, so only a full batch is a reason to run again.
    return events === numberingBatch;
  });
  start('sweep', sweepMs, async () => {
    const expired =
      (await inTransaction(database, sweepLeases)) +
      (await inTransaction(database, (tx) => sweepDeliveryLeases(tx, deps.retrySchedule)));
    const wiped =
      deps.redis.status === 'ready'
        ? await recoverWipedRedis(database, deps.redis, endpointQueue)
        : 0;
    if (wiped > 0) logger.warn({ rows: wiped }, 'redis was wiped; handing everything over again');
    if (expired + wiped > 0) scout.kick();
    return false;
  });
  start('sweep unclaimed', 10 * sweepMs, async () => {
    if (deps.redis.status !== 'ready') return false;
    if ((await sweepUnclaimed(database, deps.queues, endpointQueue)) > 0) scout.kick();
    return false;
  });
  let place: StretchPlace | null = null;
  start('remove published stretches', 10 * sweepMs, async () => {
    const { forgotten, next } = await inTransaction(database, (tx) => forgetStretches(tx, place));
    place = next;
    return forgotten > 0 && next !== null;
  });
  start('tend tables', tendMs, async () => {
    await inTransaction(database, tendTables);
    return false;
  });
  start('drop expired tables', dropMs, async () => {
    const { retentionDays } = deps;
    while ((await inTransaction(database, (tx) => expireDeliveries(tx, retentionDays))) > 0);
    const { dropped, complete } = await dropExpired(database, retentionDays);
    if (dropped > 0) logger.info({ tables: dropped, complete }, 'dropped events past retention');
    return false;
  });

  const heard = (): void => {
    if (numbering) scouting.kick();
    else scouts = true;
    number.kick();
  };
  const leave = deps.bell.answer(() => {
    rungHere = true;
    heard();
  });
  const ear = hearBell(deps.connect(), heard);
  // The previous release wakes relays by a job. The next release needs no worker here.
  const bell = startQueueWorker(deps, 'relay', 1, async () => {
    heard();
    return 'rung';
  });

  return {
    async stop() {
      leave();
      ear.close();
      await Promise.all([bell.close(), ...loops.map((loop) => loop.stop())]);
      for (const kicks of [scouting, ...Object.values(seldomly)]) kicks.stop();
      await Promise.all(telling);
      await calling.stop().catch((error: unknown) => {
        // The sweeper of another relay finds the rest.
        logger.warn({ err: error }, 'could not hand over unanswered calls');
      });
    },
  };
}

interface Kicks {
  kick(): void;
  stop(): void;
}

/** Passes kicks on: the first at once, and those that follow within the pause as one at its end. */
function kickSeldom(pauseMs: () => number, kick: () => void): Kicks {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const pass = (): void => {
    again = false;
    kick();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) pass();
    }, pauseMs());
  };
  return {
    kick() {
      if (timer) again = true;
      else pass();
    },
    stop: () => clearTimeout(timer),
  };
}
