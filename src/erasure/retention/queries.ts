import { prepared, type Tx } from '../../db/transaction.ts';

/** An object that a rule deletes now, unless something keeps it. */
export interface ExpiredRow {
  id: string;
  filename: string;
  bytes: number;
  rule_id: string;
}

/** The objects in the scope of each rule on a collection, with nested collections, as `member`. */
const membersSql = `
  covered (rule_id, collection_id) AS (
    SELECT id, collection_id FROM retention_rule
    WHERE project_id = $1 AND scope_type = 'collection'
    UNION
    SELECT v.rule_id, c.id FROM covered v
    JOIN collection c ON c.project_id = $1 AND c.parent_id = v.collection_id),
  member (rule_id, object_id) AS (
    SELECT v.rule_id, m.resource_id FROM covered v
    JOIN collection_member m ON m.project_id = $1 AND m.collection_id = v.collection_id
      AND m.resource_type = 'object'
    UNION
    SELECT v.rule_id, i.object_id FROM covered v
    JOIN collection_member m ON m.project_id = $1 AND m.collection_id = v.collection_id
      AND m.resource_type = 'image'
    JOIN image i ON i.project_id = $1 AND i.id = m.resource_id)`;

/** Whether a rule `r` deletes an object `o` now. */
const isDueSql = `CASE r.type
  WHEN 'delete_after' THEN o.created_at <= now() - r.days * interval '1 day'
  WHEN 'delete_after_last_job' THEN (
    SELECT count(*) > 0 AND count(*) = count(j.finished_at)
      AND max(j.finished_at) <= now() - r.days * interval '1 day'
    FROM job j WHERE j.project_id = $1 AND j.source_object_id = o.id)
  ELSE false END`;

/**
 * A project's objects that rules delete now, by identifier, after one of them. Postgres compares the
 * times.
 */
export function listExpired(
  tx: Tx,
  projectId: string,
  after: string,
  limit: number,
): Promise<ExpiredRow[]> {
  return prepared<ExpiredRow>(
    tx,
    `WITH RECURSIVE ${membersSql}, due AS (
       SELECT o.id, r.id AS rule_id FROM retention_rule r JOIN object o ON o.project_id = $1
       WHERE r.project_id = $1 AND r.scope_type = 'project'
         AND o.id > $2 AND o.state <> 'processing' AND ${isDueSql}
       UNION ALL
       SELECT o.id, r.id FROM retention_rule r JOIN member m ON m.rule_id = r.id
       JOIN object o ON o.project_id = $1 AND o.id = m.object_id
       WHERE r.project_id = $1 AND o.id > $2 AND o.state <> 'processing' AND ${isDueSql}),
     first AS (SELECT id, min(rule_id) AS rule_id FROM due GROUP BY id ORDER BY id LIMIT $3)
     SELECT o.id, o.filename, o.bytes, first.rule_id FROM first
     JOIN object o ON o.project_id = $1 AND o.id = first.id ORDER BY o.id`,
    [projectId, after, limit],
  );
}

/** The `keep_until` rules that have not ended for some of the objects. */
export function listKeeping(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): Promise<{ object_id: string; rule_id: string }[]> {
  return prepared(
    tx,
    `WITH RECURSIVE ${membersSql}
     SELECT given.id AS object_id, min(r.id) AS rule_id
     FROM unnest($2::text[]) AS given (id) JOIN retention_rule r ON r.project_id = $1
       AND r.type = 'keep_until' AND r.until > now()
     WHERE r.scope_type = 'project'
       OR EXISTS (SELECT FROM member m WHERE m.rule_id = r.id AND m.object_id = given.id)
     GROUP BY given.id`,
    [projectId, objectIds],
  );
}

/** The objects made from others, and from these in turn, with the first source of each. */
export function listOutputs(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): Promise<{ id: string; source_id: string }[]> {
  return prepared(
    tx,
    `WITH RECURSIVE made (id, source_id) AS (
       SELECT o.id, o.derived_from FROM object o
       WHERE o.project_id = $1 AND o.derived_from = ANY($2)
       UNION
       SELECT o.id, made.source_id FROM made
       JOIN object o ON o.project_id = $1 AND o.derived_from = made.id)
     SELECT id, source_id FROM made ORDER BY id`,
    [projectId, objectIds],
  );
}
