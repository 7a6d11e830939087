import { systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../../db/transaction.ts';
import { RetentionRule } from '../../entities/erasure/retention-rule.ts';
import { deleteObject } from '../../library/objects/ending/delete-object.ts';
import { lockImages } from '../../library/objects/ending/purge-now.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { lockScopes } from '../../policies/facts/holds.ts';
import { findExpired } from './expired.ts';

/** Maximum number of expired objects that one run deletes or skips. */
const batchSize = 50;
const intervalSeconds = 3_600;

/**
 * Deletes the next objects that retention rules have expired, except those that a policy or another
 * rule keeps. Continues at once if there are more, otherwise starts again in an hour while the
 * project has rules.
 */
export async function applyRetention(
  _deps: object,
  run: TaskRun<'retention.apply'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  const after = payload.after ?? '';
  await run.finish(
    async (tx) => {
      const found = await findExpired(tx, projectId, after, batchSize);
      await lockObjects(
        tx,
        projectId,
        found.flatMap(({ id, outputIds }) => [id, ...outputIds]),
      );
      return found.at(-1)?.id ?? null;
    },
    async (tx, last) => {
      // Sees every hold that was committed before.
      lockScopes(tx, projectId, 'shared');
      const deleted = last === null ? 0 : await deleteExpired(tx, projectId, after);
      run.log.info({ deleted }, 'applied retention rules');
      const isComplete = last === null;
      if (isComplete && !(await tx.existsBy(RetentionRule, { projectId }))) return;
      await schedule(tx, projectId, projectId, {
        kind: 'retention.apply',
        payload: isComplete ? {} : { after: last },
        dueInSeconds: isComplete ? intervalSeconds : 0,
      });
    },
  );
}

/** In the order in which all transactions lock them: objects by identifier, then images. */
async function lockObjects(tx: Tx, projectId: string, ids: readonly string[]): Promise<void> {
  await prepared(
    tx,
    `SELECT count(*) FROM (SELECT FROM object WHERE project_id = $1 AND id = ANY($2)
       ORDER BY id FOR UPDATE) locked`,
    [projectId, ids],
  );
  lockImages(tx, projectId, ids);
}

/** Finds them again under the locks: something may have changed before. */
async function deleteExpired(tx: Tx, projectId: string, after: string): Promise<number> {
  const origin = systemOrigin(projectId);
  const gone = new Set<string>();
  for (const { id, rule_id, outputIds, keptBy } of await findExpired(
    tx,
    projectId,
    after,
    batchSize,
  )) {
    if (keptBy !== null || gone.has(id)) continue;
    const remaining = outputIds.filter((outputId) => !gone.has(outputId));
    await record(tx, origin, {
      type: 'dam.object.expired',
      resourceId: id,
      data: { rule_id, outputs: remaining.length },
    });
    // An output is newer than its source, so the newest are deleted first.
    for (const objectId of [...remaining.reverse(), id]) {
      await deleteObject(tx, origin, objectId);
      gone.add(objectId);
    }
  }
  return gone.size;
}
