import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was made from a redaction stays free of what that was, also when the redaction is purged. */
export class InheritedRedactions1000000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What each verified redaction in its line took out: lists of entities, or "all".
      ALTER TABLE inherited_fact ADD COLUMN covers jsonb NOT NULL DEFAULT '[]';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inherited_fact DROP COLUMN covers');
  }
}
