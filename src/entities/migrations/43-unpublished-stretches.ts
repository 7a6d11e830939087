import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Publishing an event changes its row and no index: the index of what is not published, which every
 * event entered and left again, gives way to a short list of stretches of the feed that may hold some.
 */
export class UnpublishedStretches1000000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('event'));
    await runner.query(`
      DROP INDEX event_unpublished;

      -- A row for each stretch of 64 sequences of a domain feed in which an event may not be published:
      -- added when the first of them is given, removed once all are published (outbox/feed/unpublished).
      -- Events of the audit feed are published as they are numbered.
      CREATE TABLE unpublished_stretch (
        project_id text COLLATE "C" NOT NULL,
        stretch bigint NOT NULL,
        PRIMARY KEY (project_id, stretch)
      );
      GRANT SELECT ON unpublished_stretch TO api, worker;
      GRANT SELECT, INSERT, DELETE ON unpublished_stretch TO relay;

      -- By the counter, whoever raises it: the release before knows nothing of stretches.
      CREATE FUNCTION unpublished_stretch_add() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO unpublished_stretch (project_id, stretch)
        SELECT NEW.project_id, generate_series(
          CASE TG_OP WHEN 'INSERT' THEN 0 ELSE (OLD.last >> 6) + 1 END, NEW.last >> 6)
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END
      $$;
      REVOKE ALL ON FUNCTION unpublished_stretch_add FROM PUBLIC;
      CREATE TRIGGER unpublished_stretch_first AFTER INSERT ON sequence_counter
        FOR EACH ROW WHEN (NEW.category = 'domain') EXECUTE FUNCTION unpublished_stretch_add();
      CREATE TRIGGER unpublished_stretch_next AFTER UPDATE OF last ON sequence_counter
        FOR EACH ROW WHEN (NEW.category = 'domain' AND NEW.last >> 6 > OLD.last >> 6)
        EXECUTE FUNCTION unpublished_stretch_add();

      -- The triggers came first: no counter is raised between them and this. Events were locked before
      -- the counters, as numbering does.
      INSERT INTO unpublished_stretch
        SELECT project_id, generate_series(dropped >> 6, last >> 6) FROM sequence_counter
        WHERE category = 'domain';
      SELECT wall('{unpublished_stretch}', true);

      -- An event is changed twice, when it is numbered and when it is published, by statements that
      -- change its neighbours too: there is room for that on its page. What an old version took is
      -- used again, so the tables are hardly larger.
      DO $$
      DECLARE
        part regclass;
      BEGIN
        FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'event'::regclass LOOP
          EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
        END LOOP;
      END
      $$;

      CREATE OR REPLACE FUNCTION partitions_ensure() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
      SET lock_timeout = '1s' AS $$
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
            EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
              name, parent, public.id_floor('evt', monday), public.id_floor('evt', monday + interval '7 days'),
              CASE parent WHEN 'attempt' THEN 100 ELSE 50 END);
            EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);
            EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', name);
            made := made + 1;
          END LOOP;
        END LOOP;
        RETURN made;
      END
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Events would have to be indexed again: there is no way back.');
  }
}
