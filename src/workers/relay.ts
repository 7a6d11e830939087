import { idFloor } from '../contracts/ids.ts';
import { inOnePacket } from '../db/one-packet.ts';
import { inTransaction } from '../db/transaction.ts';
import { forgetStretches, type StretchPlace } from '../outbox/feed/unpublished.ts';
import { gather } from '../outbox/gather.ts';
import { type Loop, startLoop } from '../outbox/loop.ts';
import { fanOutEvents } from '../outbox/relay/fan-out.ts';
import {
  giveHints,
  handOver,
  handOverEndpoints,
  type WorkQueue,
  waitingQueues,
  workQueues,
} from '../outbox/relay/hand-over.ts';
import { type Dispatch, numberEvents, numberingBatch } from '../outbox/relay/number.ts';
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
import { answerMs, type Calling, createCalling } from './calling.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import type { LocalSender } from './local-sender.ts';
import { createRelayLog } from './relay-log.ts';
import { startQueueWorker } from './runtime.ts';

/** The relay's own timer: what a lost wake costs at most. */
const idleMs = 250;
const sweepMs = 1_000;
const tendMs = 3_600_000;
/** A table that was in use is soon tried again. */
const dropMs = 300_000;
const fanOutLoops = 2;
/** Numbering kicks these; this is for what a relay that died has left to the others. */
const fanOutMs = 1_000;
/** Rung for, numbering looks at events recorded since so long ago; all of them it looks at by its timer. */
const recentMs = 86_400_000;
/** Hand-overs are told when there is work; this is for what nobody told. */
const fallbackMs = 5_000;
/** Tasks are looked for and handed over no oftener: those of a moment go together. */
const roundMs = 5;
/** The same while workers have enough to go on with. */
const unhurriedMs = 15;
/** Bells look no oftener than this for deliveries that numbering did not make: retries, replays. */
const seldomMs = 50;

/**
 * Starts the relay: numbers events, fans them out, hands work over, sweeps. Numbering and fanning
 * out go on without Redis. Any number of relays may run at once.
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

  /** Whether workers may soon be out of hints. */
  const hurries: Partial<Record<WorkQueue, boolean>> = {};
  const handOvers = Object.fromEntries(
    workQueues.map((queue) => [
      queue,
      start(`hand over ${queue}`, fallbackMs, async () => {
        if (deps.redis.status !== 'ready') return false;
        const since = Date.now();
        const { hints, early } = await handOver(database, deps.queues, queue, (tasks) =>
          log.tasks(queue, since, tasks),
        );
        deps.metrics.countHints(queue, hints);
        hurries[queue] = !early;
        if (queue === 'webhooks') return hints > 0;
        // There may be more than there was room for, and room again by then.
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
    kickAll(await inOnePacket(database, waitingQueues));
    return false;
  });
  const scouting = kickSeldom(() => roundMs, scout.kick);
  /** A sender beside this relay, unless it has all under way that it may have. */
  const senderWithRoom = (): LocalSender | null => {
    const { sender } = deps.local;
    return sender && sender.room().room > 0 ? sender : null;
  };
  /** What nobody waits for, but for the end of the relay. */
  const later = (work: Promise<void>): void => {
    const over = work.finally(() => telling.delete(over));
    telling.add(over);
  };
  const handing = (work: Promise<void>): void =>
    later(
      work.catch((error: unknown) => {
        logger.warn({ err: error }, 'endpoints were not handed over at once');
        handOvers.webhooks.kick();
      }),
    );
  const calling = createCalling(deps, database);
  const handOverTogether = (tell: Calling['tell']) =>
    gather({ most: 20, rounds: 3 }, async (batches: (readonly string[])[]) => {
      await handOverEndpoints(database, [...new Set(batches.flat())], tell);
      return batches.map(() => undefined);
    });
  const callTogether = handOverTogether(calling.tell);
  const hintTogether = handOverTogether((handed) => giveHints(database, deps.queues, handed));
  start('follow calls', answerMs, async () => {
    if (deps.redis.status === 'ready') await calling.follow();
    return false;
  });
  /** Deliveries are on their way: sent from here, or handed to workers by hints. */
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
      const { events, batch, endpoints } = await inTransaction(database, fanOutEvents);
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
  const numberAndScout = async (by: Parameters<typeof numberEvents>[1]) => {
    const now = Date.now();
    const everywhere = now - lookedEverywhere >= idleMs;
    const scouting = scouts && deps.redis.status === 'ready';
    scouts = false;
    const numbered = await inTransaction(database, (tx) => {
      if (scouting) {
        // A failure fails the transaction, which tells why.
        waitingQueues(tx).then(kickAll, () => undefined);
      }
      return numberEvents(tx, by, everywhere ? '' : idFloor('event', now - recentMs));
    });
    if (everywhere) lookedEverywhere = now;
    return numbered;
  };
  const number = start('number', idleMs, async () => {
    const since = Date.now();
    const rung = rungHere;
    rungHere = false;
    const sender = senderWithRoom();
    const by = sender?.room() ?? (deps.redis.status === 'ready' ? 'hints' : 'nobody');
    numbering = true;
    const { elsewhere, events, batch, left, ...made } = await numberAndScout(by).finally(() => {
      numbering = false;
    });
    // The relay that numbers just now may have looked too early to see what was rung for here.
    if (elsewhere && rung) deps.bell.pass();
    log.events('number', since, batch);
    deps.metrics.countNumbered(events);
    // One that has come meanwhile serves what nobody was told of.
    const now = sender ?? senderWithRoom();
    // What a sender here leaves is shared out; without one only a locked flow is not marked yet.
    dispatch(now, await made.dispatch, now ? hintTogether : callTogether);
    if (left) for (const loop of fanOuts) loop.kick();
    // Whoever commits meanwhile rings: only a full batch is a reason to look again.
    return events === numberingBatch;
  });
  start('sweep', sweepMs, async () => {
    const expired =
      (await inTransaction(database, sweepLeases)) +
      (await inTransaction(database, (tx) => sweepDeliveryLeases(tx, deps.retrySchedule)));
    const wiped = deps.redis.status === 'ready' ? await recoverWipedRedis(database, deps.redis) : 0;
    if (wiped > 0) logger.warn({ rows: wiped }, 'redis was wiped: handing over again');
    if (expired + wiped > 0) scout.kick();
    return false;
  });
  start('sweep unclaimed', 10 * sweepMs, async () => {
    if (deps.redis.status !== 'ready') return false;
    if ((await sweepUnclaimed(database, deps.queues)) > 0) scout.kick();
    return false;
  });
  let place: StretchPlace | null = null;
  start('forget what is published', 10 * sweepMs, async () => {
    const { forgotten, next } = await inTransaction(database, (tx) => forgetStretches(tx, place));
    place = next;
    return forgotten > 0 && next !== null;
  });
  start('tend tables', tendMs, async () => {
    await inTransaction(database, tendTables);
    return false;
  });
  start('drop what is past retention', dropMs, async () => {
    const { retentionDays } = deps;
    while ((await inTransaction(database, (tx) => expireDeliveries(tx, retentionDays))) > 0);
    const { dropped, complete } = await dropExpired(database, retentionDays);
    if (dropped > 0) logger.info({ tables: dropped, complete }, 'events past retention are gone');
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
  // The release before rings by a job. The next one needs no worker here.
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
        // The sweeper of another relay finds what is left.
        logger.warn({ err: error }, 'unanswered calls were not handed over');
      });
    },
  };
}

interface Kicks {
  kick(): void;
  stop(): void;
}

/** Passes kicks on: the first at once, others that follow it closely together, at the end of the pause. */
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
