import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What redactions need: sealed results of pages, and what the text that is searched is free of. */
export class Redactions1000000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What "words" holds is sealed under SECRET_KEY: personal values, or all that was read of a page
      -- before it was redacted. "text" is null then, or holds no value.
      ALTER TABLE job_page ADD COLUMN sealed boolean NOT NULL DEFAULT false;

      -- Of a text that was redacted, and verified to be: the kinds of personal data it is free of,
      -- {all} for all there are. Null for text as it was read.
      ALTER TABLE object_index ADD COLUMN text_free_of text[];

      -- As it was (migration 11), with one more column. It is searcher's, who may make none: it is
      -- made anew.
      DROP VIEW object_search;
      CREATE VIEW object_search AS
        SELECT object_id AS id, tags AS tagged, details, details || text AS everything,
          has_positions, text_free_of
        FROM object_index WHERE project_id = (SELECT current_setting('app.project_id', true));
      GRANT SELECT ON object_search TO api, worker;
      GRANT CREATE ON SCHEMA public TO searcher;
      ALTER VIEW object_search OWNER TO searcher;
      REVOKE CREATE ON SCHEMA public FROM searcher;
    `);
  }

  async down(): Promise<void> {
    throw new Error('What was sealed cannot be told from what was not: there is no way back.');
  }
}
