-- The cluster's roles. Idempotent; run by a superuser (or a role that may create roles).
--   owner      owns the schema and runs migrations
--   api        serves requests; sees one project at a time
--   worker     does document and library work; sees all tasks and deliveries, one project otherwise
--   relay      numbers events, fans them out, hands work over
--   searcher   owns the search views; no login
--   handover   makes owner a member of searcher without inheriting its rights; no login
--   neighbour  a neighbouring service that may only record its events
DO $$
DECLARE
  login text;
BEGIN
  FOREACH login IN ARRAY ARRAY['owner', 'api', 'worker', 'relay', 'neighbour'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', login);
    END IF;
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'searcher') THEN
    CREATE ROLE searcher NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'handover') THEN
    CREATE ROLE handover NOLOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
  -- The owner grants views to searcher, but must not see all projects as searcher does, so it is a member
  -- through a role that does not inherit, which works with every version of Postgres.
  IF pg_has_role('owner', 'searcher', 'USAGE') THEN REVOKE searcher FROM owner; END IF;
END
$$;
-- Limits transactions and connections that a neighbour leaves open. The neighbour can change these limits,
-- and its logins may have others.
ALTER ROLE neighbour CONNECTION LIMIT 20;
ALTER ROLE neighbour SET statement_timeout = '60s';
ALTER ROLE neighbour SET lock_timeout = '10s';
ALTER ROLE neighbour SET idle_in_transaction_session_timeout = '60s';
-- Compiling statements costs more than it saves: they are short, or spend their time on sorting.
ALTER ROLE api SET jit = off;
ALTER ROLE worker SET jit = off;
ALTER ROLE relay SET jit = off;
-- The relay finds all rows by their keys, in tables that fill and empty within seconds. With outdated
-- statistics the planner would read them whole. A plan does not depend on values, so it is made once.
ALTER ROLE relay SET enable_seqscan = off;
ALTER ROLE relay SET enable_mergejoin = off;
ALTER ROLE relay SET enable_hashjoin = off;
ALTER ROLE relay SET plan_cache_mode = force_generic_plan;
GRANT searcher TO handover;
GRANT handover TO owner;
