import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the queue board, which the API serves, pause and resume queues where their workers look. */
export class BoardPauses1000000000112 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT, INSERT, DELETE ON queue_pause TO api');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT, INSERT, DELETE ON queue_pause FROM api');
  }
}
