import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** The names of people in events, as of that time, and who created a key. */
export class ActorNames1000000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('event'));
    await runner.query(`
      ALTER TABLE event ADD COLUMN actor_name text;
      ALTER TABLE api_key ADD COLUMN created_by jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key DROP COLUMN created_by;
      ALTER TABLE event DROP COLUMN actor_name;
    `);
  }
}
