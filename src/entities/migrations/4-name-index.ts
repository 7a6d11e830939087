import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the words of titles, filenames and tags, which rank highest: of a word that many texts
 * contain, a search ranks the newest matches, and those with the word in their name.
 */
export class NameIndex2000000000004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An index left by an interrupted run is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS object_index_names');
    await runner.query(
      `CREATE INDEX CONCURRENTLY object_index_names
       ON object_index USING gin (project_id, ts_filter(details, '{a,b}')) WITH (fastupdate = off)`,
    );
    // The planner needs statistics of the words in the index.
    await runner.query('ANALYZE object_index');
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}
