import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an endpoint can ask for besides types: a filter on what is sent, a rate, kinds of signature. */
export class WebhookSettings1000000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- {JSON pointer into the body: [values]}: all must match, each by one of its values.
      ALTER TABLE webhook_endpoint ADD COLUMN filter jsonb;
      ALTER TABLE webhook_endpoint ADD COLUMN max_per_second integer CHECK (max_per_second > 0);
      -- Which signatures it gets: v1 (HMAC-SHA256), v1a (ed25519). Each entry of "secrets" says by
      -- its own form which one it makes; the public half of a pair is kept beside it, in the clear.
      ALTER TABLE webhook_endpoint ADD COLUMN signing text[] NOT NULL DEFAULT '{v1}'
        CHECK (signing <@ '{v1,v1a}' AND cardinality(signing) > 0);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoint DROP COLUMN filter, DROP COLUMN max_per_second, DROP COLUMN signing`);
  }
}
