import type { ExpiredObject } from '@scriptorium/contracts/wire/retention';
import type { Tx } from '../../db/transaction.ts';
import { decideDeletion } from '../../policies/enforce.ts';
import { type ExpiredRow, listExpired, listKeeping, listOutputs } from './queries.ts';

/** An object that a rule deletes now, with the objects made from it, and what keeps it. */
interface Expired extends ExpiredRow {
  /** Oldest first. */
  outputIds: string[];
  keptBy: ExpiredObject['kept_by'];
}

/** Finds the objects that rules delete now, after one of them. Changes nothing. */
export async function findExpired(
  tx: Tx,
  projectId: string,
  after: string,
  limit: number,
): Promise<Expired[]> {
  const rows = await listExpired(tx, projectId, after, limit);
  const sourceIds = rows.map(({ id }) => id);
  const outputs = await listOutputs(tx, projectId, sourceIds);
  const allIds = [...new Set([...sourceIds, ...outputs.map(({ id }) => id)])];
  const keeping = await listKeeping(tx, projectId, allIds);
  const keepers = new Map(keeping.map((one) => [one.object_id, one.rule_id]));
  const found: Expired[] = [];
  for (const row of rows) {
    const outputIds = outputs.filter((one) => one.source_id === row.id).map(({ id }) => id);
    const keptBy = await findKeeper(tx, projectId, keepers, [row.id, ...outputIds]);
    found.push({ ...row, outputIds, keptBy });
  }
  return found;
}

/** What keeps one of the objects; null if nothing does. */
async function findKeeper(
  tx: Tx,
  projectId: string,
  keepers: ReadonlyMap<string, string>,
  objectIds: readonly string[],
): Promise<Expired['keptBy']> {
  for (const objectId of objectIds) {
    const ruleId = keepers.get(objectId);
    if (ruleId !== undefined) {
      return { type: 'retention_rule', id: ruleId, rule_type: 'keep_until', object_id: objectId };
    }
    const { decision, violations } = await decideDeletion(tx, projectId, objectId);
    const [violation] = violations;
    if (decision !== 'deny' || !violation) continue;
    const { policy_id, rule_type } = violation;
    return { type: 'policy', id: policy_id, rule_type, object_id: objectId };
  }
  return null;
}

/** An expired object as the API returns it. */
export function presentExpired(expired: Expired): ExpiredObject {
  return {
    object_id: expired.id,
    filename: expired.filename,
    bytes: expired.bytes,
    rule_id: expired.rule_id,
    outputs: expired.outputIds.length,
    kept_by: expired.keptBy,
  };
}
