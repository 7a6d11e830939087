import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Whether something made of several objects has parts without a classification. */
export class PartlyClassified1000000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('inherited_fact')}
      ALTER TABLE inherited_fact ADD COLUMN unclassified boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inherited_fact DROP COLUMN unclassified');
  }
}
