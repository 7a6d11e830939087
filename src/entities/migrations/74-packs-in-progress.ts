import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The packs of a project that are being built are counted before another is created. */
export class PacksInProgress1000000000074 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX pack_in_progress ON pack (project_id) WHERE finished_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX pack_in_progress');
  }
}
