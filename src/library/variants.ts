import type { VariantName } from '@scriptorium/contracts/variants';
import type { NewTask } from '@scriptorium/contracts/work/tasks';
import { selectListOf } from '../db/statements/rows.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { ObjectVariant } from '../entities/library/object-variant.ts';
import { scheduleAwaited } from '../outbox/schedule.ts';

/**
 * A variant of an object: complete if `sha256` is set, failed if `error` is set, otherwise in progress.
 * Null if it was never requested.
 */
export async function findVariant(
  tx: Tx,
  projectId: string,
  objectId: string,
  variant: string,
): Promise<ObjectVariant | null> {
  const [found] = await prepared<ObjectVariant>(
    tx,
    `SELECT ${selectListOf(tx, ObjectVariant)}
     FROM object_variant WHERE project_id = $1 AND object_id = $2 AND variant = $3`,
    [projectId, objectId, variant],
  );
  return found ?? null;
}

/** A variant, and the task that makes it. */
export interface VariantRequest {
  variant: string;
  task: NewTask;
}

/** A copy without some of the metadata. */
export function strippedVariant(objectId: string, variant: VariantName): VariantRequest {
  return { variant, task: { kind: 'object.strip', payload: { object_id: objectId, variant } } };
}

/**
 * Requests a variant of an available object: schedules its task once, for any number of requests. A
 * variant that failed for a retryable reason is tried again.
 */
export async function requestVariant(
  tx: Tx,
  projectId: string,
  objectId: string,
  { variant, task }: VariantRequest,
): Promise<void> {
  const inserted = await prepared(
    tx,
    `INSERT INTO object_variant AS v (project_id, object_id, variant) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, object_id, variant) DO UPDATE SET error = NULL
       WHERE (v.error->>'retryable')::boolean
     RETURNING v.variant`,
    [projectId, objectId, variant],
  );
  if (inserted.length === 0) return;
  scheduleAwaited(tx, projectId, objectId, task);
}
