import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What functions that run as their owner read, and how far policies follow what was made from what. */
export class Bounds1000000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Where the session's own tables are not named, they come before all others: whoever may make
      -- one could stand in for a table that these functions read as their owner.
      ALTER FUNCTION authenticate SET search_path = pg_catalog, public, pg_temp;
      ALTER FUNCTION authenticate_signed SET search_path = pg_catalog, public, pg_temp;
      ALTER FUNCTION partitions_ensure SET search_path = pg_catalog, public, pg_temp;
      ALTER FUNCTION partitions_drop SET search_path = pg_catalog, public, pg_temp;
      ALTER FUNCTION pipeline_figures SET search_path = pg_catalog, public, pg_temp;

      CREATE OR REPLACE FUNCTION object_line(wanted_project text, wanted_object text)
      RETURNS TABLE (id text, depth integer)
      LANGUAGE sql STABLE AS $$
        -- An object and what it was made from, what that was made from, and so on to the first:
        -- with a bound, an object would leave its policies by being worked on often enough. It ends,
        -- since an object is made from one that is there, and never from another after that.
        WITH RECURSIVE line AS (
          SELECT o.id, o.derived_from, 0 AS depth FROM object o
          WHERE o.project_id = wanted_project AND o.id = wanted_object
          UNION ALL
          SELECT o.id, o.derived_from, line.depth + 1 FROM line JOIN object o
            ON o.project_id = wanted_project AND o.id = line.derived_from)
        SELECT line.id, line.depth FROM line
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
