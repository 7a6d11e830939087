import { nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Erasure } from '../../entities/erasure/erasure.ts';
import type { PageSeal } from '../../jobs/sealing/page-content.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { isOrdinaryWord, makePatterns } from './patterns.ts';
import { type FoundRow, insertFound, listErasableTables } from './queries.ts';
import { findInSealed } from './sealed.ts';
import { findErasure, openValues } from './store.ts';

/**
 * Searches all tables of a project for the values of an erasure, a table in each transaction. An
 * interrupted search is repeated from the beginning: it finds the same.
 */
export async function searchErasure(deps: PageSeal, run: TaskRun<'erasure.search'>): Promise<void> {
  const { projectId, payload } = run.task;
  const erasure = await run.inProject((tx) => findErasure(tx, projectId, payload.erasure_id));
  if (erasure?.state !== 'searching' || erasure.sealedValues === null) return run.end();
  const values = openValues(deps, erasure);
  const patterns = makePatterns(values);
  const tables = await run.inProject((tx) => listErasableTables(tx));
  const store = (found: readonly FoundRow[]) =>
    run.inProject(async (tx) => insertFound(tx, erasure, found));
  for (const [at, table] of tables.entries()) {
    run.signal.throwIfAborted();
    await run.inProject(async (tx) => {
      const found = await prepared<FoundRow>(tx, 'SELECT * FROM find_values($1, $2, $3, $4, $5)', [
        projectId,
        table,
        patterns.all,
        patterns.hint,
        patterns.each,
      ]);
      insertFound(
        tx,
        erasure,
        found.map((row) => ({ ...row, table })),
      );
      sendUpdate(
        tx,
        Erasure,
        { projectId, id: erasure.id },
        { percent: Math.floor((at / tables.length) * 90) },
      );
    });
  }
  await run.inProject(async (tx) => {
    const rows = await prepared<FoundRow>(tx, 'SELECT * FROM find_text($1, $2)', [
      projectId,
      values,
    ]);
    insertFound(
      tx,
      erasure,
      rows.map((row) => ({ ...row, table: 'object_text' })),
    );
  });
  await findInSealed(deps, run, patterns, store);
  await run.finish(
    (tx) => findErasure(tx, projectId, erasure.id),
    async (tx, current) => {
      if (current?.state !== 'searching') return;
      await addDerived(tx, erasure);
      const ordinaryWords = [];
      for (const [valueIndex, value] of values.entries()) {
        if (!isOrdinaryWord(value)) continue;
        const resources = await countWith(tx, erasure, valueIndex);
        ordinaryWords.push({ value_index: valueIndex, resources });
      }
      sendUpdate(
        tx,
        Erasure,
        { projectId, id: erasure.id },
        { state: 'ready', percent: 100, ordinaryWords, version: nextVersion },
      );
    },
  );
}

/** Adds the objects made from found ones, if these are purged, and packs with found objects. */
async function addDerived(tx: Tx, { projectId, id, objects }: Erasure): Promise<void> {
  await prepared(
    tx,
    `WITH RECURSIVE found (object_id, value_indexes, field) AS (
       SELECT resource_id, value_indexes, NULL::text FROM erasure_resource
       WHERE project_id = $1 AND erasure_id = $2 AND resource_type = 'object'
       UNION
       SELECT made.object_id, found.value_indexes, made.field FROM found, LATERAL (
         SELECT o.id AS object_id, 'derived_from' AS field FROM object o
         WHERE o.project_id = $1 AND o.derived_from = found.object_id AND $3 = 'purge'
         UNION ALL
         SELECT p.object_id, 'pack' FROM pack_document d
         JOIN pack p ON p.project_id = $1 AND p.id = d.pack_id
         JOIN object o ON o.project_id = $1 AND o.id = p.object_id
         WHERE d.project_id = $1 AND d.object_id = found.object_id) made)
     INSERT INTO erasure_resource (project_id, erasure_id, resource_type, resource_id, fields, value_indexes)
     SELECT DISTINCT ON (object_id) $1, $2, 'object', object_id, ARRAY[field], value_indexes
     FROM found WHERE field IS NOT NULL ORDER BY object_id
     ON CONFLICT DO NOTHING`,
    [projectId, id, objects],
  );
}

async function countWith(tx: Tx, { projectId, id }: Erasure, valueIndex: number): Promise<number> {
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM erasure_resource
     WHERE project_id = $1 AND erasure_id = $2 AND $3 = ANY(value_indexes)`,
    [projectId, id, valueIndex],
  );
  return row!.n;
}
