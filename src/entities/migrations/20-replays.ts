import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sending again what an endpoint lacks, finding the few deliveries that failed among millions, and
 * dropping what is past retention without anybody waiting long for it.
 */
export class Replays1000000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE replay (
        id text COLLATE "C" PRIMARY KEY,
        project_id text COLLATE "C" NOT NULL,
        endpoint_id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'completed', 'cancelled')),
        reason text,
        selection text NOT NULL CHECK (selection IN ('failed', 'missing', 'all')),
        since timestamptz NOT NULL,
        until timestamptz NOT NULL,
        -- As they were asked for; null is any.
        event_types text[],
        -- What these and the endpoint's own types and filter came to when it was asked for.
        types text[],
        filter jsonb,
        -- The stretches that are still to be looked at, [{of, after, to}]: batch by batch they end.
        walk jsonb NOT NULL,
        matched integer NOT NULL,
        queued integer NOT NULL DEFAULT 0,
        -- What became of its deliveries, once all have ended; before, they are counted.
        outcomes jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      );
      CREATE INDEX replay_of_endpoint ON replay (project_id, endpoint_id, id);
      CREATE UNIQUE INDEX replay_running ON replay (endpoint_id) WHERE state = 'running';
      SELECT wall('{replay}');
      GRANT SELECT, INSERT, UPDATE ON replay TO api;
      GRANT SELECT, UPDATE, DELETE ON replay TO worker;

      -- Indexes on a state would be written to whenever a delivery ends. This one stays null for what
      -- succeeds, as nearly all do, so that their last change touches no index.
      ALTER TABLE delivery ADD COLUMN failed_as text
        GENERATED ALWAYS AS (CASE WHEN state IN ('exhausted', 'skipped', 'cancelled') THEN state END) STORED;
      CREATE INDEX delivery_failed ON delivery (project_id, endpoint_id, failed_as, id)
        WHERE failed_as IS NOT NULL;
      CREATE INDEX delivery_failed_of_replay ON delivery (replay_id, failed_as)
        WHERE replay_id IS NOT NULL AND failed_as IS NOT NULL;
      GRANT INSERT ON delivery TO worker;

      -- Partitions that are older than the room kept in them (migration 17) get it from here on.
      DO $$
      DECLARE
        part regclass;
      BEGIN
        FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'delivery'::regclass LOOP
          EXECUTE format('ALTER TABLE %s SET (fillfactor = 80)', part);
        END LOOP;
      END
      $$;

      -- What was cancelled can be asked for again.
      ALTER TABLE due_delivery DROP CONSTRAINT due_delivery_resume_state_check;
      ALTER TABLE due_delivery ADD CONSTRAINT due_delivery_resume_state_check
        CHECK (resume_state IN ('pending', 'succeeded', 'exhausted', 'skipped', 'cancelled'));

      CREATE OR REPLACE FUNCTION partitions_drop(keep interval) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Drops the oldest week that ended longer ago than is kept: attempts, deliveries and events
      -- together; says how many tables that were. One week at a time, since everybody else waits for
      -- a table meanwhile: whoever calls sets lock_timeout, and calls again for the next.
      DECLARE
        week text;
        monday timestamptz;
        parent text;
        dropped integer := 0;
      BEGIN
        IF keep < interval '7 days' THEN
          RAISE EXCEPTION 'At least seven days of events are kept, not %.', keep;
        END IF;
        PERFORM pg_advisory_xact_lock(hashtext('partitions'));
        SELECT min(right(c.relname, 8)) INTO week
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent IN ('public.attempt'::regclass, 'public.delivery'::regclass, 'public.event'::regclass)
          AND c.relname ~ '_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' + interval '7 days' < now() - keep;
        IF week IS NULL THEN RETURN 0; END IF;
        FOREACH parent IN ARRAY ARRAY['attempt', 'delivery', 'event'] LOOP
          CONTINUE WHEN to_regclass('public.' || parent || '_' || week) IS NULL;
          EXECUTE format('DROP TABLE public.%I', parent || '_' || week);
          dropped := dropped + 1;
        END LOOP;
        -- Nobody can make a delivery of that week due any more: either it is in sight here, or it
        -- would need the tables.
        monday := to_date(week, 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC';
        IF EXISTS (SELECT FROM public.due_delivery d WHERE d.event_id >= public.id_floor('evt', monday)
            AND d.event_id < public.id_floor('evt', monday + interval '7 days')) THEN
          RAISE EXCEPTION 'Deliveries of the week of % are still due.', week USING ERRCODE = 'object_in_use';
        END IF;
        RETURN dropped;
      END
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Deliveries of replays have no place without them: there is no way back.');
  }
}
