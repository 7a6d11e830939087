import { inTransaction, type Tx } from '../../db/transaction.ts';
import { forgetStretches, type StretchPlace } from '../../outbox/feed/unpublished.ts';
import {
  dropExpired,
  expireLeases,
  recoverUnclaimed,
  recoverWipedRedis,
  tendTables,
  watchOutages,
} from '../../outbox/relay/recover.ts';
import { takeTurn } from '../../queues/turns.ts';
import { expireDeliveries } from '../../webhooks/delivery/ending/end-deliveries.ts';
import { expireDeliveryLeases } from '../../webhooks/delivery/ending/expire-leases.ts';
import { endpointQueue } from '../../webhooks/relay/hand-over.ts';
import { foldTallies, removeOldStats } from '../../webhooks/stats/stat-queries.ts';
import type { RelayContext } from './context.ts';

const upkeepMs = 1_000;
/**
 * How often one of all relays looks for what was not claimed, since it reads all due tasks. With the age
 * at which that is swept and the pause of the loop, it waits 15 seconds at most.
 */
const unclaimedMs = 4_000;
/** Tallies wait this long at most, so that few are left to add up when counters are read. */
const foldMs = 5_000;
const tendMs = 3_600_000;
/** Retries tables that were in use. */
const dropMs = 300_000;

/**
 * Starts the loops that find lost work again and remove what is no longer needed.
 * @param found is called when lost work is due again
 */
export function startUpkeep(context: RelayContext, found: () => void): void {
  startSweeps(context, found);
  startRemovals(context);
}

function startSweeps(context: RelayContext, found: () => void): void {
  const { deps, database, start, redisReady } = context;
  const outages = watchOutages();
  // Separate loops: what one of them waits for must not look like an outage of Postgres.
  start('sweep leases of tasks', upkeepMs, async () => {
    if ((await inTransaction(database, (tx) => expireLeases(tx, outages))) > 0) found();
    return false;
  });
  start('sweep leases of deliveries', upkeepMs, async () => {
    // Senders are about to store outcomes that they could not store.
    if (outages.isRecovering()) return false;
    const sweep = (tx: Tx) => expireDeliveryLeases(tx, deps.retrySchedule);
    if ((await inTransaction(database, sweep)) > 0) found();
    return false;
  });
  start('recover wiped redis', upkeepMs, async () => {
    const wiped = redisReady() ? await recoverWipedRedis(database, deps.redis, endpointQueue) : 0;
    if (wiped === 0) return false;
    deps.logger.warn({ rows: wiped }, 'redis was wiped; handing everything over again');
    found();
    return false;
  });
  start('sweep unclaimed', upkeepMs, async () => {
    if (!redisReady()) return false;
    if (!(await takeTurn(deps.redis, 'sweep-unclaimed', unclaimedMs))) return false;
    if ((await recoverUnclaimed(database, deps.queues, endpointQueue)) > 0) found();
    return false;
  });
}

function startRemovals({ deps, database, start }: RelayContext): void {
  const { logger, retentionDays } = deps;
  let place: StretchPlace | null = null;
  start('remove published stretches', 10 * upkeepMs, async () => {
    const { forgotten, next } = await inTransaction(database, (tx) => forgetStretches(tx, place));
    place = next;
    return forgotten > 0 && next !== null;
  });
  start('count attempts', foldMs, () => inTransaction(database, foldTallies));
  start('tend tables', tendMs, async () => {
    await inTransaction(database, tendTables);
    await inTransaction(database, removeOldStats);
    return false;
  });
  start('drop expired tables', dropMs, async () => {
    while ((await inTransaction(database, (tx) => expireDeliveries(tx, retentionDays))) > 0);
    const { dropped, complete } = await dropExpired(database, retentionDays);
    if (dropped > 0) logger.info({ tables: dropped, complete }, 'dropped events past retention');
    return false;
  });
}
