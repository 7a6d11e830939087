import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints, what is owed to them, and every try at it. */
export class Webhooks1000000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoint (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        url text NOT NULL,
        event_types text[] NOT NULL,
        description text,
        state text NOT NULL DEFAULT 'enabled' CHECK (state IN ('enabled', 'paused', 'disabled')),
        disabled_reason text,
        headers jsonb NOT NULL DEFAULT '{}',
        payload text NOT NULL DEFAULT 'full' CHECK (payload IN ('full', 'thin')),
        -- [{cipher, expires_at}]: the newest first; AES-GCM under SECRET_KEY.
        secrets jsonb NOT NULL,
        max_in_flight integer NOT NULL DEFAULT 20,
        failing_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      CREATE UNIQUE INDEX webhook_endpoint_id ON webhook_endpoint (id);
      SELECT wall('{webhook_endpoint}', true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoint TO api;
      GRANT SELECT, UPDATE ON webhook_endpoint TO worker;
      GRANT SELECT ON webhook_endpoint TO relay;

      -- Deliveries and attempts are cut by the time of their event, so that they go when it goes.
      CREATE TABLE delivery (
        id text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        endpoint_id text COLLATE "C" NOT NULL,
        replay_id text COLLATE "C",
        state text NOT NULL DEFAULT 'pending' CHECK (state IN
          ('pending', 'delivering', 'succeeded', 'exhausted', 'skipped', 'cancelled')),
        reason text,
        due_at timestamptz NOT NULL DEFAULT now(),
        handed_at timestamptz,
        lease_epoch integer NOT NULL DEFAULT 0,
        lease_until timestamptz,
        crashes integer NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (event_id, id),
        UNIQUE NULLS NOT DISTINCT (event_id, endpoint_id, replay_id)
      ) PARTITION BY RANGE (event_id);
      CREATE TABLE delivery_default PARTITION OF delivery DEFAULT;
      CREATE INDEX delivery_due ON delivery (project_id, endpoint_id, due_at)
        WHERE state = 'pending' AND handed_at IS NULL;
      CREATE INDEX delivery_handed ON delivery (endpoint_id, handed_at) WHERE handed_at IS NOT NULL;
      CREATE INDEX delivery_leased ON delivery (lease_until) WHERE state = 'delivering';
      CREATE INDEX delivery_of_endpoint ON delivery (project_id, endpoint_id, id);
      CREATE INDEX delivery_id ON delivery (id);
      SELECT wall('{delivery}', true);
      GRANT SELECT, UPDATE ON delivery TO api, worker;
      GRANT SELECT, INSERT, UPDATE ON delivery TO relay;

      CREATE TABLE attempt (
        event_id text COLLATE "C" NOT NULL,
        delivery_id text COLLATE "C" NOT NULL,
        number integer NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        trigger text NOT NULL DEFAULT 'schedule',
        outcome text NOT NULL DEFAULT 'unknown' CHECK (outcome IN ('unknown', 'succeeded', 'failed')),
        at timestamptz NOT NULL DEFAULT now(),
        status integer,
        duration_ms real,
        timings jsonb,
        error jsonb,
        response_excerpt text,
        next_attempt_at timestamptz,
        PRIMARY KEY (event_id, delivery_id, number)
      ) PARTITION BY RANGE (event_id);
      CREATE TABLE attempt_default PARTITION OF attempt DEFAULT;
      SELECT wall('{attempt}', true);
      GRANT SELECT ON attempt TO api;
      GRANT SELECT, INSERT, UPDATE ON attempt TO worker;

      CREATE FUNCTION partitions_ensure() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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
            EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
              name, parent, public.id_floor('evt', monday), public.id_floor('evt', monday + interval '7 days'));
            EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);
            EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', name);
            made := made + 1;
          END LOOP;
        END LOOP;
        RETURN made;
      END
      $$;
      REVOKE ALL ON FUNCTION partitions_ensure FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION partitions_ensure TO relay;

      CREATE FUNCTION partitions_drop(keep interval) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
      -- Drops the weeks that ended longer ago than is kept: attempts and deliveries before events.
      DECLARE
        parent text;
        part record;
        dropped integer := 0;
      BEGIN
        IF keep < interval '7 days' THEN
          RAISE EXCEPTION 'At least seven days of events are kept, not %.', keep;
        END IF;
        PERFORM pg_advisory_xact_lock(hashtext('partitions'));
        FOREACH parent IN ARRAY ARRAY['attempt', 'delivery', 'event'] LOOP
          FOR part IN
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = ('public.' || parent)::regclass AND c.relname ~ '_[0-9]{8}$'
              AND to_date(right(c.relname, 8), 'YYYYMMDD') + 7 < now() - keep
          LOOP
            EXECUTE format('DROP TABLE public.%I', part.relname);
            dropped := dropped + 1;
          END LOOP;
        END LOOP;
        RETURN dropped;
      END
      $$;
      REVOKE ALL ON FUNCTION partitions_drop FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION partitions_drop TO relay;

      SELECT partitions_ensure();
      ALTER TABLE event_default ENABLE ROW LEVEL SECURITY;
      ALTER TABLE event_default FORCE ROW LEVEL SECURITY;
      ALTER TABLE delivery_default ENABLE ROW LEVEL SECURITY;
      ALTER TABLE delivery_default FORCE ROW LEVEL SECURITY;
      ALTER TABLE attempt_default ENABLE ROW LEVEL SECURITY;
      ALTER TABLE attempt_default FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
