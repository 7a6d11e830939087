import { idFloor } from '@scriptorium/contracts/ids';
import { postgresTime } from '../../db/postgres-time.ts';
import { inTransaction } from '../../db/transaction.ts';
import { waitingQueues } from '../../outbox/relay/hand-over.ts';
import { fanOutEvents, numberEvents, numberingBatch } from '../../outbox/relay/number.ts';
import { hearBell } from '../../queues/wake.ts';
import { deliverNumbered, type SentBy } from '../../webhooks/relay/deliver-numbered.ts';
import { endpointQueue } from '../../webhooks/relay/hand-over.ts';
import { deliverLeft } from '../../webhooks/relay/owed.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { createContext, idleMs, type RelayContext } from './context.ts';
import { type Dispatching, type HandOvers, startDispatching, startHandOvers } from './hand-over.ts';
import { startUpkeep } from './upkeep.ts';

/**
 * Starts the relay: it numbers events, fans them out, hands work over and sweeps. Numbering and
 * fanning out continue without Redis. Any number of relays may run.
 */
export function startRelay(deps: WorkerDeps): RunningWorker {
  const { context, stopLoops } = createContext(deps);
  const handOvers = startHandOvers(context);
  const dispatching = startDispatching(context, handOvers.kickWebhooks);
  const ring = startNumbering(context, handOvers, dispatching);
  startUpkeep(context, handOvers.scout);

  const leave = deps.bell.answer(() => ring({ here: true }));
  const ear = hearBell(deps.connect(), () => ring({ here: false }));

  return {
    async stop() {
      leave();
      ear.close();
      await stopLoops();
      handOvers.stop();
      await dispatching.stop();
    },
  };
}

const fanOutLoops = 2;
/** Numbering kicks these loops; the timer is for events left by a relay that died. */
const fanOutMs = 1_000;
/**
 * When woken, numbering reads events recorded within this time; by its timer it reads all of them.
 */
const recentMs = 86_400_000;

/**
 * Starts the loops that number events and fan out what numbering leaves.
 * @returns what to call at a ring; `here` if this process rang
 */
function startNumbering(
  context: RelayContext,
  handOvers: HandOvers,
  dispatching: Dispatching,
): (ring: { here: boolean }) => void {
  const { deps, database, log, redisReady } = context;
  const { dispatch, senderWithRoom } = dispatching;
  const kickFanOut = startFanOut(context, dispatching);
  let rungHere = false;
  let numbering = false;
  /** The next round of numbering looks for other work as well, in the same packet. */
  let scouts = false;
  let lookedEverywhere = Number.NEGATIVE_INFINITY;
  const numberAndScout = async (by: SentBy) => {
    const now = performance.now();
    const everywhere = now - lookedEverywhere >= idleMs;
    const scouting = scouts && redisReady();
    scouts = false;
    const numbered = await inTransaction(database, (tx) => {
      if (scouting) {
        // A failure fails the transaction, which reports it.
        waitingQueues(tx, endpointQueue).then(handOvers.kick, () => undefined);
      }
      return numberEvents(
        tx,
        deliverNumbered(by),
        everywhere ? '' : idFloor('event', postgresTime() - recentMs),
      );
    });
    if (everywhere) lookedEverywhere = now;
    return numbered;
  };
  const loop = context.start('number', idleMs, async () => {
    const since = Date.now();
    const rung = rungHere;
    rungHere = false;
    const sender = senderWithRoom();
    const by = sender?.room() ?? (redisReady() ? 'hints' : 'none');
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
    dispatch(now, await made.dispatch);
    if (left) kickFanOut();
    // Later commits ring again, so only a full batch is a reason to run again.
    return events === numberingBatch;
  });
  return ({ here }) => {
    if (here) rungHere = true;
    if (numbering) handOvers.scoutSoon();
    else scouts = true;
    loop.kick();
  };
}

/** Starts the loops that fan out; the returned function kicks them. */
function startFanOut(
  { deps, database, log, start }: RelayContext,
  { dispatch, senderWithRoom }: Dispatching,
): () => void {
  const loops = Array.from({ length: fanOutLoops }, (_, at) =>
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
  return () => {
    for (const loop of loops) loop.kick();
  };
}
