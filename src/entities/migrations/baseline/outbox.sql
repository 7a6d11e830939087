-- Events and tasks: changes that happened, and work to do.

-- Order of recording. Readers use the order of "sequence", which is assigned after the commit.
CREATE SEQUENCE event_ordinal;
GRANT USAGE ON SEQUENCE event_ordinal TO api, worker, relay;

-- Partitioned by the time in the identifier, one partition a week (partitions_ensure).
CREATE TABLE event (
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL CHECK (category IN ('domain', 'audit')),
  type text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT now(),
  data jsonb NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C",
  -- As of that time.
  actor_name text,
  address text COLLATE "C",
  -- The request that caused it, and its position in that request's trace (a W3C traceparent).
  request_id text COLLATE "C",
  trace_parent text COLLATE "C",
  ordinal bigint NOT NULL DEFAULT nextval('event_ordinal'),
  sequence bigint,
  body text,
  fanned_out_at timestamptz,
  owed integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  published_at timestamptz,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX event_unnumbered ON event (ordinal) WHERE sequence IS NULL;
CREATE INDEX event_not_fanned_out ON event (ordinal)
  WHERE sequence IS NOT NULL AND fanned_out_at IS NULL;
-- Readers see only numbered events. Recording an event writes to none of these indexes, and publishing one
-- writes to no index at all.
CREATE INDEX event_feed ON event (project_id, category, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX event_type ON event (project_id, category, type, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX event_resource ON event (project_id, resource_id, sequence) WHERE sequence IS NOT NULL;
SELECT wall('{event}', true);
-- The owner's functions count over all projects.
CREATE POLICY administration ON event FOR SELECT TO owner USING (true);
GRANT SELECT, INSERT ON event TO api, worker, relay;
-- Deleting an endpoint also removes its deliveries from the counters of its events.
GRANT UPDATE (published_at, owed, delivered) ON event TO api;
GRANT UPDATE (published_at, owed, delivered, fanned_out_at) ON event TO worker;
GRANT UPDATE ON event TO relay;

CREATE TABLE sequence_counter (
  project_id text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  -- The last sequence that was dropped. An event that was recorded across the end of a week is dropped with
  -- the week of its identifier, and may be in the feed after events of the next week, so the remaining events
  -- do not show the gap.
  dropped bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, category)
) WITH (fillfactor = 50);
SELECT wall('{sequence_counter}', true);
CREATE POLICY administration ON sequence_counter TO owner USING (true);
GRANT SELECT ON sequence_counter TO api, worker;
GRANT SELECT, INSERT, UPDATE ON sequence_counter TO relay;

-- A row for each range of 64 sequences of a domain feed that may contain unpublished events: added when the
-- first sequence is assigned, removed once all are published (outbox/feed/unpublished). Events of the audit
-- feed are published as they are numbered.
CREATE TABLE unpublished_stretch (
  project_id text COLLATE "C" NOT NULL,
  stretch bigint NOT NULL,
  PRIMARY KEY (project_id, stretch)
);
SELECT wall('{unpublished_stretch}', true);
GRANT SELECT ON unpublished_stretch TO api, worker;
GRANT SELECT, INSERT, DELETE ON unpublished_stretch TO relay;

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

-- Named readers of the feed, and their positions.
CREATE TABLE consumer (
  project_id text COLLATE "C" NOT NULL REFERENCES project,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  category text COLLATE "C" NOT NULL CHECK (category IN ('domain', 'audit')),
  -- Patterns, as they were given. Null: all types of the category.
  event_types text[] COLLATE "C",
  resource_type text COLLATE "C",
  resource_id text COLLATE "C",
  -- The last sequence that was processed; reading continues after it.
  position bigint NOT NULL CHECK (position >= 0),
  last_read_at timestamptz,
  last_committed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, name)
) WITH (fillfactor = 50);
SELECT wall('{consumer}');
GRANT SELECT, INSERT, UPDATE, DELETE ON consumer TO api;
GRANT SELECT ON consumer TO worker;

CREATE TABLE task (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  queue text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  resource_id text COLLATE "C",
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running')),
  due_at timestamptz NOT NULL DEFAULT now(),
  handed_at timestamptz,
  lease_epoch integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  crashes integer NOT NULL DEFAULT 0,
  last_error text,
  -- As for events: hints contain only identifiers, and Redis may lose them.
  request_id text COLLATE "C",
  trace_parent text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-- "handed_at" is in no index, so that a hand-over is a HOT update. The order of turns: project by project,
-- each in the order in which its tasks are due.
CREATE INDEX task_turn ON task (queue, project_id, due_at) WHERE state = 'pending';
-- Finds whether anything is due, and which task has been due longest, regardless of the number of projects.
CREATE INDEX task_next ON task (queue, due_at) WHERE state = 'pending';
CREATE INDEX task_leased ON task (lease_until) WHERE state = 'running';
CREATE INDEX task_resource ON task (project_id, resource_id);
SELECT wall('{task}', true);
CREATE POLICY administration ON task TO owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON task TO api, worker, relay;

-- Called by a statement that tried to end a task which another worker holds: it fails the transaction. Ending
-- a task is plain SQL, at half the cost of a function.
CREATE FUNCTION raise_lease_lost() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the lease on the task is lost' USING ERRCODE = 'LS001';
END
$$;
REVOKE ALL ON FUNCTION raise_lease_lost FROM PUBLIC;
GRANT EXECUTE ON FUNCTION raise_lease_lost TO api, worker, relay;

-- The live workers, and the number of tasks that each can hold. Not a tenant's table.
CREATE TABLE worker (
  id text COLLATE "C" NOT NULL,
  queue text COLLATE "C" NOT NULL,
  slots integer NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id, queue)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker TO worker, relay;

-- A queue with a row here is paused: no tasks are handed over, and its workers claim none.
CREATE TABLE queue_pause (
  queue text COLLATE "C" PRIMARY KEY,
  reason text,
  paused_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON queue_pause TO relay, worker;
-- For the queue board, which the API serves.
GRANT SELECT, INSERT, DELETE ON queue_pause TO api;

-- Names of notification channels, which only the roles of this service can read: every role that may connect
-- can LISTEN and NOTIFY on any channel, and Postgres has no privilege to prevent that.
CREATE TABLE channel (
  purpose text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL
);
INSERT INTO channel (purpose, name)
SELECT purpose, purpose || '_' || replace(gen_random_uuid()::text, '-', '')
FROM unnest(ARRAY['events', 'upload_wanted']) AS purpose;
GRANT SELECT ON channel TO api, worker, relay;

-- The function by which a neighbouring service records its events, as the role "neighbour". The functions for
-- the registry, neighbour_types and neighbour_faults, are created again after each run of the migrations
-- (db/preparing/neighbour.ts).
CREATE FUNCTION json_number(value jsonb) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE AS $$
-- A JSON number as readers of JSON interpret it: the nearest double. Null for a text that is not a number, or
-- a number too large for a double.
BEGIN
  IF jsonb_typeof(value) IS DISTINCT FROM 'number' THEN RETURN NULL; END IF;
  RETURN value::numeric::double precision;
EXCEPTION WHEN numeric_value_out_of_range THEN
  -- Postgres also rejects numbers that are too close to zero.
  RETURN CASE WHEN abs(value::numeric) < 1 THEN 0 END;
END
$$;

CREATE FUNCTION outbox_record(project_id text, type text, resource_id text, data jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Records an event in the caller's transaction; returns its identifier.
DECLARE
  known record;
  faults text[];
  entered text := coalesce(current_setting('app.project_id', true), '');
  size integer := octet_length(data::text);
  id text;
BEGIN
  IF project_id IS NULL OR type IS NULL OR resource_id IS NULL OR data IS NULL THEN
    RAISE null_value_not_allowed USING MESSAGE =
      'project_id, type, resource_id and data must all be given.';
  END IF;
  IF size > 65536 THEN
    RAISE program_limit_exceeded USING MESSAGE =
      format('The data of an event holds at most 65536 bytes, not %s.', size);
  END IF;
  SELECT * INTO known FROM neighbour_types() t WHERE t.type = outbox_record.type;
  IF NOT FOUND THEN
    RAISE invalid_parameter_value USING
      MESSAGE = format('%L is not a type of event that a neighbouring service records.', left(type, 100)),
      HINT = format('The types are: %s.', (SELECT string_agg(t.type, ', ') FROM neighbour_types() t));
  END IF;
  IF resource_id !~ ('^' || known.id_prefix || '_[0-9A-Za-z_-]{1,64}$') THEN
    RAISE invalid_parameter_value USING
      MESSAGE = format('%L is not a resource_id of a %s event.', left(resource_id, 100), type),
      HINT = format('It begins with %s_, and 1 to 64 letters, digits, - or _ follow.', known.id_prefix);
  END IF;
  faults := neighbour_faults(type, data);
  IF cardinality(faults) > 0 THEN
    RAISE check_violation USING
      MESSAGE = format('The data of a %s event is wrong: %s%s.', type,
        array_to_string(faults[:10], ', '),
        CASE WHEN cardinality(faults) > 10 THEN format(', and %s more', cardinality(faults) - 10) END),
      HINT = 'GET /v1/event-types has the schema of every type.';
  END IF;
  IF NOT EXISTS (SELECT FROM project p WHERE p.id = outbox_record.project_id) THEN
    RAISE foreign_key_violation USING MESSAGE = format('The project %L does not exist.', left(project_id, 100));
  END IF;

  PERFORM set_config('app.project_id', project_id, true);
  id := new_id('evt');
  INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type, actor_id)
  VALUES (id, project_id, known.category, type, known.resource_type, resource_id, data,
    'service', session_user);
  -- The caller is back in its own project; after an error, the setting is undone with everything else.
  PERFORM set_config('app.project_id', entered, true);
  RETURN id;
END
$$;
REVOKE ALL ON FUNCTION json_number, outbox_record FROM PUBLIC;
GRANT EXECUTE ON FUNCTION outbox_record TO neighbour;
