import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events, tasks, the sequence counters, the heartbeat of workers, and partitions by time. */
export class Outbox1000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION id_floor(prefix text, at timestamptz) RETURNS text
      LANGUAGE plpgsql IMMUTABLE AS $$
      -- The least identifier that could be made at a time: ten characters of milliseconds since
      -- 1970 in Crockford base32, then zeros.
      DECLARE
        ms bigint := floor(extract(epoch FROM at) * 1000)::bigint;
        encoded text := '';
      BEGIN
        FOR i IN 1..10 LOOP
          encoded := substr('0123456789abcdefghjkmnpqrstvwxyz', (ms & 31)::integer + 1, 1) || encoded;
          ms := ms >> 5;
        END LOOP;
        RETURN prefix || '_' || encoded || repeat('0', 16);
      END
      $$;

      -- Order of recording. Not the reading order: that is "sequence", given after commit.
      CREATE SEQUENCE event_ordinal;
      GRANT USAGE ON SEQUENCE event_ordinal TO api, worker, relay;

      CREATE TABLE event (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL,
        category text NOT NULL CHECK (category IN ('domain', 'audit')),
        type text NOT NULL,
        resource_type text NOT NULL,
        resource_id text COLLATE "C" NOT NULL,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        data jsonb NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        address text,
        request_id text,
        ordinal bigint NOT NULL DEFAULT nextval('event_ordinal'),
        sequence bigint,
        body text,
        fanned_out_at timestamptz,
        owed integer NOT NULL DEFAULT 0,
        delivered integer NOT NULL DEFAULT 0,
        published_at timestamptz,
        PRIMARY KEY (id)
      ) PARTITION BY RANGE (id);
      CREATE TABLE event_default PARTITION OF event DEFAULT;
      CREATE INDEX event_unnumbered ON event (ordinal) WHERE sequence IS NULL;
      CREATE INDEX event_not_fanned_out ON event (ordinal)
        WHERE sequence IS NOT NULL AND fanned_out_at IS NULL;
      -- Readers see numbered events only: recording one writes to none of these.
      CREATE INDEX event_feed ON event (project_id, category, sequence) WHERE sequence IS NOT NULL;
      CREATE INDEX event_unpublished ON event (project_id, category, sequence)
        WHERE sequence IS NOT NULL AND published_at IS NULL;
      CREATE INDEX event_resource ON event (project_id, resource_id, sequence)
        WHERE sequence IS NOT NULL;
      SELECT wall('{event}', true);
      GRANT SELECT, INSERT ON event TO api, worker, relay;
      GRANT UPDATE (published_at) ON event TO api;
      GRANT UPDATE (published_at, owed, delivered, fanned_out_at) ON event TO worker;
      GRANT UPDATE ON event TO relay;

      CREATE TABLE sequence_counter (
        project_id text COLLATE "C" NOT NULL,
        category text NOT NULL,
        last bigint NOT NULL,
        PRIMARY KEY (project_id, category)
      ) WITH (fillfactor = 50);
      SELECT wall('{sequence_counter}', true);
      GRANT SELECT ON sequence_counter TO api, worker;
      GRANT SELECT, INSERT, UPDATE ON sequence_counter TO relay;

      CREATE TABLE task (
        id text COLLATE "C" PRIMARY KEY,
        project_id text COLLATE "C" NOT NULL,
        queue text NOT NULL,
        kind text NOT NULL,
        payload jsonb NOT NULL,
        resource_id text COLLATE "C",
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running')),
        due_at timestamptz NOT NULL DEFAULT now(),
        handed_at timestamptz,
        lease_epoch integer NOT NULL DEFAULT 0,
        lease_until timestamptz,
        crashes integer NOT NULL DEFAULT 0,
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
      CREATE INDEX task_due ON task (queue, project_id, due_at) WHERE state = 'pending' AND handed_at IS NULL;
      CREATE INDEX task_handed ON task (queue, handed_at) WHERE handed_at IS NOT NULL;
      CREATE INDEX task_leased ON task (lease_until) WHERE state = 'running';
      CREATE INDEX task_resource ON task (project_id, resource_id);
      SELECT wall('{task}', true);
      CREATE POLICY administration ON task TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON task TO api, worker, relay;

      -- Which workers live, and how many tasks each can hold. Not a tenant's table.
      CREATE TABLE worker (
        id text COLLATE "C" NOT NULL,
        queue text NOT NULL,
        slots integer NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (id, queue)
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON worker TO worker, relay;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
