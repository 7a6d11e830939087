import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { PolicyRow } from '../../entities/policies/policy.ts';
import type { Hold } from '../decision/fact-table.ts';

/**
 * Sticky rules (legal_hold, retention) continue to apply to objects that entered their policy's
 * scope through a tag or a collection. A row records this from the transaction in which the object
 * entered the scope until the policy is deleted or disabled, or loses the rule.
 */

/**
 * Prevents concurrent changes of scopes: a change of a policy excludes all other changes, and adding
 * objects to a scope excludes only changes of policies. Otherwise concurrent transactions that add a
 * policy and a tag would not see each other. Call it before the change.
 */
export function lockScopes(tx: Tx, projectId: string, mode: 'shared' | 'exclusive'): void {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  send(tx, `SELECT ${lock}(hashtextextended('policies ' || $1, 0))`, [projectId]);
}

/** Adds the holds that objects get from their current tags and collections. */
export async function holdObjects(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): Promise<void> {
  send(tx, 'SELECT hold_objects($1, $2)', [projectId, objectIds]);
}

/**
 * Adds the holds that the contents of a collection, nested ones included, get from its new parents.
 */
export async function holdBranch(tx: Tx, projectId: string, collectionId: string): Promise<void> {
  send(
    tx,
    `WITH RECURSIVE ${nestedCollectionsSql('ARRAY[$2::text]')},
     up (id) AS (
       SELECT $2::text COLLATE "C"
       UNION SELECT c.parent_id FROM up JOIN collection c ON c.project_id = $1 AND c.id = up.id
       WHERE c.parent_id IS NOT NULL)
     ${insertHoldsSql}
     SELECT $1, o.id, p.id, r.type
     FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type), (${nestedObjectsSql}) o
     WHERE p.project_id = $1 AND p.mode <> 'disabled' AND p.scope_type = 'collection'
       AND p.scope_members && (SELECT array_agg(id) FROM up)
     ON CONFLICT DO NOTHING`,
    [projectId, collectionId],
  );
}

/** Adds the holds of a policy to all objects in its scope, however many there are. */
export async function holdScope(tx: Tx, policy: PolicyRow): Promise<void> {
  if (policy.mode === 'disabled' || policy.stickyRules.length === 0) return;
  const values = [policy.projectId, policy.id, policy.stickyRules, policy.scopeMembers];
  if (policy.scopeType === 'tag') {
    send(
      tx,
      `${insertHoldsSql}
       SELECT $1, o.id, $2, r.type FROM object o, unnest($3::text[]) AS r (type)
       WHERE o.project_id = $1 AND o.tags && $4::text[]
       ON CONFLICT DO NOTHING`,
      values,
    );
  }
  if (policy.scopeType === 'collection') {
    send(
      tx,
      `WITH RECURSIVE ${nestedCollectionsSql('$4::text[]')}
       ${insertHoldsSql}
       SELECT $1, o.id, $2, r.type FROM (${nestedObjectsSql}) o, unnest($3::text[]) AS r (type)
       ON CONFLICT DO NOTHING`,
      values,
    );
  }
}

const insertHoldsSql = 'INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)';

/** Collections and all collections nested in them, as a relation `down`. */
function nestedCollectionsSql(ids: string): string {
  return `down (id) AS (
    SELECT unnest(${ids}) COLLATE "C"
    UNION SELECT c.id FROM down JOIN collection c ON c.project_id = $1 AND c.parent_id = down.id)`;
}

/** The objects in the collections of `down`, including those of images. */
const nestedObjectsSql = `
  SELECT m.resource_id AS id FROM down
  JOIN collection_member m ON m.project_id = $1 AND m.collection_id = down.id
    AND m.resource_type = 'object'
  UNION
  SELECT i.object_id FROM down
  JOIN collection_member m ON m.project_id = $1 AND m.collection_id = down.id
    AND m.resource_type = 'image'
  JOIN image i ON i.project_id = $1 AND i.id = m.resource_id`;

/** Removes the holds of rules that a policy no longer has; all of them if it is disabled. */
export async function releaseHolds(tx: Tx, policy: PolicyRow): Promise<void> {
  send(
    tx,
    `DELETE FROM object_hold WHERE project_id = $1 AND policy_id = $2 AND NOT rule_type = ANY($3)`,
    [policy.projectId, policy.id, policy.mode === 'disabled' ? [] : policy.stickyRules],
  );
}

/** Copies holds to objects. The caller must hold the lock on the scopes. */
export async function copyHolds(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
  holds: readonly Hold[],
): Promise<void> {
  if (objectIds.length === 0 || holds.length === 0) return;
  send(
    tx,
    `INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
     SELECT $1, o.id, h.policy_id, h.rule_type
     FROM unnest($2::text[]) AS o (id), unnest($3::text[], $4::text[]) AS h (policy_id, rule_type)
     ON CONFLICT DO NOTHING`,
    [
      projectId,
      objectIds,
      holds.map(({ policyId }) => policyId),
      holds.map(({ ruleType }) => ruleType),
    ],
  );
}

/** The holds on an object and on its sources. */
export async function findHolds(tx: Tx, projectId: string, objectId: string): Promise<Hold[]> {
  return prepared<Hold>(
    tx,
    `SELECT DISTINCT h.policy_id AS "policyId", h.rule_type AS "ruleType"
     FROM object_line($1, $2) l JOIN object_hold h ON h.project_id = $1 AND h.object_id = l.id`,
    [projectId, objectId],
  );
}
