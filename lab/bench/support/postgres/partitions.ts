import type pg from 'pg';

/** The weeks that a database contains after 90 days in production, relative to this one. */
const weeks = { first: -12, last: 7 };

/**
 * Adds empty partitions to every table that is partitioned by week, up to the twenty of a
 * deployment after 90 days: plans and locks cost more with more partitions. A new one gets its
 * owner and storage settings from an existing one.
 */
export async function addWeeks(superuser: Pick<pg.Pool, 'query'>): Promise<void> {
  await superuser.query(`
    DO $$
    DECLARE
      parent record;
      monday timestamptz;
      name text;
    BEGIN
      FOR parent IN
        SELECT DISTINCT ON (p.oid) p.relname, pg_get_userbyid(p.relowner) AS owner, c.reloptions
        FROM pg_partitioned_table t JOIN pg_class p ON p.oid = t.partrelid
          JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = i.inhrelid
        WHERE c.relname = p.relname || '_' || right(c.relname, 8) AND c.relname ~ '_[0-9]{8}$'
        ORDER BY p.oid, c.relname DESC
      LOOP
        FOR week IN ${weeks.first}..${weeks.last} LOOP
          monday := (date_trunc('week', now() AT TIME ZONE 'UTC') + week * interval '7 days') AT TIME ZONE 'UTC';
          name := parent.relname || '_' || to_char(monday AT TIME ZONE 'UTC', 'YYYYMMDD');
          CONTINUE WHEN to_regclass('public.' || name) IS NOT NULL;
          EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
            name, parent.relname, id_floor('evt', monday), id_floor('evt', monday + interval '7 days'))
            || coalesce(' WITH (' || array_to_string(parent.reloptions, ', ') || ')', '');
          EXECUTE format('ALTER TABLE public.%I OWNER TO %I', name, parent.owner);
          EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);
          EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', name);
        END LOOP;
      END LOOP;
    END $$`);
}
