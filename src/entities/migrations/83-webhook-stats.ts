import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of attempts by endpoint, in stretches of five minutes and of an hour. */
export class WebhookStats1000000000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Transactions that settle attempts only insert here, so they never wait for each other.
      CREATE TABLE webhook_tally (
        endpoint_id text COLLATE "C" NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        project_id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        cells smallint[] NOT NULL,
        response_ms real NOT NULL,
        PRIMARY KEY (endpoint_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      CREATE TABLE webhook_stat (
        endpoint_id text COLLATE "C" NOT NULL,
        minutes smallint NOT NULL,
        since timestamptz NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        outcomes integer[] NOT NULL,
        latencies integer[] NOT NULL,
        response_ms double precision NOT NULL,
        PRIMARY KEY (endpoint_id, minutes, since)
      ) WITH (fillfactor = 70);
      SELECT wall('{webhook_tally,webhook_stat}', true);
      GRANT SELECT, INSERT ON webhook_tally TO worker;
      GRANT SELECT ON webhook_stat TO worker;
      GRANT SELECT, DELETE ON webhook_tally TO api, relay;
      GRANT SELECT, DELETE ON webhook_stat TO api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_stat TO relay;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_stat, webhook_tally');
  }
}
