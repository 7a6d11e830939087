import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who downloaded what of an object, by which way: a row for each, with counters. */
export class Downloads1000000000096 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE object_download (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        delivered_object_id text COLLATE "C" NOT NULL,
        content text COLLATE "C" NOT NULL,
        via text COLLATE "C" NOT NULL,
        actor_type text COLLATE "C" NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        actor_name text,
        count bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        -- Of the latest request.
        address text,
        request_id text,
        -- What no event has reported yet.
        pending bigint NOT NULL,
        pending_since timestamptz NOT NULL,
        -- When an event last reported it.
        reported_at timestamptz NOT NULL DEFAULT '-infinity',
        -- No foreign key: an object may be purged before its downloads are reported.
        PRIMARY KEY (project_id, object_id, delivered_object_id, content, via, actor_type, actor_id)
      ) WITH (fillfactor = 80);
      CREATE INDEX object_download_delivered ON object_download (project_id, delivered_object_id);
      CREATE INDEX object_download_pending ON object_download (project_id, reported_at)
        WHERE pending > 0;
      SELECT wall('{object_download}');
      GRANT SELECT, INSERT, UPDATE ON object_download TO api;
      GRANT SELECT, UPDATE, DELETE ON object_download TO worker;

      -- When this migration ran, which is kept nowhere else.
      DO $make$ BEGIN
        EXECUTE format(
          'CREATE FUNCTION downloads_recorded_since() RETURNS timestamptz LANGUAGE sql IMMUTABLE AS %L',
          format('SELECT %L::timestamptz', now()));
      END $make$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION downloads_recorded_since; DROP TABLE object_download');
  }
}
