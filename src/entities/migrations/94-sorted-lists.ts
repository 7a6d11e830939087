import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Lists of jobs by state, and of reviews by state and by expiry. */
export class SortedLists1000000000094 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${lockPatiently('job')} ${lockPatiently('review')}
      CREATE INDEX job_by_state ON job (project_id, state, id);
      CREATE INDEX review_by_state ON review (project_id, state, id);
      CREATE INDEX review_by_expiry ON review (project_id, expires_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX job_by_state, review_by_state, review_by_expiry');
  }
}
