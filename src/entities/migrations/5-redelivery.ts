import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Redelivery of one delivery, and what the API may change on events when endpoints go. */
export class Redelivery1000000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Set while an attempt asked for by hand is due or under way: the state and the due time that
      -- the automatic schedule goes on with if it fails.
      ALTER TABLE delivery ADD COLUMN resume_state text
        CHECK (resume_state IN ('pending', 'succeeded', 'exhausted', 'skipped'));
      ALTER TABLE delivery ADD COLUMN resume_due_at timestamptz;

      -- Deleting an endpoint takes what it was owed off its events.
      GRANT UPDATE (owed, delivered) ON event TO api;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE UPDATE (owed, delivered) ON event FROM api;
      ALTER TABLE delivery DROP COLUMN resume_due_at;
      ALTER TABLE delivery DROP COLUMN resume_state;
    `);
  }
}
