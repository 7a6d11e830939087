import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of objects by media type. */
export class ObjectsByType1000000000085 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX object_by_mime ON object (project_id, mime, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX object_by_mime');
  }
}
