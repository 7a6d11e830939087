import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The variants of a project that are being made are counted before another page is drawn. */
export class PageImages1000000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX object_variant_pending ON object_variant (project_id)
        WHERE sha256 IS NULL AND error IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX object_variant_pending');
  }
}
