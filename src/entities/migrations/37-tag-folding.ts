import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tag filters match regardless of case. The indexes on tags as written stay: the release before
 * uses them.
 */
export class TagFolding1000000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Tags as filters compare them. The collation is named, so that the result does not depend on
      -- the database's locale. The text of an array stays one in lower case: what needs quotes has
      -- them. In plpgsql, since Postgres cannot inline it and calls one in SQL at twice the cost.
      CREATE FUNCTION fold_tags(tags text[]) RETURNS text[]
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10 AS $$
      BEGIN
        RETURN lower(tags::text COLLATE "und-x-icu")::text[];
      END
      $$;
      CREATE INDEX image_index_folded_tags ON image_index USING gin (project_id, fold_tags(tags))
        WITH (gin_pending_list_limit = 256);
      CREATE INDEX object_index_folded_tags ON object_index USING gin (project_id, fold_tags(tags))
        WITH (fastupdate = off);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX object_index_folded_tags;
      DROP INDEX image_index_folded_tags;
      DROP FUNCTION fold_tags;
    `);
  }
}
