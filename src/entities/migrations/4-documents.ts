import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Objects of the library, and document jobs with their operations, pages and outputs. */
export class Documents1000000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE object (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        state text NOT NULL CHECK (state IN
          ('processing', 'available', 'rejected', 'failed', 'trashed')),
        filename text NOT NULL,
        mime text NOT NULL,
        bytes bigint NOT NULL,
        sha256 text COLLATE "C" NOT NULL,
        pages integer,
        labels jsonb NOT NULL DEFAULT '[]',
        tags text[] NOT NULL DEFAULT '{}',
        metadata jsonb NOT NULL DEFAULT '{}',
        derived_from text COLLATE "C",
        source_kind text NOT NULL CHECK (source_kind IN ('upload', 'job')),
        source_job_id text COLLATE "C",
        rejection jsonb,
        trashed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX object_newest ON object (project_id, created_at, id);
      CREATE INDEX object_bytes ON object (project_id, sha256);
      CREATE INDEX object_tags ON object USING gin (tags);
      SELECT wall('{object}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON object TO api, worker;

      CREATE TABLE job (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN
          ('queued', 'running', 'cancelling', 'succeeded', 'partially_succeeded', 'failed', 'cancelled')),
        source_object_id text COLLATE "C" NOT NULL,
        -- The selected page ranges as sent ("1-3,7"), or null for all.
        pages text,
        -- Each page counts once per operation; null until the source was opened.
        pages_total integer,
        pages_completed integer NOT NULL DEFAULT 0,
        pages_failed integer NOT NULL DEFAULT 0,
        percent integer NOT NULL DEFAULT 0,
        current_operation_index integer NOT NULL DEFAULT 0,
        warnings jsonb NOT NULL DEFAULT '[]',
        error jsonb,
        retry_of text COLLATE "C",
        retry_scope text,
        metadata jsonb NOT NULL DEFAULT '{}',
        -- Who started it, so that what its workers record names the same request.
        origin jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      ) WITH (fillfactor = 70);
      CREATE INDEX job_newest ON job (project_id, created_at, id);
      CREATE INDEX job_source ON job (project_id, source_object_id);
      SELECT wall('{job}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON job TO api, worker;

      CREATE TABLE job_operation (
        project_id text COLLATE "C" NOT NULL,
        job_id text COLLATE "C" NOT NULL,
        index integer NOT NULL,
        op text NOT NULL,
        options jsonb NOT NULL,
        implicit boolean NOT NULL DEFAULT false,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN
          ('pending', 'running', 'succeeded', 'partially_succeeded', 'failed', 'skipped', 'cancelled')),
        pages_total integer,
        pages_succeeded integer NOT NULL DEFAULT 0,
        pages_failed integer NOT NULL DEFAULT 0,
        pages_skipped integer NOT NULL DEFAULT 0,
        result jsonb,
        error jsonb,
        started_at timestamptz,
        finished_at timestamptz,
        PRIMARY KEY (project_id, job_id, index),
        FOREIGN KEY (project_id, job_id) REFERENCES job (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 70);
      SELECT wall('{job_operation}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON job_operation TO api, worker;

      CREATE TABLE job_page (
        project_id text COLLATE "C" NOT NULL,
        job_id text COLLATE "C" NOT NULL,
        operation_index integer NOT NULL,
        page integer NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN
          ('pending', 'running', 'succeeded', 'failed', 'skipped', 'cancelled')),
        error jsonb,
        -- What the operation found, in its own small shape (confidence, characters, …).
        result jsonb,
        text text,
        -- The words with their boxes: deflated JSON.
        words bytea,
        finished_at timestamptz,
        PRIMARY KEY (project_id, job_id, operation_index, page),
        FOREIGN KEY (project_id, job_id, operation_index)
          REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      SELECT wall('{job_page}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON job_page TO api, worker;

      CREATE TABLE job_output (
        project_id text COLLATE "C" NOT NULL,
        job_id text COLLATE "C" NOT NULL,
        operation_index integer NOT NULL,
        kind text NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (project_id, job_id, operation_index, kind),
        FOREIGN KEY (project_id, job_id, operation_index)
          REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE,
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      SELECT wall('{job_output}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON job_output TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
