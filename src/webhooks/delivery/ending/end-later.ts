import { freesLocksSoon, send, type Tx } from '../../../db/transaction.ts';
import { schedule } from '../../../outbox/schedule.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import { lockEndpoint } from '../../endpoints/read.ts';
import { type EndpointKey, lockFlows, skipDeliveries } from './end-deliveries.ts';

/** Leaves what a disabled endpoint is owed to a task, which ends it batch by batch. */
export async function endLater(tx: Tx, { projectId, id }: EndpointKey): Promise<void> {
  await schedule(tx, projectId, id, { kind: 'webhook.end', payload: { endpoint_id: id } });
}

/** Ends the next batch of what an endpoint is owed, unless it is enabled again. */
export async function goOnEnding(_deps: object, run: TaskRun<'webhook.end'>): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockEndpoint(tx, projectId, payload.endpoint_id),
    async (tx, endpoint) => {
      if (endpoint?.state !== 'disabled') return;
      send(tx, `SELECT ${freesLocksSoon}`, []);
      lockFlows(tx, [endpoint.id]);
      if (await skipDeliveries(tx, endpoint)) await endLater(tx, endpoint);
    },
  );
}
