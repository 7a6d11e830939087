import { prepared, type Tx } from '../db/transaction.ts';

/** A rule of a policy that keeps objects. */
export interface HoldingPolicy {
  policy_id: string;
  name: string;
  rule_type: 'legal_hold' | 'retention';
}

/**
 * The policies that keep a project from being deleted: each enforced `legal_hold`, and each
 * `retention` that has begun for an object and has not ended. Conditions of a policy are ignored,
 * so it keeps too much rather than too little. The caller must hold the exclusive lock on the
 * scopes.
 */
export function findHoldingPolicies(tx: Tx, projectId: string): Promise<HoldingPolicy[]> {
  return prepared<HoldingPolicy>(
    tx,
    `SELECT DISTINCT p.id AS policy_id, p.name, rule->>'type' AS rule_type
     FROM policy p CROSS JOIN LATERAL jsonb_array_elements(p.rules) AS rule
     WHERE p.project_id = $1 AND p.mode = 'enforce' AND 'delete' = ANY(p.actions)
       AND CASE rule->>'type'
         WHEN 'legal_hold' THEN true
         WHEN 'retention' THEN
           (p.scope_type = 'project' OR EXISTS (SELECT FROM object_hold h
             WHERE h.project_id = $1 AND h.policy_id = p.id AND h.rule_type = 'retention'))
           AND EXISTS (SELECT FROM object o WHERE o.project_id = $1
             AND o.created_at > now() - (rule->>'min_days')::integer * interval '1 day')
         ELSE false END
     ORDER BY 1, 3`,
    [projectId],
  );
}
