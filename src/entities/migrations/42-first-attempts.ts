import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * The first attempt at a delivery is stored in the delivery's own row, with the update that ends it:
 * nearly every delivery has one attempt and no more. Attempts that follow, and those whose lease was
 * lost, are rows of `attempt` as before; `attempt_record` shows both.
 */
export class FirstAttempts1000000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('delivery'));
    await runner.query(`
      -- Columns without a default: no row is rewritten. All are null unless first_at is set; null
      -- timings take no room, and a kept connection has no more than the last two.
      ALTER TABLE delivery
        ADD COLUMN first_at timestamptz,
        ADD COLUMN first_trigger text,
        ADD COLUMN first_succeeded boolean,
        ADD COLUMN first_status integer,
        ADD COLUMN first_dns_ms real,
        ADD COLUMN first_connect_ms real,
        ADD COLUMN first_tls_ms real,
        ADD COLUMN first_byte_ms real,
        ADD COLUMN first_total_ms real,
        ADD COLUMN first_error jsonb,
        ADD COLUMN first_excerpt text,
        ADD COLUMN first_next_at timestamptz;

      -- Every attempt that has ended, each once: a first attempt is stored in its delivery by who
      -- holds the lease, and in "attempt" by everybody else, the release before this one included.
      CREATE VIEW attempt_record WITH (security_invoker = true) AS
        SELECT event_id, id AS delivery_id, 1 AS number, project_id, first_trigger AS trigger,
          CASE WHEN first_succeeded THEN 'succeeded' ELSE 'failed' END AS outcome, first_at AS at,
          first_status AS status, first_total_ms AS duration_ms,
          CASE WHEN first_total_ms IS NOT NULL THEN jsonb_build_object('dns', first_dns_ms,
            'connect', first_connect_ms, 'tls', first_tls_ms, 'first_byte', first_byte_ms,
            'total', first_total_ms) END AS timings,
          first_error AS error, first_excerpt AS response_excerpt, first_next_at AS next_attempt_at
        FROM delivery WHERE first_at IS NOT NULL
        UNION ALL
        SELECT event_id, delivery_id, number, project_id, trigger, outcome, at, status, duration_ms,
          timings, error, response_excerpt, next_attempt_at
        FROM attempt;
      GRANT SELECT ON attempt_record TO api, worker;

      -- A delivery is changed once, by the statement that also changes its neighbours: half of each
      -- page is kept for that, so that no index has to be touched. Migration 43 has partitions to come
      -- made so, too.
      DO $$
      DECLARE
        part regclass;
      BEGIN
        FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'delivery'::regclass LOOP
          EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
        END LOOP;
      END
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('First attempts would be lost with their columns: there is no way back.');
  }
}
