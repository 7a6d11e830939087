import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

const facets = ['state', 'mime', 'month', 'tag'];

/** SQL that changes which facets are counted. */
const allow = (names: string[]): string => `
  ${lockPatiently('object_count')}
  ALTER TABLE object_count DROP CONSTRAINT object_count_facet_check,
    ADD CONSTRAINT object_count_facet_check CHECK (facet IN ('${names.join(`', '`)}'));`;

/** SQL that runs statements in each project. */
const inEachProject = (statements: string): string => `
  DO $$
  DECLARE
    project text;
  BEGIN
    FOR project IN SELECT id FROM project LOOP
      PERFORM set_config('app.project_id', project, true);
      ${statements}
    END LOOP;
    PERFORM set_config('app.project_id', '', true);
  END
  $$;`;

const lockObjects = lockPatiently('object', 'SHARE ROW EXCLUSIVE');

const removeCounts = inEachProject(`
      DELETE FROM object_count_delta WHERE project_id = project AND facet LIKE 'derived%';
      DELETE FROM object_count WHERE project_id = project AND facet LIKE 'derived%';`);

/** SQL that counts what is derived from now on. */
const countDerived = `
  CREATE OR REPLACE FUNCTION object_facets(
    state text, mime text, created_at timestamptz, tags text[], derived_from text)
  RETURNS TABLE (facet text, value text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT * FROM object_facets(state, mime, created_at, tags)
    UNION ALL
    SELECT 'derived_' || f.facet, f.value FROM object_facets(state, mime, created_at, tags) f
    WHERE derived_from IS NOT NULL AND state <> 'trashed'
  $$;

  CREATE OR REPLACE FUNCTION object_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    project text;
    changes integer;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO object_count_delta (project_id, facet, value, delta)
      SELECT a.project_id, f.facet, f.value, count(*)
      FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags, a.derived_from) f
      GROUP BY 1, 2, 3;
      GET DIAGNOSTICS changes = ROW_COUNT;
      SELECT project_id INTO project FROM added LIMIT 1;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO object_count_delta (project_id, facet, value, delta)
      SELECT r.project_id, f.facet, f.value, -count(*)
      FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags, r.derived_from) f
      GROUP BY 1, 2, 3;
      GET DIAGNOSTICS changes = ROW_COUNT;
      SELECT project_id INTO project FROM removed LIMIT 1;
    ELSE
      INSERT INTO object_count_delta (project_id, facet, value, delta)
      SELECT c.project_id, c.facet, c.value, sum(c.delta) FROM (
        SELECT a.project_id, f.facet, f.value, 1 AS delta
        FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags, a.derived_from) f
        UNION ALL
        SELECT r.project_id, f.facet, f.value, -1
        FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags, r.derived_from) f) c
      GROUP BY 1, 2, 3 HAVING sum(c.delta) <> 0;
      GET DIAGNOSTICS changes = ROW_COUNT;
      SELECT project_id INTO project FROM added LIMIT 1;
    END IF;
    -- Occasionally, so that readers usually add up some two thousand changes.
    IF random() < changes / 2000.0 THEN
      PERFORM object_count_fold(project);
    END IF;
    RETURN NULL;
  END
  $$;

  CREATE OR REPLACE FUNCTION object_count_fold(project text) RETURNS void LANGUAGE plpgsql AS $$
  -- Adds the changes to the counts, unless another transaction is doing it: none waits.
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('object_count ' || project, 0)) THEN
      RETURN;
    END IF;
    WITH taken AS (
      DELETE FROM object_count_delta WHERE project_id = project RETURNING facet, value, delta)
    INSERT INTO object_count (project_id, facet, value, count)
      SELECT project, facet, value, sum(delta) FROM taken
      GROUP BY facet, value HAVING sum(delta) <> 0
    ON CONFLICT (project_id, facet, value)
      DO UPDATE SET count = object_count.count + excluded.count;
    DELETE FROM object_count WHERE project_id = project AND count = 0;
  END
  $$;
`;

/** As changes, which never conflict with those of others. */
const countThoseThere = inEachProject(`
  INSERT INTO object_count_delta (project_id, facet, value, delta)
  SELECT o.project_id, f.facet, f.value, count(*)
  FROM object o, object_facets(o.state, o.mime, o.created_at, o.tags, o.derived_from) f
  WHERE o.project_id = project AND o.derived_from IS NOT NULL AND f.facet LIKE 'derived%'
  GROUP BY 1, 2, 3;`);

/**
 * Counts what is derived from other objects as well, by the same facets, so that originals are counted
 * by subtraction. Whether its source is still there is not counted: it depends on other rows, which
 * change in other transactions.
 *
 * Writers wait only until the functions are replaced, earlier counts are removed and a second transaction
 * has taken its snapshot. That transaction counts the objects in its snapshot without a lock, and the new
 * functions count later changes. A run that breaks off starts over.
 */
export class DerivedCounts1000000000097 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allow([...facets, ...facets.map((facet) => `derived_${facet}`)]));
    const counting = runner.connection.createQueryRunner();
    try {
      await counting.connect();
      await runner.startTransaction();
      await runner.query(lockObjects);
      // A run that broke off. The snapshot cannot remove what others have changed since.
      if (await isDerivedCounted(runner)) await runner.query(removeCounts);
      await runner.query(countDerived);
      await counting.startTransaction('REPEATABLE READ');
      await counting.query('SELECT pg_current_snapshot()');
      await runner.commitTransaction();
      await counting.query(countThoseThere);
      await counting.commitTransaction();
    } finally {
      for (const each of [runner, counting]) {
        if (each.isTransactionActive) await each.rollbackTransaction();
      }
      await counting.release();
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockObjects}
      CREATE OR REPLACE FUNCTION object_facets(
        state text, mime text, created_at timestamptz, tags text[], derived_from text)
      RETURNS TABLE (facet text, value text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT * FROM object_facets(state, mime, created_at, tags)
      $$;
      ${removeCounts}
    `);
    await runner.query(allow(facets));
  }
}

async function isDerivedCounted(runner: QueryRunner): Promise<boolean> {
  const found = await runner.query(
    `SELECT FROM pg_proc WHERE prosrc LIKE '%derived\\_%'
       AND oid = to_regprocedure('object_facets(text,text,timestamptz,text[],text)')`,
  );
  return found.length > 0;
}
