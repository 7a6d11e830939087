import type { Origin } from '@scriptorium/contracts/origin';
import type { TrashEmptied } from '@scriptorium/contracts/wire/library/objects';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { originOfEvent } from '../../../outbox/event-queries.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import { decideAction } from '../../../policies/enforce.ts';
import { deleteObject } from './delete-object.ts';
import { lockImages } from './purge-now.ts';

/** The number of objects that a request purges, and then each run of its task. */
const batchSize = 50;

/**
 * Purges the objects in the trash unless a policy retains them: a batch now, the others by a task.
 * Objects that are trashed later stay there.
 */
export async function emptyTrash(tx: Tx, origin: Origin): Promise<TrashEmptied> {
  const { projectId } = origin;
  const result = await purgeBatch(tx, origin, 'request', { after: '', eventId: null });
  const [remainingRow] = await prepared<{ remaining: number }>(
    tx,
    `SELECT count(*)::integer AS remaining FROM object
     WHERE project_id = $1 AND state = 'trashed' AND id > $2`,
    [projectId, result.last],
  );
  const counts = { purged: result.purged, held: result.held, remaining: remainingRow!.remaining };
  if (counts.purged + counts.held + counts.remaining === 0) return counts;
  const [eventId] = await record(tx, origin, {
    type: 'dam.trash.emptied',
    resourceId: projectId,
    data: counts,
  });
  if (counts.remaining > 0) {
    await schedule(tx, projectId, projectId, {
      kind: 'trash.empty',
      payload: { event_id: eventId!, after: result.last },
    });
  }
  return counts;
}

/** Continues where a request, or the previous run, stopped. */
export async function continueEmptyTrash(
  _deps: object,
  run: TaskRun<'trash.empty'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  const { event_id: eventId, after } = payload;
  await run.finish(
    (tx) => originOfEvent(tx, projectId, eventId),
    async (tx, origin) => {
      const result = await purgeBatch(tx, origin, 'worker', { after, eventId });
      if (result.purged + result.held < batchSize) return;
      await schedule(tx, projectId, projectId, {
        kind: 'trash.empty',
        payload: { event_id: eventId, after: result.last },
      });
    },
  );
}

/**
 * Purges the next objects of the trash after an identifier, if they were trashed before the event.
 */
async function purgeBatch(
  tx: Tx,
  origin: Origin,
  by: 'request' | 'worker',
  { after, eventId }: { after: string; eventId: string | null },
): Promise<{ purged: number; held: number; last: string }> {
  const { projectId } = origin;
  const found = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM object WHERE project_id = $1 AND state = 'trashed' AND id > $2
       AND ($3::text IS NULL OR trashed_at <= (
         SELECT occurred_at FROM event WHERE project_id = $1 AND id = $3))
     ORDER BY id LIMIT ${batchSize} FOR UPDATE`,
    [projectId, after, eventId],
  );
  const ids = found.map(({ id }) => id);
  lockImages(tx, projectId, ids);
  let held = 0;
  const purgeable: string[] = [];
  for (const objectId of ids) {
    const { decision } = await decideAction(tx, origin, { action: 'delete', objectId, by });
    if (decision === 'deny') held += 1;
    else purgeable.push(objectId);
  }
  for (const id of purgeable) await deleteObject(tx, origin, id);
  return { purged: purgeable.length, held, last: ids.at(-1) ?? after };
}
