import type { NewEvent } from '@scriptorium/contracts/events';
import type { Origin } from '@scriptorium/contracts/origin';
import type { ResourceType } from '@scriptorium/contracts/wire/library/collections';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/**
 * Changes memberships when a locked object, and therefore its image, is trashed, restored or
 * purged. Call these functions in the same transaction, before the row is deleted.
 */

/**
 * Hides the memberships of an object and its image: counts decrease, versions increase, positions
 * stay.
 */
export function hideMemberships(tx: Tx, projectId: string, objectId: string): void {
  setHidden(tx, projectId, objectId, true);
}

/** Shows hidden memberships again, at their positions. */
export function showMemberships(tx: Tx, projectId: string, objectId: string): void {
  setHidden(tx, projectId, objectId, false);
}

/** Deletes the memberships of an object and its image, each with an event, and unsets covers. */
export async function endMemberships(tx: Tx, origin: Origin, objectId: string): Promise<void> {
  const { projectId } = origin;
  lockCollectionsOf(tx, projectId, objectId);
  const members = await prepared<{ id: string; type: ResourceType; resourceId: string }>(
    tx,
    `WITH ended AS (
       DELETE FROM collection_member m USING ${memberRefsSql} r WHERE ${matchesRefs} RETURNING m.*),
     counted AS (
       UPDATE collection c SET member_count = c.member_count - e.visible, updated_at = now(),
         version = c.version + 1
       FROM (SELECT collection_id, count(*) FILTER (WHERE NOT hidden) AS visible
         FROM ended GROUP BY collection_id) e
       WHERE c.project_id = $1 AND c.id = e.collection_id)
     SELECT collection_id AS id, resource_type AS type, resource_id AS "resourceId" FROM ended
     ORDER BY 1, 2`,
    [projectId, objectId],
  );
  const coverCollections = await prepared<{ id: string }>(
    tx,
    `UPDATE collection SET cover_image_id = NULL, cover_hidden = false, updated_at = now(),
       version = version + 1
     WHERE project_id = $1 AND cover_image_id IN (${imageOfObject}) RETURNING id`,
    [projectId, objectId],
  );
  const events: NewEvent[] = [
    ...members.map(({ id, type, resourceId }): NewEvent => {
      const data = { resource_type: type, resource_id: resourceId, reason: 'purged' as const };
      return { type: 'dam.collection_member.removed', resourceId: id, data };
    }),
    ...coverCollections.map(({ id }): NewEvent => {
      return { type: 'dam.collection.updated', resourceId: id, data: { changed: ['cover'] } };
    }),
  ];
  if (events.length > 0) await record(tx, origin, ...events);
}

const imageOfObject = 'SELECT id FROM image WHERE project_id = $1 AND object_id = $2';

/** An object `$2` of the project `$1` and its image, as member references. */
const memberRefsSql = `(SELECT 'object' AS type, $2 AS id UNION ALL SELECT 'image', id FROM image
  WHERE project_id = $1 AND object_id = $2)`;
const matchesRefs = 'm.project_id = $1 AND m.resource_type = r.type AND m.resource_id = r.id';

/**
 * Locks the collections that contain an object or its image, or have it as cover, by identifier.
 */
function lockCollectionsOf(tx: Tx, projectId: string, objectId: string): void {
  send(
    tx,
    `SELECT count(*) FROM (
       SELECT 1 FROM collection WHERE project_id = $1 AND id IN (
         SELECT m.collection_id FROM ${memberRefsSql} r JOIN collection_member m ON ${matchesRefs}
         UNION SELECT id FROM collection
           WHERE project_id = $1 AND cover_image_id IN (${imageOfObject}))
       ORDER BY id FOR NO KEY UPDATE) locked`,
    [projectId, objectId],
  );
}

function setHidden(tx: Tx, projectId: string, objectId: string, isHidden: boolean): void {
  lockCollectionsOf(tx, projectId, objectId);
  send(
    tx,
    `WITH turned AS (
       UPDATE collection_member m SET hidden = $3 FROM ${memberRefsSql} r
       WHERE ${matchesRefs} AND m.hidden <> $3 RETURNING m.collection_id),
     touched AS (
       SELECT collection_id AS id, count(*)::integer AS members, false AS cover
         FROM turned GROUP BY collection_id
       UNION ALL
       SELECT id, 0, true FROM collection
         WHERE project_id = $1 AND cover_image_id IN (${imageOfObject}))
     UPDATE collection c SET
       member_count = c.member_count + CASE WHEN $3 THEN -t.members ELSE t.members END,
       cover_hidden = CASE WHEN t.cover THEN $3 ELSE c.cover_hidden END,
       updated_at = now(), version = c.version + 1
     FROM (SELECT id, sum(members) AS members, bool_or(cover) AS cover FROM touched GROUP BY id) t
     WHERE c.project_id = $1 AND c.id = t.id`,
    [projectId, objectId, isHidden],
  );
}
