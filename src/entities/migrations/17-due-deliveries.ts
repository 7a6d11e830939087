import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is still to be sent gets a table of its own, small and in one piece: as tasks are, a row is
 * gone when it is done, and the delivery stays as the record. And each endpoint a row for how fast
 * it may be served.
 */
export class DueDeliveries1000000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Every delivery whose state is pending has a row here, and no other has.
      CREATE TABLE due_delivery (
        id text COLLATE "C" PRIMARY KEY,
        project_id text COLLATE "C" NOT NULL,
        endpoint_id text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        replay_id text COLLATE "C",
        -- The event's place in the order of recording: what falls due together is sent in it.
        ordinal bigint NOT NULL,
        -- 0 asked for by hand, 1 failed before, 2 new, 3 replayed: served in this order. While an
        -- endpoint's circuit is open only the first two are.
        lane smallint NOT NULL DEFAULT 2 CHECK (lane BETWEEN 0 AND 3),
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        crashes integer NOT NULL DEFAULT 0,
        lease_epoch integer NOT NULL DEFAULT 0,
        -- These three are set while an attempt is under way.
        lease_until timestamptz,
        begun_at timestamptz,
        trigger text CHECK (trigger IN ('schedule', 'manual', 'probe')),
        -- Set while an attempt asked for by hand is due or under way: the state and the due time
        -- that the automatic schedule goes on with if it fails.
        resume_state text CHECK (resume_state IN ('pending', 'succeeded', 'exhausted', 'skipped')),
        resume_due_at timestamptz
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
      CREATE INDEX due_delivery_waiting
        ON due_delivery (project_id, endpoint_id, lane, due_at, ordinal) WHERE lease_until IS NULL;
      CREATE INDEX due_delivery_leased ON due_delivery (endpoint_id) WHERE lease_until IS NOT NULL;
      CREATE INDEX due_delivery_replay ON due_delivery (replay_id) WHERE replay_id IS NOT NULL;
      SELECT wall('{due_delivery}', true);
      CREATE POLICY administration ON due_delivery FOR SELECT TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON due_delivery TO api, worker, relay;

      CREATE TABLE webhook_flow (
        endpoint_id text COLLATE "C" PRIMARY KEY,
        project_id text COLLATE "C" NOT NULL,
        -- A hint is out that no worker has taken.
        handed_at timestamptz,
        -- The token bucket of max_per_second, as it was at refilled_at.
        tokens double precision NOT NULL DEFAULT 1000000,
        refilled_at timestamptz NOT NULL DEFAULT now(),
        -- How many may be under way at once: it grows with success up to max_in_flight.
        window_size integer NOT NULL DEFAULT 8,
        failures_in_row integer NOT NULL DEFAULT 0,
        -- Set while the circuit is open: nothing new is begun before held_until, and for how long
        -- it was held, which doubles with each probe that fails.
        held_until timestamptz,
        hold_seconds integer,
        failing_since timestamptz,
        last_success_at timestamptz,
        last_failure_at timestamptz,
        last_error jsonb
      ) WITH (fillfactor = 50);
      SELECT wall('{webhook_flow}', true);
      CREATE POLICY administration ON webhook_flow FOR SELECT TO owner USING (true);
      CREATE POLICY administration ON webhook_endpoint FOR SELECT TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_flow TO api;
      GRANT SELECT, UPDATE ON webhook_flow TO worker, relay;
      GRANT SELECT, INSERT ON attempt TO relay;

      ALTER TABLE delivery NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE webhook_endpoint NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE event NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE due_delivery NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE webhook_flow NO FORCE ROW LEVEL SECURITY;
      INSERT INTO webhook_flow (endpoint_id, project_id, failing_since)
        SELECT id, project_id, failing_since FROM webhook_endpoint;
      INSERT INTO due_delivery (id, project_id, endpoint_id, event_id, replay_id, ordinal, due_at,
          lane, attempts, failures, crashes, lease_epoch, resume_state, resume_due_at)
        SELECT d.id, d.project_id, d.endpoint_id, d.event_id, d.replay_id, e.ordinal, d.due_at,
          CASE WHEN d.resume_state IS NOT NULL THEN 0 WHEN d.failures > 0 THEN 1 ELSE 2 END,
          d.attempts, d.failures, d.crashes, d.lease_epoch, d.resume_state, d.resume_due_at
        FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.state IN ('pending', 'delivering');
      UPDATE delivery SET state = 'pending' WHERE state = 'delivering';
      ALTER TABLE delivery FORCE ROW LEVEL SECURITY;
      ALTER TABLE webhook_endpoint FORCE ROW LEVEL SECURITY;
      ALTER TABLE event FORCE ROW LEVEL SECURITY;
      ALTER TABLE due_delivery FORCE ROW LEVEL SECURITY;
      ALTER TABLE webhook_flow FORCE ROW LEVEL SECURITY;

      ALTER TABLE webhook_endpoint DROP COLUMN failing_since;
      DROP FUNCTION pipeline_figures;
      ALTER TABLE delivery DROP COLUMN due_at, DROP COLUMN handed_at, DROP COLUMN lease_epoch,
        DROP COLUMN lease_until, DROP COLUMN crashes, DROP COLUMN failures, DROP COLUMN resume_state,
        DROP COLUMN resume_due_at;
      -- Found by its event, or by its endpoint: an index more costs every delivery.
      DROP INDEX delivery_id;
      ALTER TABLE delivery DROP CONSTRAINT delivery_pkey;
      -- Replays look for what has no success yet.
      ALTER TABLE delivery DROP CONSTRAINT delivery_state_check;
      ALTER TABLE delivery ADD CONSTRAINT delivery_state_check CHECK (state IN
        ('pending', 'succeeded', 'exhausted', 'skipped', 'cancelled'));

      CREATE OR REPLACE FUNCTION partitions_ensure() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- One partition a week for events and what hangs on them, from last week to five weeks ahead.
      DECLARE
        parent text;
        name text;
        monday timestamptz;
        made integer := 0;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('partitions'));
        FOREACH parent IN ARRAY ARRAY['event', 'delivery', 'attempt'] LOOP
          FOR week IN -1..5 LOOP
            monday := (date_trunc('week', now() AT TIME ZONE 'UTC') + week * interval '7 days') AT TIME ZONE 'UTC';
            name := parent || '_' || to_char(monday AT TIME ZONE 'UTC', 'YYYYMMDD');
            CONTINUE WHEN to_regclass('public.' || name) IS NOT NULL;
            -- A delivery is changed once, when it ends, and finds room for that on its own page.
            EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
              name, parent, public.id_floor('evt', monday), public.id_floor('evt', monday + interval '7 days'),
              CASE parent WHEN 'delivery' THEN 80 ELSE 100 END);
            EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);
            EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', name);
            made := made + 1;
          END LOOP;
        END LOOP;
        RETURN made;
      END
      $$;

      CREATE FUNCTION pipeline_figures()
      RETURNS TABLE (figure text, label text, value double precision)
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Counts stop at a bound: that there is far too much is all that anybody needs to know then.
      DECLARE
        bound CONSTANT integer := 100000;
      BEGIN
        RETURN QUERY
          WITH due AS (
            SELECT t.queue, count(*) AS tasks, min(t.due_at) AS oldest FROM task t
            WHERE t.state = 'pending' AND t.due_at <= now() GROUP BY t.queue)
          SELECT 'tasks_due', queue, tasks::double precision FROM due
          UNION ALL
          SELECT 'tasks_oldest_due_seconds', queue,
            extract(epoch FROM now() - oldest)::double precision FROM due;
        RETURN QUERY SELECT 'events_unnumbered', NULL::text, count(*)::double precision
          FROM (SELECT FROM event e WHERE e.sequence IS NULL LIMIT bound) unnumbered;
        RETURN QUERY SELECT 'events_oldest_unnumbered_seconds', NULL::text,
          coalesce(extract(epoch FROM now() - (SELECT e.occurred_at FROM event e
            WHERE e.sequence IS NULL ORDER BY e.ordinal LIMIT 1)), 0)::double precision;
        RETURN QUERY SELECT 'events_oldest_not_fanned_out_seconds', NULL::text,
          coalesce(extract(epoch FROM now() - (SELECT e.occurred_at FROM event e
            WHERE e.sequence IS NOT NULL AND e.fanned_out_at IS NULL ORDER BY e.ordinal LIMIT 1)), 0)::double precision;
        RETURN QUERY SELECT 'deliveries_pending', NULL::text, count(*)::double precision
          FROM (SELECT FROM due_delivery LIMIT bound) pending;
        -- Due, and owed to an endpoint that takes it: enabled, and its circuit closed.
        RETURN QUERY
          WITH due AS (
            SELECT d.due_at FROM due_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
            JOIN webhook_flow f ON f.endpoint_id = d.endpoint_id
            WHERE e.state = 'enabled' AND f.hold_seconds IS NULL
              AND d.lease_until IS NULL AND d.due_at <= now() LIMIT bound)
          SELECT 'deliveries_due', NULL::text, count(*)::double precision FROM due
          UNION ALL
          SELECT 'deliveries_oldest_due_seconds', NULL::text,
            coalesce(extract(epoch FROM now() - min(due_at)), 0)::double precision FROM due;
        -- Its event goes at 90 days, and the delivery with it.
        RETURN QUERY SELECT 'deliveries_expiring', NULL::text, count(*)::double precision
          FROM (SELECT FROM due_delivery d
            WHERE d.event_id < id_floor('evt', now() - interval '80 days') LIMIT bound) expiring;
        RETURN QUERY
          SELECT 'webhook_endpoints', CASE
              WHEN e.state <> 'enabled' THEN e.state
              WHEN f.failing_since < now() - interval '3 days' THEN 'critical'
              WHEN f.failing_since < now() - interval '1 day' THEN 'warning'
              WHEN f.held_until IS NOT NULL THEN 'held'
              WHEN f.failing_since IS NOT NULL THEN 'failing'
              ELSE 'healthy' END AS health, count(*)::double precision
          FROM webhook_endpoint e JOIN webhook_flow f ON f.endpoint_id = e.id GROUP BY health;
        RETURN QUERY SELECT 'default_partition_rows', 'event', count(*)::double precision
          FROM (SELECT FROM event_default LIMIT bound) e;
        RETURN QUERY SELECT 'default_partition_rows', 'delivery', count(*)::double precision
          FROM (SELECT FROM delivery_default LIMIT bound) d;
        RETURN QUERY SELECT 'default_partition_rows', 'attempt', count(*)::double precision
          FROM (SELECT FROM attempt_default LIMIT bound) a;
      END
      $$;
      REVOKE ALL ON FUNCTION pipeline_figures FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION pipeline_figures TO api;
    `);
  }

  async down(): Promise<void> {
    throw new Error('What is due has moved: there is no way back but a backup.');
  }
}
