import pg from 'pg';
import type { TestDatabase } from '../services.ts';

/** Whose rows these are. */
export interface FillTarget {
  projectId: string;
  keyId: string;
  /** An endpoint that has received what there was. */
  endpointId: string;
  /** A paused one, to which as much is due. */
  pausedId: string;
}

/** An identifier of now with a number in it. */
const id = (prefix: string): string =>
  `left(id_floor('${prefix}', now()), ${prefix.length + 11}) || lpad(to_hex(s), 16, '0')`;
const project = `'{project}'`;

/** Fills tables with the rows `s` of one project, as its week leaves them. */
const statements = [
  `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type, ordinal,
     sequence, body, fanned_out_at, owed, delivered, published_at)
   SELECT ${id('evt')}, ${project}, 'domain', 'dam.object.updated', 'object', ${id('obj')}, '{}', 'system', -s,
     {sequence} + s, '{}', now(), 2, 1, now() FROM rows`,
  `INSERT INTO delivery (event_id, event_type, id, project_id, endpoint_id, state, attempts, finished_at,
     first_at, first_trigger, first_succeeded, first_status, first_total_ms)
   SELECT ${id('evt')}, 'dam.object.updated', ${id('whd')}, ${project}, '{endpoint}', 'succeeded', 1, now(), now(),
     'schedule', true, 200, 12 FROM rows`,
  `INSERT INTO due_delivery (id, project_id, endpoint_id, event_id, ordinal)
   SELECT ${id('whd')} || 'p', ${project}, '{paused}', ${id('evt')}, -s FROM rows`,
  `INSERT INTO task (id, project_id, queue, kind, payload, resource_id, due_at)
   SELECT ${id('tsk')}, ${project}, 'maintenance', 'upload.expire', '{}', ${id('upl')}, now() + interval '1 day'
   FROM rows`,
  `INSERT INTO job (id, project_id, state, source_object_id, origin, started_at, finished_at, pages_total,
     pages_completed, percent)
   SELECT ${id('job')}, ${project}, 'succeeded', ${id('obj')}, '{}', now(), now(), 1, 1, 100 FROM rows`,
  `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
   SELECT ${project}, ${id('job')}, 0, 'ocr', '{}', 'succeeded' FROM rows`,
  `INSERT INTO job_page (project_id, job_id, operation_index, page, state)
   SELECT ${project}, ${id('job')}, 0, 1, 'succeeded' FROM rows`,
  `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
   SELECT ${id('obj')}, ${project}, 'available', 'f' || s, 'text/plain', 1, repeat(md5(s::text), 2), 'upload' FROM rows`,
  `INSERT INTO object_index (project_id, object_id, tags, details)
   SELECT ${project}, ${id('obj')}, '{}', '' FROM rows`,
  `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body)
   SELECT ${project}, '{key}', 'createJob', md5(s::text), '', 202, '{}', '{}' FROM rows`,
  `INSERT INTO usage_delta (project_id, resource, delta) SELECT ${project}, 'objects', 0 FROM rows WHERE s % 100 = 0`,
];

/** How full the tables are when Postgres looks at them. */
export interface TableFiller {
  /** Adds rows up to this number, without new statistics. */
  fillTo(rows: number): Promise<void>;
  /** Takes statistics of tables that autovacuum sees empty: they fill and empty all the time. */
  analyzeQueues(): Promise<void>;
  /** Takes statistics of all tables as they are. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

/** Prepares to fill the tables of a database; from then on, statistics are taken by `analyze` only. */
export async function openTableFiller(
  database: TestDatabase,
  target: FillTarget,
): Promise<TableFiller> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(`
    DO $$
    DECLARE name regclass;
    BEGIN
      FOR name IN SELECT oid FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name);
      END LOOP;
    END $$;
    SET session_replication_role = replica`);
  let filledRows = 0;
  return {
    async fillTo(rows) {
      const { rows: counters } = await client.query<{ before: string }>(
        `INSERT INTO sequence_counter AS c (project_id, category, last) VALUES ($1, 'domain', $2)
         ON CONFLICT (project_id, category) DO UPDATE SET last = c.last + excluded.last
         RETURNING last - $2 AS before`,
        [target.projectId, rows - filledRows],
      );
      for (const statement of statements) {
        const text = statement
          .replaceAll('{sequence}', `${Number(counters[0]!.before) - filledRows}`)
          .replaceAll('{project}', target.projectId)
          .replaceAll('{key}', target.keyId)
          .replaceAll('{endpoint}', target.endpointId)
          .replaceAll('{paused}', target.pausedId);
        await client.query(
          `WITH rows AS (SELECT generate_series(${filledRows + 1}, ${rows}) AS s) ${text}`,
        );
      }
      filledRows = rows;
    },
    async analyzeQueues() {
      await client.query('ANALYZE task, due_delivery, webhook_tally, usage_delta');
    },
    async analyze() {
      await client.query('ANALYZE');
    },
    close: () => client.end(),
  };
}
