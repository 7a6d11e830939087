import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images, their renditions, and variants of objects that are served in their place. */
export class Images1000000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One object, one image. State, filename, mime, bytes, tags and metadata are the object's.
      CREATE TABLE image (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        -- Until a worker has looked at the picture.
        processing boolean NOT NULL DEFAULT true,
        -- Why it could not be looked at: {code, message, retryable}.
        error jsonb,
        title text,
        description text,
        alt_text text,
        rating smallint CHECK (rating BETWEEN 1 AND 5),
        -- As displayed: EXIF's turn is in them.
        width integer,
        height integer,
        orientation text CHECK (orientation IN ('landscape', 'portrait', 'square')),
        captured_at timestamptz,
        camera jsonb,
        location jsonb,
        dominant_color text,
        palette text[],
        blurhash text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        -- The version that is shown is the sum of this and the object's.
        version integer NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, id),
        UNIQUE (project_id, object_id),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      SELECT wall('{image}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON image TO api, worker;

      CREATE TABLE rendition (
        project_id text COLLATE "C" NOT NULL,
        image_id text COLLATE "C" NOT NULL,
        name text NOT NULL CHECK (name IN ('thumb', 'w320', 'w640', 'w1280')),
        mime text NOT NULL CHECK (mime IN ('image/webp', 'image/avif')),
        sha256 text COLLATE "C" NOT NULL,
        bytes bigint NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        PRIMARY KEY (project_id, image_id, name, mime),
        FOREIGN KEY (project_id, image_id) REFERENCES image (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX rendition_bytes ON rendition (project_id, sha256);
      SELECT wall('{rendition}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON rendition TO api, worker;

      -- What is served in place of an object's own bytes where a policy asks for it: "strip:gps".
      CREATE TABLE object_variant (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        variant text NOT NULL,
        sha256 text COLLATE "C",
        bytes bigint,
        -- Why it cannot be made: {code, message, retryable}.
        error jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, object_id, variant),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX object_variant_bytes ON object_variant (project_id, sha256);
      SELECT wall('{object_variant}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON object_variant TO api, worker;

      -- What the object's own indexes lacked: a page of either sort costs what the first one costs.
      CREATE INDEX object_by_filename ON object (project_id, filename, id);
      CREATE INDEX object_by_bytes ON object (project_id, bytes, id);
      CREATE INDEX object_derived ON object (project_id, derived_from) WHERE derived_from IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
