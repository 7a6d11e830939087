import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Certificates of redactions: what they say, and the keys that sign them. */
export class Certificates1000000000067 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('job_operation'));
    await runner.query(`
      ALTER TABLE job_operation ADD COLUMN certificate jsonb;

      CREATE TABLE certificate_key (
        project_id text COLLATE "C" PRIMARY KEY,
        id text NOT NULL,
        public_key text NOT NULL,
        private_key text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      SELECT wall('{certificate_key}');
      GRANT SELECT, INSERT ON certificate_key TO api;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE certificate_key;
      ALTER TABLE job_operation DROP COLUMN certificate;
    `);
  }
}
