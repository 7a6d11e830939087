import { systemOrigin } from '@scriptorium/contracts/origin';
import type { ErasureReport } from '@scriptorium/contracts/wire/erasures';
import type { Database } from '../../db/database.ts';
import { nextVersion, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Erasure } from '../../entities/erasure/erasure.ts';
import { ensureKey, signContents } from '../../jobs/certificates/keys.ts';
import type { PageSeal } from '../../jobs/sealing/page-content.ts';
import { removeUnreferenced } from '../../library/bytes/sweep.ts';
import { record } from '../../outbox/record.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { Storage } from '../../storage/storage.ts';
import { eraseObjects } from './erase-objects.ts';
import { makePatterns, type ValuePatterns } from './patterns.ts';
import { listErasableTables } from './queries.ts';
import { countByType, findErasure, lockErasure, openValues } from './store.ts';

/** Maximum number of rows that one transaction changes. */
const batchSize = 200;

interface EraseDeps extends PageSeal {
  database: Database;
  storage: Storage;
}

/**
 * Erases the values of a confirmed erasure: first from objects, then from all other rows, in batches,
 * then the bytes of purged objects. Each step can be repeated, so a killed run is continued by the
 * next.
 */
export async function runErasure(deps: EraseDeps, run: TaskRun<'erasure.run'>): Promise<void> {
  const { projectId, payload } = run.task;
  const erasure = await run.inProject((tx) => findErasure(tx, projectId, payload.erasure_id));
  if (erasure?.state !== 'running') return run.end();
  const values = openValues(deps, erasure);
  const patterns = makePatterns(values);
  let hasMore = true;
  while (hasMore) {
    run.signal.throwIfAborted();
    hasMore = await run.inProject((tx) => eraseObjects(tx, erasure));
  }
  const tables = await run.inProject((tx) => listErasableTables(tx));
  for (const [at, table] of tables.entries()) {
    let erased = batchSize;
    while (erased >= batchSize) {
      run.signal.throwIfAborted();
      erased = await run.inProject((tx) => eraseRows(tx, erasure, table, patterns));
    }
    const percent = Math.floor((at / tables.length) * 100);
    await run.inProject(async (tx) =>
      sendUpdate(tx, Erasure, { projectId, id: erasure.id }, { percent }),
    );
  }
  await run.inProject((tx) =>
    prepared(tx, 'SELECT erase_derived($1, $2, $3)', [projectId, patterns.all, values]),
  );
  await removeBytes(deps, run, erasure);
  await run.finish(
    (tx) => lockErasure(tx, projectId, erasure.id),
    async (tx, current) => {
      if (current?.state === 'running') await finish(tx, deps, current);
    },
  );
}

async function eraseRows(
  tx: Tx,
  { projectId, id }: Erasure,
  table: string,
  { all, hint }: ValuePatterns,
): Promise<number> {
  const [row] = await prepared<{ erased: number }>(
    tx,
    `SELECT erase_values($1, $2, $3, $6, ARRAY(SELECT resource_id FROM erasure_resource
       WHERE project_id = $1 AND erasure_id = $4 AND resource_type = 'object' AND state = 'kept'), $5) AS erased`,
    [projectId, table, all, id, batchSize, hint],
  );
  return row!.erased;
}

/** Removes the bytes of purged objects now, unless other rows reference them. */
async function removeBytes(
  deps: EraseDeps,
  run: TaskRun<'erasure.run'>,
  { projectId, id }: Erasure,
): Promise<void> {
  const rows = await run.inProject((tx) =>
    prepared<{ sha256: string }>(
      tx,
      `SELECT DISTINCT unnest(hashes) AS sha256 FROM erasure_resource
       WHERE project_id = $1 AND erasure_id = $2`,
      [projectId, id],
    ),
  );
  const hashes = rows.map(({ sha256 }) => sha256);
  for (let at = 0; at < hashes.length; at += 50) {
    run.signal.throwIfAborted();
    await removeUnreferenced(deps, projectId, hashes.slice(at, at + 50), 0);
  }
}

async function finish(tx: Tx, seal: PageSeal, erasure: Erasure): Promise<void> {
  const { projectId, id } = erasure;
  await prepared(
    tx,
    `UPDATE erasure_resource SET state = CASE state WHEN 'found' THEN 'erased' ELSE state END, hashes = '{}'
     WHERE project_id = $1 AND erasure_id = $2`,
    [projectId, id],
  );
  const kept = await prepared<ErasureReport['report']['kept'][number]>(
    tx,
    `SELECT resource_type, resource_id, kept_by->>'policy_id' AS policy_id,
       kept_by->>'rule_type' AS rule_type FROM erasure_resource
     WHERE project_id = $1 AND erasure_id = $2 AND state = 'kept' ORDER BY resource_type, resource_id`,
    [projectId, id],
  );
  const erased = await countByType(tx, erasure, ['erased']);
  const [row] = await prepared<{ now: Date }>(tx, 'SELECT now() AS now', []);
  const report: ErasureReport['report'] = {
    version: 1,
    erasure_id: id,
    project_id: projectId,
    value_count: erasure.valueCount,
    objects: erasure.objects,
    requested_by: erasure.requestedBy,
    confirmed_by: erasure.confirmedBy ?? erasure.requestedBy,
    requested_at: erasure.createdAt.toISOString(),
    finished_at: row!.now.toISOString(),
    erased,
    kept,
  };
  const key = await ensureKey(tx, seal, projectId);
  sendUpdate(
    tx,
    Erasure,
    { projectId, id },
    {
      state: 'finished',
      percent: 100,
      sealedValues: null,
      finishedAt: transactionTime,
      report: { report, signature: signContents(seal, key, report) },
      version: nextVersion,
    },
  );
  const count = Object.values(erased).reduce((sum, n) => sum + n, 0);
  await record(tx, systemOrigin(projectId), {
    type: 'access.erasure.finished',
    resourceId: id,
    data: { erased: count, kept: kept.length },
  });
}
