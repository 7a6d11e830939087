import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Named lists of operations. */
export class Presets1000000000079 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE preset (
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text,
        operations jsonb NOT NULL,
        -- An actor, with the name at that time.
        created_by jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      CREATE UNIQUE INDEX preset_name ON preset (project_id, lower(name));
      SELECT wall('{preset}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON preset TO api;
      GRANT SELECT ON preset TO worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE preset');
  }
}
