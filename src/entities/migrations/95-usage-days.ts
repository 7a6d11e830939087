import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What projects used on each day: a row per project and day, in UTC. */
export class UsageDays1000000000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_day (
        project_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        -- When the row was last changed.
        storage_bytes bigint NOT NULL,
        succeeded bigint NOT NULL,
        failed bigint NOT NULL,
        PRIMARY KEY (project_id, day)
      -- The counters of a day change often, and are in no index.
      ) WITH (fillfactor = 50);
      SELECT wall('{usage_day}');
      GRANT SELECT, INSERT, UPDATE ON usage_day TO api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON usage_day TO worker;

      CREATE FUNCTION usage_note(project text, more_succeeded bigint, more_failed bigint)
      RETURNS void LANGUAGE sql AS $$
        -- Adds requests to today's, and keeps what is stored now.
        INSERT INTO usage_day AS d (project_id, day, storage_bytes, succeeded, failed)
        VALUES (project, (now() AT TIME ZONE 'UTC')::date, usage_of(project, 'storage_bytes'),
          more_succeeded, more_failed)
        ON CONFLICT (project_id, day) DO UPDATE SET storage_bytes = excluded.storage_bytes,
          succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION usage_note; DROP TABLE usage_day');
  }
}
