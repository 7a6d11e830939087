import { shortIdleTimeoutSql } from '../../../db/statements/rows.ts';
import { send, type Tx } from '../../../db/transaction.ts';
import { schedule } from '../../../outbox/schedule.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import { lockEndpoint } from '../../endpoints/read.ts';
import { cancelDeliveries, type EndpointKey, lockFlows, skipDeliveries } from './end-deliveries.ts';

/**
 * Schedules a task that ends an endpoint's deliveries batch by batch.
 * @param after for a removed endpoint, where `cancelDeliveries` continues; otherwise the endpoint
 *   is disabled
 */
export async function scheduleEnding(
  tx: Tx,
  { projectId, id }: EndpointKey,
  after?: string,
): Promise<void> {
  const payload = { endpoint_id: id, ...(after === undefined ? {} : { after }) };
  await schedule(tx, projectId, id, { kind: 'webhook.end', payload });
}

/** Ends the next batch of an endpoint's deliveries, unless it was enabled again. */
export async function continueEnding(_deps: object, run: TaskRun<'webhook.end'>): Promise<void> {
  const { projectId, payload } = run.task;
  const { endpoint_id: id, after } = payload;
  await run.finish(
    (tx) => lockEndpoint(tx, projectId, id),
    async (tx, endpoint) => {
      send(tx, `SELECT ${shortIdleTimeoutSql}`, []);
      if (after !== undefined) {
        const next = await cancelDeliveries(tx, { projectId, id }, after);
        if (next !== null) await scheduleEnding(tx, { projectId, id }, next);
      } else if (endpoint?.state === 'disabled') {
        lockFlows(tx, [id]);
        if (await skipDeliveries(tx, endpoint)) await scheduleEnding(tx, endpoint);
      }
    },
  );
}
