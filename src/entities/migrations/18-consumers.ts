import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Named readers of the feed, and how far each has come. */
export class Consumers1000000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE consumer (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        name text NOT NULL,
        category text NOT NULL CHECK (category IN ('domain', 'audit')),
        -- Patterns, as they were given. Null: all types of the category.
        event_types text[],
        resource_type text,
        resource_id text,
        -- The last sequence that is done with; reading goes on after it.
        position bigint NOT NULL CHECK (position >= 0),
        last_read_at timestamptz,
        last_committed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        UNIQUE (project_id, name)
      ) WITH (fillfactor = 50);
      SELECT wall('{consumer}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON consumer TO api;
      GRANT SELECT ON consumer TO worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consumer');
  }
}
