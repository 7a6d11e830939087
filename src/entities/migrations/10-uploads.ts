import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads that arrive in several requests, and the way in for who has a signed URL. */
export class Uploads1000000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- How much has arrived is not here: storage knows what is durably there.
      CREATE TABLE upload (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        -- Who began it. No foreign key: keys outlive nothing and lock much.
        key_id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'uploading'
          CHECK (state IN ('uploading', 'completed', 'rejected', 'expired')),
        length bigint NOT NULL CHECK (length > 0),
        filename text NOT NULL,
        declared_mime text,
        tags text[] NOT NULL,
        metadata jsonb NOT NULL,
        on_duplicate text NOT NULL CHECK (on_duplicate IN ('reuse', 'allow')),
        -- The header Upload-Metadata as it came: HEAD says it again.
        given text NOT NULL,
        -- Sniffed, once enough has arrived.
        mime text,
        object_id text COLLATE "C",
        deduplicated boolean,
        rejection jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, id),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id)
          ON DELETE SET NULL (object_id)
      );
      CREATE INDEX upload_object ON upload (project_id, object_id) WHERE object_id IS NOT NULL;
      SELECT wall('{upload}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON upload TO api, worker;

      CREATE FUNCTION authenticate_signed(wanted_project text, wanted_key text) RETURNS text[]
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
      -- The way in for a request whose signed token names a key: when that key still stands, puts
      -- the transaction behind its project's wall and answers with the key's scopes; NULL otherwise.
      DECLARE
        held text[];
      BEGIN
        SELECT k.scopes INTO held FROM api_key k
        WHERE k.project_id = wanted_project AND k.id = wanted_key
          AND (k.revoked_at IS NULL OR k.revoked_at > clock_timestamp())
          AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp());
        IF FOUND THEN
          PERFORM set_config('app.project_id', wanted_project, true);
        END IF;
        RETURN held;
      END
      $$;
      REVOKE ALL ON FUNCTION authenticate_signed FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION authenticate_signed TO api;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION authenticate_signed; DROP TABLE upload;');
  }
}
