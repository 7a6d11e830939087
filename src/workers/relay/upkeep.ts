import { inTransaction, type Tx } from '../../db/transaction.ts';
import { removePublishedStretches, type StretchPosition } from '../../outbox/feed/unpublished.ts';
import {
  dropExpired,
  expireLeases,
  maintainTables,
  recoverUnclaimed,
  recoverWipedRedis,
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
 * How often one of the relays looks for unclaimed work, for which it reads all due tasks. Together
 * with the minimum age of such work and the interval of the loop, recovery takes at most 15 seconds.
 */
const unclaimedMs = 4_000;
/** How often tallies are folded, so that readers of statistics have few to add up. */
const foldIntervalMs = 5_000;
const maintenanceMs = 3_600_000;
/** How often dropping is tried, which tables in use delay. */
const dropIntervalMs = 300_000;

/**
 * Starts the loops that recover lost work and remove expired data.
 * @param onFound called when lost work is due again
 */
export function startUpkeep(context: RelayContext, onFound: () => void): void {
  startSweeps(context, onFound);
  startRemovals(context);
}

function startSweeps(context: RelayContext, onFound: () => void): void {
  const { deps, database, start, isRedisReady } = context;
  const outages = watchOutages();
  // In separate loops: a wait in one of them must not look like an outage of Postgres.
  start('sweep leases of tasks', upkeepMs, async () => {
    if ((await inTransaction(database, (tx) => expireLeases(tx, outages))) > 0) onFound();
    return false;
  });
  start('sweep leases of deliveries', upkeepMs, async () => {
    // Senders are about to store outcomes that they could not store before.
    if (outages.isRecovering()) return false;
    const sweep = (tx: Tx) => expireDeliveryLeases(tx, deps.retrySchedule);
    if ((await inTransaction(database, sweep)) > 0) onFound();
    return false;
  });
  start('recover wiped redis', upkeepMs, async () => {
    const wiped = isRedisReady() ? await recoverWipedRedis(database, deps.redis, endpointQueue) : 0;
    if (wiped === 0) return false;
    deps.logger.warn({ rows: wiped }, 'redis was wiped; handing everything over again');
    onFound();
    return false;
  });
  start('sweep unclaimed', upkeepMs, async () => {
    if (!isRedisReady()) return false;
    if (!(await takeTurn(deps.redis, 'sweep-unclaimed', unclaimedMs))) return false;
    if ((await recoverUnclaimed(database, deps.queues, endpointQueue)) > 0) onFound();
    return false;
  });
}

function startRemovals({ deps, database, start }: RelayContext): void {
  const { logger, retentionDays } = deps;
  let position: StretchPosition | null = null;
  start('remove published stretches', 10 * upkeepMs, async () => {
    const { forgotten, next } = await inTransaction(database, (tx) =>
      removePublishedStretches(tx, position),
    );
    position = next;
    return forgotten > 0 && next !== null;
  });
  start('count attempts', foldIntervalMs, () => inTransaction(database, foldTallies));
  start('tend tables', maintenanceMs, async () => {
    await inTransaction(database, maintainTables);
    await inTransaction(database, removeOldStats);
    return false;
  });
  start('drop expired tables', dropIntervalMs, async () => {
    while ((await inTransaction(database, (tx) => expireDeliveries(tx, retentionDays))) > 0);
    const { dropped, isComplete } = await dropExpired(database, retentionDays);
    if (dropped > 0)
      logger.info({ tables: dropped, complete: isComplete }, 'dropped events past retention');
    return false;
  });
}
