import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that show an object or a collection to people without a key, or take their uploads. */
export class Shares1000000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE share (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        kind text NOT NULL CHECK (kind IN ('view', 'upload')),
        object_id text COLLATE "C",
        collection_id text COLLATE "C",
        title text,
        message text,
        password_hash text,
        allow_download boolean NOT NULL,
        max_views integer,
        max_downloads integer,
        max_files integer,
        accept text[] NOT NULL DEFAULT '{}',
        max_bytes bigint,
        views integer NOT NULL DEFAULT 0,
        downloads integer NOT NULL DEFAULT 0,
        uploads integer NOT NULL DEFAULT 0,
        last_used_at timestamptz,
        -- An actor, with the name at that time. The link works while they have access.
        created_by jsonb NOT NULL,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        CHECK (CASE kind WHEN 'view' THEN num_nonnulls(object_id, collection_id) = 1
          ELSE object_id IS NULL END),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE,
        FOREIGN KEY (project_id, collection_id) REFERENCES collection (project_id, id)
          ON DELETE CASCADE
      -- Counters change often, and are in no index.
      ) WITH (fillfactor = 80);
      CREATE INDEX share_object ON share (project_id, object_id) WHERE object_id IS NOT NULL;
      CREATE INDEX share_collection ON share (project_id, collection_id)
        WHERE collection_id IS NOT NULL;
      SELECT wall('{share}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON share TO api, worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE share');
  }
}
