import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Packs of documents for language models. */
export class Packs1000000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pack (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN
          ('queued', 'running', 'cancelling', 'succeeded', 'partially_succeeded', 'failed', 'cancelled')),
        name text NOT NULL,
        source jsonb NOT NULL,
        options jsonb NOT NULL,
        refreshes text COLLATE "C",
        retry_of text COLLATE "C",
        -- Who started it, so that what its workers record names the same request.
        origin jsonb NOT NULL,
        percent integer NOT NULL DEFAULT 0,
        -- The archive. It may be purged, and the pack stays.
        object_id text COLLATE "C",
        error jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      ) WITH (fillfactor = 70);
      CREATE INDEX pack_newest ON pack (project_id, created_at, id);
      SELECT wall('{pack}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON pack TO api, worker;

      CREATE TABLE pack_document (
        project_id text COLLATE "C" NOT NULL,
        pack_id text COLLATE "C" NOT NULL,
        -- From 1, by filename and identifier.
        position integer NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        filename text NOT NULL,
        sha256 text COLLATE "C" NOT NULL,
        mime text NOT NULL,
        pages integer,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN
          ('pending', 'running', 'succeeded', 'withheld', 'failed', 'cancelled')),
        -- What the identifiers of its chunks begin with.
        citation_key text COLLATE "C" NOT NULL,
        job_id text COLLATE "C",
        reused boolean NOT NULL DEFAULT false,
        chunks integer,
        tokens integer,
        verified boolean,
        reviewed boolean,
        error jsonb,
        finished_at timestamptz,
        PRIMARY KEY (project_id, pack_id, position),
        FOREIGN KEY (project_id, pack_id) REFERENCES pack (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX pack_document_open ON pack_document (project_id, pack_id, state, position)
        WHERE state IN ('pending', 'running');
      CREATE INDEX pack_document_citation ON pack_document (project_id, citation_key);
      SELECT wall('{pack_document}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON pack_document TO api, worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pack_document; DROP TABLE pack;');
  }
}
