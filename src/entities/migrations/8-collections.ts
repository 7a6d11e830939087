import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Collections and what they hold. */
export class Collections1000000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE collection (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'available' CHECK (state IN ('available', 'trashed')),
        name text NOT NULL,
        description text,
        kind text NOT NULL CHECK (kind IN ('manual', 'smart')),
        -- A smart collection's filters, as GET /v1/images takes them.
        query jsonb CHECK ((query IS NOT NULL) = (kind = 'smart')),
        parent_id text COLLATE "C",
        cover_image_id text COLLATE "C",
        -- While the cover is in the trash.
        cover_hidden boolean NOT NULL DEFAULT false,
        tags text[] NOT NULL DEFAULT '{}',
        metadata jsonb NOT NULL DEFAULT '{}',
        -- Members that are not hidden.
        member_count integer NOT NULL DEFAULT 0 CHECK (member_count >= 0),
        -- Rises when all positions are given anew: a cursor from before points nowhere then.
        order_epoch integer NOT NULL DEFAULT 0,
        trashed_at timestamptz,
        -- The collection whose deletion took this one along; itself when it was deleted itself.
        trashed_with text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        CHECK ((state = 'trashed') = (trashed_at IS NOT NULL AND trashed_with IS NOT NULL)),
        PRIMARY KEY (project_id, id),
        -- What lies in the trash by itself outlives a parent that is purged.
        FOREIGN KEY (project_id, parent_id) REFERENCES collection (project_id, id)
          ON DELETE SET NULL (parent_id),
        FOREIGN KEY (project_id, cover_image_id) REFERENCES image (project_id, id)
          ON DELETE SET NULL (cover_image_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX collection_newest ON collection (project_id, created_at, id);
      CREATE INDEX collection_by_name ON collection (project_id, name, id);
      CREATE INDEX collection_children ON collection (project_id, parent_id, created_at, id);
      CREATE INDEX collection_cover ON collection (project_id, cover_image_id)
        WHERE cover_image_id IS NOT NULL;
      CREATE INDEX collection_trashed_with ON collection (project_id, trashed_with)
        WHERE trashed_with IS NOT NULL;
      CREATE INDEX collection_smart ON collection (project_id, id) WHERE kind = 'smart';
      SELECT wall('{collection}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON collection TO api, worker;

      CREATE TABLE collection_member (
        project_id text COLLATE "C" NOT NULL,
        collection_id text COLLATE "C" NOT NULL,
        resource_type text COLLATE "C" NOT NULL CHECK (resource_type IN ('image', 'object')),
        resource_id text COLLATE "C" NOT NULL,
        -- A fractional index: members stand in the order of these, no two of one collection alike.
        position text COLLATE "C" NOT NULL,
        -- While the resource is in the trash.
        hidden boolean NOT NULL DEFAULT false,
        added_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, collection_id, resource_type, resource_id),
        FOREIGN KEY (project_id, collection_id) REFERENCES collection (project_id, id)
          ON DELETE CASCADE
      );
      CREATE INDEX collection_member_order
        ON collection_member (project_id, collection_id, hidden, position);
      CREATE INDEX collection_member_of
        ON collection_member (project_id, resource_type, resource_id, collection_id);
      SELECT wall('{collection_member}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON collection_member TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
