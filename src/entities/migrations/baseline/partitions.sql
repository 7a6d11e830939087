-- The weekly partitions of events, deliveries and attempts, and figures about waiting work for operators.

-- For rows outside all weeks, in case of a wrong clock. Partitions are read only through their table, so they
-- have row security without a policy; the owner counts their rows. Statements that change events and
-- deliveries also change neighbouring rows: half of each page is kept free for that, so that no index
-- changes. The space of old versions is reused, so the tables are hardly larger.
CREATE TABLE event_default PARTITION OF event DEFAULT WITH (fillfactor = 50);
CREATE TABLE delivery_default PARTITION OF delivery DEFAULT WITH (fillfactor = 50);
CREATE TABLE attempt_default PARTITION OF attempt DEFAULT;
ALTER TABLE event_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE delivery_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE attempt_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY administration ON event_default FOR SELECT TO owner USING (true);
CREATE POLICY administration ON delivery_default FOR SELECT TO owner USING (true);
CREATE POLICY administration ON attempt_default FOR SELECT TO owner USING (true);

-- Creating and dropping partitions waits for every open transaction that has recorded an event, and writers
-- of events wait in turn. A neighbour may leave a transaction open for hours, so both give up soon and are
-- retried.

CREATE FUNCTION partitions_ensure() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET lock_timeout = '1s' AS $$
-- One partition a week for events and their dependent rows, from last week to five weeks ahead.
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
      EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)
          WITH (fillfactor = %s)', name, parent,
        public.id_floor('evt', monday), public.id_floor('evt', monday + interval '7 days'),
        CASE parent WHEN 'attempt' THEN 100 ELSE 50 END);
      EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

CREATE FUNCTION partitions_drop(keep interval) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Drops the oldest week that ended before the retention period (attempts, deliveries and events together);
-- returns how many tables were dropped. One week at a time, because other statements wait for a table
-- meanwhile: the caller sets lock_timeout, and calls again for the next week.
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
    -- Locks the table before the counters, as numbering does.
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
  -- No delivery of that week can become due any more: it is either visible here, or would need a lock on the
  -- tables.
  IF EXISTS (SELECT FROM public.due_delivery d WHERE d.event_id >= public.id_floor('evt', monday)
      AND d.event_id < public.id_floor('evt', monday + interval '7 days')) THEN
    RAISE EXCEPTION 'Deliveries of the week of % are still due.', week USING ERRCODE = 'object_in_use';
  END IF;
  RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION partitions_ensure, partitions_drop FROM PUBLIC;
GRANT EXECUTE ON FUNCTION partitions_ensure, partitions_drop TO relay;

SELECT partitions_ensure();

CREATE FUNCTION pipeline_figures()
RETURNS TABLE (figure text, label text, value double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- The amount of waiting work, across all projects. Counts stop at a bound: beyond it, the exact number does
-- not matter.
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
  -- Due, for an endpoint that is enabled and whose circuit is closed.
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
  -- Their events are dropped after 90 days, and they are dropped with them.
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
