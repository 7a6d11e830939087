/**
 * SQL for the collections that contain objects, or the images of objects, including the collections
 * that these are nested in. Collections in the trash count, so that moving one to the trash takes
 * nothing out of a scope. An expression of type text[]; null without a collection.
 */
export function collectionsSql(project: string, objectIds: string): string {
  return `(
    WITH RECURSIVE up (id) AS (
      (SELECT m.collection_id FROM collection_member m
       WHERE m.project_id = ${project} AND m.resource_type = 'object'
         AND m.resource_id = ANY(${objectIds})
       UNION
       SELECT m.collection_id FROM image i JOIN collection_member m
         ON m.project_id = i.project_id AND m.resource_type = 'image' AND m.resource_id = i.id
       WHERE i.project_id = ${project} AND i.object_id = ANY(${objectIds}))
      UNION
      SELECT c.parent_id FROM up JOIN collection c ON c.project_id = ${project} AND c.id = up.id
      WHERE c.parent_id IS NOT NULL)
    SELECT array_agg(id) FROM up)`;
}

/** SQL for the kinds of data that a redaction is verified to have removed, as a `Cover`. */
export const coverSql = (fact: string): string =>
  `jsonb_build_object('entities', coalesce(to_jsonb(${fact}.entities), '"all"'),
    'asked', coalesce(${fact}.asked, to_jsonb(${fact}.entities), '"all"'),
    'reviewed', ${fact}.reviewed, 'fourEyes', ${fact}.four_eyes)`;
