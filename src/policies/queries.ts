import type { PolicyAction } from '@scriptorium/contracts/rules';
import { selectListOf } from '../db/statements/rows.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { PolicyRow } from '../entities/policies/policy.ts';
import type { Policy } from './decision/decide.ts';
import { toPolicy } from './store.ts';

/**
 * The policies of a project that apply to an action and are not disabled.
 *
 * SQL, since every upload, job and download runs it: TypeORM takes 170 µs more CPU.
 */
export async function loadPolicies(
  tx: Tx,
  projectId: string,
  action: PolicyAction,
): Promise<Policy[]> {
  const rows = await prepared<PolicyRow>(
    tx,
    `SELECT ${selectListOf(tx, PolicyRow)} FROM policy
     WHERE project_id = $1 AND mode <> 'disabled' AND $2 = ANY(actions)`,
    [projectId, action],
  );
  return rows.map(toPolicy);
}
