import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Postgres reads a CHECK from the catalogue again for every statement that writes a row, word by word:
 * a list of states costs as much as an entry in an index. A cast to an enum says the same in one word.
 */
export class KnownStates1000000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TYPE job_state AS ENUM (
        'queued', 'running', 'cancelling', 'succeeded', 'partially_succeeded', 'failed', 'cancelled');
      CREATE TYPE operation_state AS ENUM (
        'pending', 'running', 'succeeded', 'partially_succeeded', 'failed', 'skipped', 'cancelled');
    `);
    await runner.query(lockPatiently('job, job_operation'));
    // The rows that are there were held to the same states: nobody waits for them to be read again.
    await runner.query(`
      ALTER TABLE job DROP CONSTRAINT job_state_check,
        ADD CONSTRAINT job_state_check CHECK (state::job_state IS NOT NULL) NOT VALID;
      ALTER TABLE job_operation DROP CONSTRAINT job_operation_state_check,
        ADD CONSTRAINT job_operation_state_check CHECK (state::operation_state IS NOT NULL) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job DROP CONSTRAINT job_state_check,
        ADD CONSTRAINT job_state_check CHECK (state IN (
          'queued', 'running', 'cancelling', 'succeeded', 'partially_succeeded', 'failed', 'cancelled'))
          NOT VALID;
      ALTER TABLE job_operation DROP CONSTRAINT job_operation_state_check,
        ADD CONSTRAINT job_operation_state_check CHECK (state IN (
          'pending', 'running', 'succeeded', 'partially_succeeded', 'failed', 'skipped', 'cancelled'))
          NOT VALID;
      DROP TYPE job_state, operation_state;
    `);
  }
}
