import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Security policies, the holds they leave behind, and the facts they are decided by. */
export class Policies1000000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE policy (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('enforce', 'audit', 'disabled')),
        scope_type text NOT NULL CHECK (scope_type IN ('project', 'collection', 'tag')),
        -- The tags, or the identifiers of collections.
        scope_members text[] NOT NULL DEFAULT '{}',
        actions text[] NOT NULL,
        -- {mime, labels}, or null.
        conditions jsonb,
        rules jsonb NOT NULL,
        -- Of its rules those that hold on to what was once in scope.
        sticky_rules text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      SELECT wall('{policy}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON policy TO api, worker;

      -- What came under a sticky rule through a tag or a collection stays under it. No foreign key to
      -- the object: a policy over 100,000 objects would lock each of them. A purge takes its rows.
      CREATE TABLE object_hold (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        policy_id text COLLATE "C" NOT NULL,
        rule_type text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, object_id, policy_id, rule_type),
        FOREIGN KEY (project_id, policy_id) REFERENCES policy (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX object_hold_policy ON object_hold (project_id, policy_id);
      SELECT wall('{object_hold}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON object_hold TO api, worker;

      -- What a redaction took out, and whether it was verified that nothing of it is left.
      CREATE TABLE redaction_fact (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        -- What it is a redaction of; it may be purged before.
        source_object_id text COLLATE "C" NOT NULL,
        verified boolean NOT NULL,
        -- Null is all there are.
        entities text[],
        all_pages boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, object_id),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX redaction_fact_source ON redaction_fact (project_id, source_object_id, created_at);
      SELECT wall('{redaction_fact}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON redaction_fact TO api, worker;

      -- What an object has from a source that is purged: its scope must not end with the source.
      CREATE TABLE inherited_fact (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        tags text[] NOT NULL,
        labels text[] NOT NULL,
        collection_ids text[] NOT NULL,
        PRIMARY KEY (project_id, object_id),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      SELECT wall('{inherited_fact}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON inherited_fact TO api, worker;

      -- 'executable', 'scripted'; null where nobody has looked.
      ALTER TABLE object ADD COLUMN traits text[];

      CREATE FUNCTION object_line(wanted_project text, wanted_object text)
      RETURNS TABLE (id text, depth integer)
      LANGUAGE sql STABLE AS $$
        -- An object and what it was made from, what that was made from, and so on.
        WITH RECURSIVE line AS (
          SELECT o.id, o.derived_from, 0 AS depth FROM object o
          WHERE o.project_id = wanted_project AND o.id = wanted_object
          UNION ALL
          SELECT o.id, o.derived_from, line.depth + 1 FROM line JOIN object o
            ON o.project_id = wanted_project AND o.id = line.derived_from
          WHERE line.depth < 32)
        SELECT line.id, line.depth FROM line
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
