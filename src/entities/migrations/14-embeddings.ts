import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Adds vectors of passages, computed by the embedding endpoint of the service, and the settings, state
 * and usage of each project. A vector is deleted with its passage, and if the text changes.
 */
export class Embeddings2000000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('passage', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('usage_day')}
      ${tablesSql} ${changesSql} ${usageSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

const tablesSql = `
  -- The model of the endpoint that the workers use; no row without an endpoint. Serves all projects.
  CREATE TABLE embedding_endpoint (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    model text COLLATE "C" NOT NULL
  );
  GRANT SELECT ON embedding_endpoint TO api;
  GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_endpoint TO worker;

  CREATE TABLE project_embedding (
    project_id text COLLATE "C" PRIMARY KEY,
    -- Which texts may be sent to the endpoint.
    texts text COLLATE "C" NOT NULL DEFAULT 'unprotected'
      CHECK (texts IN ('none', 'unprotected', 'redacted', 'all')),
    -- The model of the project's vectors; null before the first.
    model text COLLATE "C",
    -- Since when the endpoint fails for this project, and with which code.
    failing_since timestamptz,
    failure text COLLATE "C"
  );

  CREATE TABLE passage_embedding (
    project_id text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    redacted boolean NOT NULL,
    page integer NOT NULL,
    position integer NOT NULL,
    -- The signs of the vector. Null if the endpoint rejected the text.
    bits bit varying,
    -- The vector in steps of 1/127 of its largest component, one byte each.
    vector bytea,
    -- With the signs, so that a search of all vectors reads the index only.
    PRIMARY KEY (project_id, object_id, redacted, page, position) INCLUDE (bits),
    FOREIGN KEY (project_id, object_id, redacted, page, position)
      REFERENCES passage (project_id, object_id, redacted, page, position) ON DELETE CASCADE
  -- Vacuumed early, since pages that are not yet visible to all are read as well.
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
  -- The bytes of a vector hardly compress.
  ALTER TABLE passage_embedding ALTER vector SET STORAGE EXTERNAL;
  SELECT wall('{project_embedding,passage_embedding}');
  GRANT SELECT, INSERT, UPDATE, DELETE ON project_embedding, passage_embedding TO api, worker;`;

const changesSql = `
  CREATE FUNCTION passage_text_change() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    DELETE FROM passage_embedding e
    WHERE e.project_id = NEW.project_id AND e.object_id = NEW.object_id AND e.redacted = NEW.redacted
      AND e.page = NEW.page AND e.position = NEW.position;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER passage_text_changed AFTER UPDATE ON passage FOR EACH ROW
    WHEN (NEW.text IS DISTINCT FROM OLD.text OR NEW.headings IS DISTINCT FROM OLD.headings)
    EXECUTE FUNCTION passage_text_change();`;

const usageSql = `
  ALTER TABLE usage_day ADD embedding_requests bigint NOT NULL DEFAULT 0,
    ADD embedding_tokens bigint NOT NULL DEFAULT 0;
  CREATE FUNCTION usage_embed(project text, more_requests bigint, more_tokens bigint)
  RETURNS void LANGUAGE sql AS $$
    -- Adds requests to the embedding endpoint, and the tokens that it reported, to today's.
    INSERT INTO usage_day AS d (project_id, day, storage_bytes, succeeded, failed,
      embedding_requests, embedding_tokens)
    VALUES (project, (now() AT TIME ZONE 'UTC')::date, usage_of(project, 'storage_bytes'), 0, 0,
      more_requests, more_tokens)
    ON CONFLICT (project_id, day) DO UPDATE SET storage_bytes = excluded.storage_bytes,
      embedding_requests = d.embedding_requests + excluded.embedding_requests,
      embedding_tokens = d.embedding_tokens + excluded.embedding_tokens
  $$;`;
