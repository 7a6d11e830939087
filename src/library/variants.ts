import type { VariantName } from '../contracts/variants.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import type { ObjectVariant } from '../entities/object-variant.ts';
import { schedule } from '../outbox/schedule.ts';

/**
 * A variant of an object: made when `sha256` is there, failed when `error` is, else being made. Null
 * when nobody has asked for it.
 */
export async function findVariant(
  tx: Tx,
  projectId: string,
  objectId: string,
  variant: VariantName,
): Promise<ObjectVariant | null> {
  const [found] = await prepared<ObjectVariant>(
    tx,
    `SELECT project_id AS "projectId", object_id AS "objectId", variant, sha256, bytes, error,
       created_at AS "createdAt"
     FROM object_variant WHERE project_id = $1 AND object_id = $2 AND variant = $3`,
    [projectId, objectId, variant],
  );
  return found ?? null;
}

/**
 * Asks for a variant of an object that is there: schedules its making once, however many ask. One
 * that failed for a reason that may have passed is tried again.
 */
export async function requestVariant(
  tx: Tx,
  projectId: string,
  objectId: string,
  variant: VariantName,
): Promise<void> {
  const asked = await prepared(
    tx,
    `INSERT INTO object_variant AS v (project_id, object_id, variant) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, object_id, variant) DO UPDATE SET error = NULL
       WHERE (v.error->>'retryable')::boolean
     RETURNING v.variant`,
    [projectId, objectId, variant],
  );
  if (asked.length === 0) return;
  await schedule(tx, projectId, objectId, {
    kind: 'object.strip',
    payload: { object_id: objectId, variant },
  });
}
