import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds rules that delete objects after a time. */
export class RetentionRules2000000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE retention_rule (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        scope_type text COLLATE "C" NOT NULL CHECK (scope_type IN ('project', 'collection')),
        collection_id text COLLATE "C",
        type text COLLATE "C" NOT NULL
          CHECK (type IN ('delete_after', 'delete_after_last_job', 'keep_until')),
        days integer,
        until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        CHECK ((scope_type = 'collection') = (collection_id IS NOT NULL)),
        CHECK (CASE type WHEN 'keep_until' THEN until IS NOT NULL AND days IS NULL
          ELSE days > 0 AND until IS NULL END),
        -- The rules of a collection end with it.
        FOREIGN KEY (project_id, collection_id) REFERENCES collection (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX retention_rule_collection ON retention_rule (project_id, collection_id)
        WHERE collection_id IS NOT NULL;
      SELECT wall('{retention_rule}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON retention_rule TO api, worker;`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}
