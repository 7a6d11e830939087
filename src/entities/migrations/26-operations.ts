import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators need: queues that can be paused, and which request work and events go back to. */
export class Operations1000000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A queue with a row here is handed nothing, and its workers claim nothing.
      CREATE TABLE queue_pause (
        queue text PRIMARY KEY,
        reason text,
        paused_at timestamptz NOT NULL DEFAULT now()
      );
      GRANT SELECT ON queue_pause TO relay, worker;

      -- The request that work goes back to, and where both stand in its trace (a W3C traceparent):
      -- hints carry identifiers only, and Redis may vanish.
      ALTER TABLE task ADD COLUMN request_id text, ADD COLUMN trace_parent text;
      ALTER TABLE event ADD COLUMN trace_parent text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE event DROP COLUMN trace_parent;
      ALTER TABLE task DROP COLUMN request_id, DROP COLUMN trace_parent;
      DROP TABLE queue_pause;
    `);
  }
}
