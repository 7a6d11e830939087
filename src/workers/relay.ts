import { inTransaction } from '../db/transaction.ts';
import { batchSize as fanOutBatch, fanOutEvents } from '../outbox/fan-out.ts';
import { handOver, type WorkQueue, waitingQueues, workQueues } from '../outbox/hand-over.ts';
import { type Loop, startLoop } from '../outbox/loop.ts';
import { numberEvents } from '../outbox/number.ts';
import { recoverWipedRedis, sweepLeases, sweepUnclaimed, tendTables } from '../outbox/sweep.ts';
import { sweepDeliveryLeases } from '../webhooks/sweep.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startQueueWorker } from './runtime.ts';

/** The relay's own timer: what a lost wake costs at most. */
const idleMs = 250;
const sweepMs = 1_000;
const tendMs = 3_600_000;
const fanOutLoops = 2;
/** Hand-overs are told when there is work; this is for what nobody told. */
const fallbackMs = 5_000;

/**
 * Starts the relay: numbers events, fans them out, hands work over, sweeps. Numbering and fanning
 * out go on without Redis. Any number of relays may run at once.
 */
export function startRelay(deps: WorkerDeps): RunningWorker {
  const { relayDatabase: database, logger } = deps;
  if (!database) throw new Error('A relay needs DATABASE_RELAY_URL.');
  const loops: Loop[] = [];
  const start = (name: string, idle: number, round: () => Promise<boolean>): Loop => {
    const loop = startLoop(name, { idleMs: idle, logger }, round);
    loops.push(loop);
    return loop;
  };

  const handOvers = Object.fromEntries(
    workQueues.map((queue) => [
      queue,
      start(`hand over ${queue}`, fallbackMs, async () => {
        if (deps.redis.status !== 'ready') return false;
        return (await handOver(database, deps.queues, queue)) > 0;
      }),
    ]),
  ) as Record<WorkQueue, Loop>;
  const scout = start('scout', idleMs, async () => {
    if (deps.redis.status !== 'ready') return false;
    for (const queue of await inTransaction(database, waitingQueues)) handOvers[queue].kick();
    return false;
  });
  const fanOuts = Array.from({ length: fanOutLoops }, (_, at) =>
    start(`fan out ${at + 1}`, idleMs, async () => {
      const { events, deliveries } = await inTransaction(database, fanOutEvents);
      if (deliveries > 0) handOvers.webhooks.kick();
      return events > 0;
    }),
  );
  const number = start('number', idleMs, async () => {
    const numbered = await inTransaction(database, numberEvents);
    // One loop does for a few.
    const useful = numbered > fanOutBatch ? fanOuts : fanOuts.slice(0, Math.min(1, numbered));
    for (const loop of useful) loop.kick();
    return numbered > 0;
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
  start('tend tables', tendMs, async () => {
    await inTransaction(database, (tx) => tendTables(tx, deps.retentionDays));
    return false;
  });

  const bell = startQueueWorker(deps, 'relay', 1, async () => {
    number.kick();
    scout.kick();
    return 'rung';
  });

  return {
    async stop() {
      await Promise.all([bell.close(), ...loops.map((loop) => loop.stop())]);
    },
  };
}
