import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** An operation may have several outputs of one kind, such as the attachments of a message. */
export class Attachments1000000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Before the lock, so that jobs can be read meanwhile.
    await runner.query(`
      CREATE UNIQUE INDEX job_output_each
        ON job_output (project_id, job_id, operation_index, kind, object_id)`);
    await runner.query(lockPatiently('job_output'));
    await runner.query(`
      ALTER TABLE job_output DROP CONSTRAINT job_output_pkey;
      ALTER TABLE job_output ADD CONSTRAINT job_output_pkey PRIMARY KEY USING INDEX job_output_each;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('job_output'));
    await runner.query(`
      DELETE FROM job_output WHERE kind = 'attachment';
      ALTER TABLE job_output DROP CONSTRAINT job_output_pkey;
      ALTER TABLE job_output ADD CONSTRAINT job_output_pkey
        PRIMARY KEY (project_id, job_id, operation_index, kind);
    `);
  }
}
