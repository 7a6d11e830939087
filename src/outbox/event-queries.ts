import type { Origin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../db/transaction.ts';

/** The origin of an event, for tasks that continue from it. */
export async function originOfEvent(tx: Tx, projectId: string, eventId: string): Promise<Origin> {
  const [origin] = await prepared<Origin>(
    tx,
    `SELECT project_id AS "projectId", jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor,
       address, request_id AS "requestId"
     FROM event WHERE project_id = $1 AND id = $2`,
    [projectId, eventId],
  );
  const actor = { type: 'worker', id: null } as const;
  return origin ?? { projectId, actor, address: null, requestId: null };
}
