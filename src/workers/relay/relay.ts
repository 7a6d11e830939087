import { idFloor } from '@scriptorium/contracts/ids';
import { postgresTime } from '../../db/postgres-time.ts';
import { inTransaction } from '../../db/transaction.ts';
import { waitingQueues } from '../../outbox/relay/hand-over.ts';
import { fanOutEvents, numberEvents, numberingBatch } from '../../outbox/relay/number.ts';
import { subscribeToWakes } from '../../queues/wake.ts';
import { deliverNumbered, type SenderChoice } from '../../webhooks/relay/deliver-numbered.ts';
import { endpointQueue } from '../../webhooks/relay/hand-over.ts';
import { deliverFanOut } from '../../webhooks/relay/subscribers.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { createContext, idleMs, type RelayContext } from './context.ts';
import { createDispatcher, type Dispatcher, type HandOvers, startHandOvers } from './hand-over.ts';
import { startUpkeep } from './upkeep.ts';

/**
 * Starts a relay, which numbers events, fans them out, hands work over and recovers lost work.
 * Numbering and fanning out continue without Redis. Any number of relays may run.
 */
export function startRelay(deps: WorkerDeps): RunningWorker {
  const { context, stopLoops } = createContext(deps);
  const handOvers = startHandOvers(context);
  const dispatcher = createDispatcher(context, handOvers.kickWebhooks);
  const onWake = startNumbering(context, handOvers, dispatcher);
  startUpkeep(context, handOvers.checkQueues);

  const unregister = deps.wakeChannel.register(() => onWake({ isLocal: true }));
  const subscription = subscribeToWakes(deps.connect(), () => onWake({ isLocal: false }));

  return {
    async stop() {
      unregister();
      subscription.close();
      await stopLoops();
      handOvers.stop();
      await dispatcher.stop();
    },
  };
}

const fanOutLoops = 2;
/** Numbering kicks these loops; the timer covers events left by a relay that died. */
const fanOutMs = 1_000;
/**
 * After a wake-up, numbering reads only events recorded within this time; on its timer, it reads all.
 */
const recentEventsMs = 86_400_000;

/**
 * Starts the loops that number events and fan out what numbering leaves.
 * @returns a function to call on a wake-up; `isLocal` if it comes from this process
 */
function startNumbering(
  context: RelayContext,
  handOvers: HandOvers,
  dispatcher: Dispatcher,
): (ring: { isLocal: boolean }) => void {
  const { deps, database, log, isRedisReady } = context;
  const { dispatch, availableSender } = dispatcher;
  const kickFanOut = startFanOut(context, dispatcher);
  let wokenLocally = false;
  let isNumbering = false;
  /** Whether the next round of numbering also checks the queues, in the same packet. */
  let checkQueuesNext = false;
  let lastFullRead = Number.NEGATIVE_INFINITY;
  const numberAndCheckQueues = async (sentBy: SenderChoice) => {
    const now = performance.now();
    const readsAll = now - lastFullRead >= idleMs;
    const checksQueues = checkQueuesNext && isRedisReady();
    checkQueuesNext = false;
    const numbered = await inTransaction(database, (tx) => {
      if (checksQueues) {
        // A failure fails the transaction, which reports it.
        waitingQueues(tx, endpointQueue).then(handOvers.kick, () => undefined);
      }
      return numberEvents(
        tx,
        deliverNumbered(sentBy),
        readsAll ? '' : idFloor('event', postgresTime() - recentEventsMs),
      );
    });
    if (readsAll) lastFullRead = now;
    return numbered;
  };
  const loop = context.start('number', idleMs, async () => {
    const since = Date.now();
    const wasWokenLocally = wokenLocally;
    wokenLocally = false;
    const sender = availableSender();
    const sentBy = sender?.capacity() ?? (isRedisReady() ? 'hints' : 'none');
    isNumbering = true;
    const { elsewhere, events, batch, left, ...numbered } = await numberAndCheckQueues(
      sentBy,
    ).finally(() => {
      isNumbering = false;
    });
    // The relay that is numbering may have read before the change in this process was committed.
    if (elsewhere && wasWokenLocally) deps.wakeChannel.wakeOthers();
    log.events('number', since, batch);
    deps.metrics.countNumbered(events);
    // A sender that has started meanwhile takes the waiting deliveries.
    const currentSender = sender ?? availableSender();
    dispatch(currentSender, await numbered.dispatch);
    if (left) kickFanOut();
    // Later commits wake the relay again, so only a full batch is a reason to run again.
    return events === numberingBatch;
  });
  return ({ isLocal }) => {
    if (isLocal) wokenLocally = true;
    if (isNumbering) handOvers.checkQueuesSoon();
    else checkQueuesNext = true;
    loop.kick();
  };
}

/** Starts the loops that fan out; the returned function kicks them. */
function startFanOut(
  { deps, database, log, start }: RelayContext,
  { dispatch, availableSender }: Dispatcher,
): () => void {
  const loops = Array.from({ length: fanOutLoops }, (_, at) =>
    start(`fan out ${at + 1}`, fanOutMs, async () => {
      const since = Date.now();
      const { events, batch, endpoints } = await inTransaction(database, (tx) =>
        fanOutEvents(tx, deliverFanOut),
      );
      log.events('fan out', since, batch);
      deps.metrics.countFannedOut(events);
      dispatch(availableSender(), { immediate: [], handed: [], waiting: endpoints });
      return events > 0;
    }),
  );
  return () => {
    for (const loop of loops) loop.kick();
  };
}
