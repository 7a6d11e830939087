import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names of notification channels that only our own roles can read: whoever may connect may LISTEN to
 * any channel and NOTIFY on it, and Postgres has no privilege against that.
 */
export class Channels1000000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE channel (purpose text PRIMARY KEY, name text NOT NULL);
      INSERT INTO channel (purpose, name)
      SELECT purpose, purpose || '_' || replace(gen_random_uuid()::text, '-', '')
      FROM unnest(ARRAY['events', 'upload_wanted']) AS purpose;
      GRANT SELECT ON channel TO api, worker, relay;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE channel');
  }
}
