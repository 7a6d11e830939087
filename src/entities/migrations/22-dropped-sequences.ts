import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far each feed was dropped. An event that was recorded over the end of a week is dropped with the
 * week of its identifier, and may stand in the feed behind events of the next: what is left does not
 * tell.
 */
export class DroppedSequences1000000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sequence_counter ADD COLUMN dropped bigint NOT NULL DEFAULT 0;
      CREATE POLICY administration ON sequence_counter TO owner USING (true);

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
        monday := to_date(week, 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC';
        IF to_regclass('public.event_' || week) IS NOT NULL THEN
          -- The table before the counters, as numbering has them.
          EXECUTE format('LOCK TABLE public.%I', 'event_' || week);
          UPDATE public.sequence_counter c SET dropped = gone.last
          FROM public.sequence_counter of CROSS JOIN LATERAL (
            SELECT max(e.sequence) AS last FROM public.event e
            WHERE e.project_id = of.project_id AND e.category = of.category
              AND e.id >= public.id_floor('evt', monday)
              AND e.id < public.id_floor('evt', monday + interval '7 days')) gone
          WHERE of.project_id = c.project_id AND of.category = c.category AND gone.last > c.dropped;
        END IF;
        FOREACH parent IN ARRAY ARRAY['attempt', 'delivery', 'event'] LOOP
          CONTINUE WHEN to_regclass('public.' || parent || '_' || week) IS NULL;
          EXECUTE format('DROP TABLE public.%I', parent || '_' || week);
          dropped := dropped + 1;
        END LOOP;
        -- Nobody can make a delivery of that week due any more: either it is in sight here, or it
        -- would need the tables.
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
    throw new Error('What was dropped cannot be told without it: there is no way back.');
  }
}
