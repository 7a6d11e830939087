import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** The types that an object inherits from what it was made of, for conditions of policies. */
export class InheritedTypes1000000000106 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('inherited_fact')}
      ALTER TABLE inherited_fact ADD COLUMN types jsonb NOT NULL DEFAULT '[]';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inherited_fact DROP COLUMN types');
  }
}
