-- Webhooks, their deliveries, and every attempt.

CREATE TABLE webhook_endpoint (
  project_id text COLLATE "C" NOT NULL REFERENCES project,
  id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  event_types text[] COLLATE "C" NOT NULL,
  -- {JSON pointer into the body: [values]}: all pointers must match, each with one of its values.
  filter jsonb,
  description text,
  state text COLLATE "C" NOT NULL DEFAULT 'enabled' CHECK (state IN ('enabled', 'paused', 'disabled')),
  disabled_reason text COLLATE "C",
  -- {name: {cipher}}: the values are often credentials, and are sealed like secrets.
  headers jsonb NOT NULL DEFAULT '{}',
  payload text COLLATE "C" NOT NULL DEFAULT 'full' CHECK (payload IN ('full', 'thin')),
  -- Which signatures it gets: v1 (HMAC-SHA256), v1a (ed25519). The form of each entry of "secrets" shows its
  -- kind; the public half of a pair is stored with it in plain text.
  signing text[] COLLATE "C" NOT NULL DEFAULT '{v1}'
    CHECK (signing <@ '{v1,v1a}' AND cardinality(signing) > 0),
  -- [{cipher, expires_at}], newest first; AES-GCM under SECRET_KEY.
  secrets jsonb NOT NULL,
  max_in_flight integer NOT NULL DEFAULT 20,
  max_per_second integer CHECK (max_per_second > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX webhook_endpoint_id ON webhook_endpoint (id);
SELECT wall('{webhook_endpoint}', true);
CREATE POLICY administration ON webhook_endpoint FOR SELECT TO owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoint TO api;
GRANT SELECT, UPDATE ON webhook_endpoint TO worker;
GRANT SELECT ON webhook_endpoint TO relay;

-- The current delivery rate of each endpoint.
CREATE TABLE webhook_flow (
  endpoint_id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  -- Set while a hint waits for a worker.
  handed_at timestamptz,
  -- The token bucket of max_per_second, as of refilled_at.
  tokens double precision NOT NULL DEFAULT 1000000,
  refilled_at timestamptz NOT NULL DEFAULT now(),
  -- The current maximum of attempts in progress: it grows with success up to max_in_flight.
  window_size integer NOT NULL DEFAULT 8,
  failures_in_row integer NOT NULL DEFAULT 0,
  -- Set while the circuit is open: no attempt begins before held_until, and the duration doubles with each
  -- failed probe.
  held_until timestamptz,
  hold_seconds integer,
  failing_since timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error jsonb
) WITH (fillfactor = 50);
SELECT wall('{webhook_flow}', true);
CREATE POLICY administration ON webhook_flow FOR SELECT TO owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_flow TO api;
GRANT SELECT, UPDATE ON webhook_flow TO worker, relay;

-- Deliveries and attempts are partitioned by the time of their event, so that they are dropped together.
--
-- Deliveries are found by event or by endpoint: a primary key would cost every delivery another write.
CREATE TABLE delivery (
  event_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  replay_id text COLLATE "C",
  event_type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN
    ('pending', 'succeeded', 'exhausted', 'skipped', 'cancelled')),
  -- An index on the state would be written to whenever a delivery ends. This column stays null for deliveries
  -- that succeed, as nearly all do, so that their last change touches no index.
  failed_as text COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN state IN ('exhausted', 'skipped', 'cancelled') THEN state END) STORED,
  reason text COLLATE "C",
  attempts integer NOT NULL DEFAULT 0,
  -- The first attempt is stored here by the update that ends the delivery: nearly every delivery has only one
  -- attempt. Later attempts, and those whose lease was lost, are rows of "attempt". All are null unless
  -- first_at is set; null timings take no space, and a reused connection has only the last two.
  first_at timestamptz,
  first_trigger text COLLATE "C",
  first_succeeded boolean,
  first_status integer,
  first_dns_ms real,
  first_connect_ms real,
  first_tls_ms real,
  first_byte_ms real,
  first_total_ms real,
  first_error jsonb,
  first_excerpt text,
  first_next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  UNIQUE NULLS NOT DISTINCT (event_id, endpoint_id, replay_id)
) PARTITION BY RANGE (event_id);
-- These two are limited to rows with a project, which all rows have: only a statement that names the project
-- can use them. Settling finds rows by their event; with the statistics of a new week, the planner would
-- consider the other columns of these indexes selective, and scan a whole week for each row.
CREATE INDEX delivery_by_endpoint ON delivery (project_id, endpoint_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX delivery_type ON delivery (endpoint_id, event_type, id) WHERE project_id IS NOT NULL;
CREATE INDEX delivery_failed ON delivery (project_id, endpoint_id, failed_as, id)
  WHERE failed_as IS NOT NULL;
CREATE INDEX delivery_failed_of_replay ON delivery (replay_id, failed_as)
  WHERE replay_id IS NOT NULL AND failed_as IS NOT NULL;
-- Deliveries whose latest attempt failed: those that have ended, and (attempt_failed_by_hand) those with a
-- failed manual attempt. Deliveries that succeed at once are in neither.
CREATE INDEX delivery_ended_failed ON delivery (endpoint_id, id)
  WHERE failed_as IS NOT NULL OR reason = 'replayed';
SELECT wall('{delivery}', true);
CREATE POLICY administration ON delivery FOR SELECT TO owner USING (true);
GRANT SELECT, UPDATE ON delivery TO api;
GRANT SELECT, INSERT, UPDATE ON delivery TO worker, relay;

CREATE TABLE attempt (
  event_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  trigger text COLLATE "C" NOT NULL DEFAULT 'schedule',
  outcome text COLLATE "C" NOT NULL DEFAULT 'unknown'
    CHECK (outcome IN ('unknown', 'succeeded', 'failed')),
  at timestamptz NOT NULL DEFAULT now(),
  status integer,
  duration_ms real,
  timings jsonb,
  error jsonb,
  response_excerpt text,
  next_attempt_at timestamptz,
  PRIMARY KEY (event_id, delivery_id, number)
) PARTITION BY RANGE (event_id);
CREATE INDEX attempt_failed_by_hand ON attempt (project_id)
  WHERE trigger = 'manual' AND outcome <> 'succeeded';
SELECT wall('{attempt}', true);
GRANT SELECT ON attempt TO api;
GRANT SELECT, INSERT, UPDATE ON attempt TO worker;
GRANT SELECT, INSERT ON attempt TO relay;

-- Every ended attempt, once: a first attempt is stored in its delivery by the worker that holds the lease,
-- and all others in "attempt".
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

-- The deliveries still to be sent, in a small table: exactly the pending deliveries have a row here. As with
-- tasks, the row is deleted when the delivery ends, and the delivery remains as the record.
CREATE TABLE due_delivery (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  replay_id text COLLATE "C",
  -- The event's position in the order of recording: deliveries that are due together are sent in this order.
  ordinal bigint NOT NULL,
  -- 0 requested manually, 1 failed before, 2 new, 3 replayed; served in this order. While an endpoint's
  -- circuit is open, only the first two are served.
  lane smallint NOT NULL DEFAULT 2 CHECK (lane BETWEEN 0 AND 3),
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  crashes integer NOT NULL DEFAULT 0,
  lease_epoch integer NOT NULL DEFAULT 0,
  -- These three are set while an attempt is in progress.
  lease_until timestamptz,
  begun_at timestamptz,
  trigger text COLLATE "C" CHECK (trigger IN ('schedule', 'manual', 'probe')),
  -- Set while a manual attempt is due or in progress: the state and due time with which the automatic
  -- schedule continues if it fails.
  resume_state text COLLATE "C"
    CHECK (resume_state IN ('pending', 'succeeded', 'exhausted', 'skipped', 'cancelled')),
  resume_due_at timestamptz
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX due_delivery_waiting
  ON due_delivery (project_id, endpoint_id, lane, due_at, ordinal) WHERE lease_until IS NULL;
CREATE INDEX due_delivery_leased ON due_delivery (endpoint_id) WHERE lease_until IS NOT NULL;
CREATE INDEX due_delivery_replay ON due_delivery (replay_id) WHERE replay_id IS NOT NULL;
SELECT wall('{due_delivery}', true);
CREATE POLICY administration ON due_delivery FOR SELECT TO owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON due_delivery TO api, worker, relay;

-- Fails the transaction unless the expected number of rows was found: the caller need not wait for the count,
-- because everything sent with it, including the commit, is undone.
CREATE FUNCTION demand_rows(counted bigint, expected integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF counted <> expected THEN
    RAISE EXCEPTION 'found % rows of %', counted, expected USING ERRCODE = 'LS002';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION demand_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION demand_rows TO worker;

-- Replays: sending events to an endpoint again.
CREATE TABLE replay (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'completed', 'cancelled')),
  reason text COLLATE "C",
  selection text COLLATE "C" NOT NULL CHECK (selection IN ('failed', 'missing', 'all')),
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- As requested; null means any.
  event_types text[] COLLATE "C",
  -- These types combined with the endpoint's own types and filter, as of the request.
  types text[] COLLATE "C",
  filter jsonb,
  -- The ranges that remain to be read, [{of, after, to}]; each batch shortens them.
  walk jsonb NOT NULL,
  matched integer NOT NULL,
  queued integer NOT NULL DEFAULT 0,
  -- The outcomes of its deliveries, once all have ended; until then they are counted.
  outcomes jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX replay_of_endpoint ON replay (project_id, endpoint_id, id);
CREATE UNIQUE INDEX replay_running ON replay (endpoint_id) WHERE state = 'running';
SELECT wall('{replay}');
GRANT SELECT, INSERT, UPDATE ON replay TO api;
GRANT SELECT, UPDATE, DELETE ON replay TO worker;

-- Counters of attempts by endpoint, for each five minutes and each hour. Transactions that settle attempts
-- only insert tallies, so they never wait for each other.
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
GRANT SELECT, DELETE ON webhook_tally TO api, relay;
GRANT SELECT ON webhook_stat TO worker;
GRANT SELECT, DELETE ON webhook_stat TO api;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_stat TO relay;
