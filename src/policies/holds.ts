import { prepared, send, type Tx } from '../db/transaction.ts';
import type { PolicyRow } from '../entities/policy.ts';
import type { Hold } from './fact-table.ts';

/**
 * Sticky rules (legal_hold, retention) hold on to what once came into their policy's scope through a
 * tag or a collection: a row says so from the transaction on in which it came, and stays until the
 * policy is deleted, is disabled or loses the rule.
 */

/**
 * Keeps scopes from changing beside each other: whoever changes policies excludes everybody else,
 * whoever brings objects into scopes only them. Without it a policy and a tag that meet in two
 * transactions would not see each other. To be taken before what changes the scope.
 */
export function lockScopes(tx: Tx, projectId: string, mode: 'shared' | 'exclusive'): void {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  send(tx, `SELECT ${lock}(hashtextextended('policies ' || $1, 0))`, [projectId]);
}

/** Lays the holds that objects have come under by the tags they have now. */
export async function holdObjects(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): Promise<void> {
  send(
    tx,
    `INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
     SELECT $1, o.id, p.id, r.type
     FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type)
     JOIN object o ON o.project_id = $1 AND o.id = ANY($2) AND o.tags && p.scope_members
     WHERE p.project_id = $1 AND p.mode <> 'disabled' AND p.scope_type = 'tag'
     ON CONFLICT DO NOTHING`,
    [projectId, objectIds],
  );
}

/** Lays the holds of a policy on all that is in its scope now, however much that is. */
export async function holdScope(tx: Tx, policy: PolicyRow): Promise<void> {
  if (policy.mode === 'disabled' || policy.stickyRules.length === 0) return;
  if (policy.scopeType === 'tag') {
    send(
      tx,
      `INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
       SELECT $1, o.id, $2, r.type FROM object o, unnest($3::text[]) AS r (type)
       WHERE o.project_id = $1 AND o.tags && $4::text[]
       ON CONFLICT DO NOTHING`,
      [policy.projectId, policy.id, policy.stickyRules, policy.scopeMembers],
    );
  }
}

/** Ends the holds of rules that a policy no longer has, all when it is disabled. */
export async function releaseHolds(tx: Tx, policy: PolicyRow): Promise<void> {
  send(
    tx,
    `DELETE FROM object_hold WHERE project_id = $1 AND policy_id = $2 AND NOT rule_type = ANY($3)`,
    [policy.projectId, policy.id, policy.mode === 'disabled' ? [] : policy.stickyRules],
  );
}

/** Lays holds on objects that others have. The scopes are locked by whoever calls. */
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

/** The holds on an object and on what it was made from. */
export async function holdsOn(tx: Tx, projectId: string, objectId: string): Promise<Hold[]> {
  return prepared<Hold>(
    tx,
    `SELECT DISTINCT h.policy_id AS "policyId", h.rule_type AS "ruleType"
     FROM object_line($1, $2) l JOIN object_hold h ON h.project_id = $1 AND h.object_id = l.id`,
    [projectId, objectId],
  );
}
