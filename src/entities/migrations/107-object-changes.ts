import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Cheaper changes of objects: what a change of one row needs is planned once per connection, not for each
 * change, and the index on tags as written is gone, which nothing reads since tags are compared regardless
 * of case (migration 37).
 */
export class ObjectChanges1000000000107 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION hold_objects(wanted_project text, wanted_objects text[]) RETURNS void
      LANGUAGE plpgsql AS $$
      -- Adds the holds that objects get from their tags and collections. Most projects have no policy
      -- that gives any, and the statement that adds them takes longer to plan than all else.
      BEGIN
        PERFORM FROM policy p WHERE p.project_id = wanted_project AND p.mode <> 'disabled'
          AND p.scope_type IN ('tag', 'collection') AND p.sticky_rules <> '{}' LIMIT 1;
        IF NOT FOUND THEN RETURN; END IF;
        WITH placed AS (
          SELECT o.id, (
            WITH RECURSIVE up (id) AS (
              (SELECT m.collection_id FROM collection_member m
               WHERE m.project_id = wanted_project AND m.resource_type = 'object'
                 AND m.resource_id = o.id
               UNION
               SELECT m.collection_id FROM image i JOIN collection_member m
                 ON m.project_id = i.project_id AND m.resource_type = 'image' AND m.resource_id = i.id
               WHERE i.project_id = wanted_project AND i.object_id = o.id)
              UNION
              SELECT c.parent_id FROM up
              JOIN collection c ON c.project_id = wanted_project AND c.id = up.id
              WHERE c.parent_id IS NOT NULL)
            SELECT array_agg(id) FROM up) AS collections
          FROM unnest(wanted_objects) AS o (id)
          WHERE EXISTS (SELECT FROM policy p WHERE p.project_id = wanted_project
            AND p.scope_type = 'collection' AND p.mode <> 'disabled' AND p.sticky_rules <> '{}'))
        INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
        SELECT wanted_project, o.id, p.id, r.type
        FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type)
        JOIN object o ON o.project_id = wanted_project AND o.id = ANY(wanted_objects)
          AND o.tags && p.scope_members
        WHERE p.project_id = wanted_project AND p.mode <> 'disabled' AND p.scope_type = 'tag'
        UNION
        SELECT wanted_project, placed.id, p.id, r.type
        FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type)
        JOIN placed ON placed.collections && p.scope_members
        WHERE p.project_id = wanted_project AND p.mode <> 'disabled' AND p.scope_type = 'collection'
        ON CONFLICT DO NOTHING;
      END
      $$;

      CREATE OR REPLACE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off AS $$
      -- Row by row along the primary key: a join whose plan was made for one row takes thousands for few.
      DECLARE
        c record;
      BEGIN
        FOR c IN SELECT project_id, id, tags, object_details(filename, tags, metadata) AS details
          FROM changed
        LOOP
          UPDATE object_index i SET tags = c.tags, details = c.details
          WHERE i.project_id = c.project_id AND i.object_id = c.id
            AND (i.tags <> c.tags OR i.details <> c.details);
        END LOOP;
        RETURN NULL;
      END
      $$;
    `);
    await runner.query(`
      ${lockPatiently('object_index')}
      DROP INDEX object_index_tags;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX object_index_tags ON object_index USING gin (project_id, tags)
        WITH (fastupdate = off);
      CREATE OR REPLACE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE '
          UPDATE object_index i SET tags = c.tags, details = c.details
          FROM (SELECT project_id, id, tags, object_details(filename, tags, metadata) AS details
            FROM changed) c
          WHERE i.project_id = c.project_id AND i.object_id = c.id
            AND (i.tags <> c.tags OR i.details <> c.details)';
        RETURN NULL;
      END
      $$;
      DROP FUNCTION hold_objects;
    `);
  }
}
