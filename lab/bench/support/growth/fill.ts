import type pg from 'pg';

/** Timestamps that rows share: creating one costs more than inserting a row. */
const momentCount = 2_000;

/**
 * The rows of a table as of a deployment of twelve weeks: `s` counts them, `at` is when each was
 * created, and `id(prefix)` is an identifier of that time.
 */
const rowsOf = (prefix: string, days: number): string => `
  (SELECT m * $2::bigint / ${momentCount} + n AS s, at, floor
   FROM (SELECT m, at, left(id_floor('${prefix}', at), 14) AS floor FROM (
     SELECT m, $3::timestamptz - (${momentCount} - m) * interval '${days} days' / ${momentCount} AS at
     FROM generate_series(0, ${momentCount} - 1) AS m) AS t) AS moment,
   generate_series(1, $2::bigint / ${momentCount}) AS n) AS r`;
const type = `CASE WHEN s = 7 THEN 'dam.object.purged' WHEN s % 10 = 0 THEN 'documents.job.succeeded'
  ELSE 'dam.object.updated' END`;
const id = (prefix: string): string => `'${prefix}_' || substr(floor, 5) || lpad(s::text, 16, '0')`;

/** Settings of Postgres with which filling an emptied table is not logged. */
export const fillSettings = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '4GB' };

/**
 * Fills the tables of one project directly, without triggers: `rows` events, each with an ended
 * delivery to one endpoint, and as many jobs that have ended. One in seven is the only one of its
 * type or state.
 * @param rows the number of events and of deliveries, a multiple of 2,000, as is the number of jobs
 * @param options.days the period over which rows are spread, up to now. Default: 84
 */
export async function fillHistory(
  client: pg.Client,
  { projectId, endpointId }: { projectId: string; endpointId: string },
  rows: number,
  { jobs = rows, days = 84 }: { jobs?: number; days?: number } = {},
): Promise<void> {
  await client.query(
    `SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '512MB'`,
  );
  const restoreIndexes = await dropIndexes(client);
  // Rows inserted in the transaction that emptied the table are not logged.
  await client.query('BEGIN; TRUNCATE event, delivery');
  // The same identifiers in every table.
  const values = [projectId, rows, new Date()];
  await client.query(
    `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, occurred_at, data,
       actor_type, ordinal, sequence, body, fanned_out_at, owed, delivered, published_at)
     SELECT ${id('evt')}, $1, 'domain',
       ${type}, 'object',
       'obj_' || left(md5((s / 5)::text), 26), at, '{}', 'system', s, s, '{}', at, 1, 1, at
     FROM ${rowsOf('evt', days)}`,
    values,
  );
  await client.query(
    `INSERT INTO delivery (event_id, event_type, id, project_id, endpoint_id, state, attempts, created_at, finished_at,
       first_at, first_trigger, first_succeeded, first_status, first_total_ms)
     SELECT ${id('evt')}, ${type}, ${id('whd')}, $1, $4, CASE WHEN s = 7 THEN 'skipped' WHEN s % 50 = 0 THEN 'exhausted' ELSE 'succeeded' END, 1,
       at, at, at, 'schedule', s % 50 <> 0, CASE s % 50 WHEN 0 THEN 500 ELSE 200 END, 12
     FROM ${rowsOf('evt', days)}`,
    [...values, endpointId],
  );
  await client.query('COMMIT');
  const jobValues = [projectId, jobs, values[2]];
  await client.query(
    `INSERT INTO job (id, project_id, state, source_object_id, origin, created_at, started_at, finished_at,
       updated_at, pages_total, pages_completed, percent)
     SELECT ${id('job')}, $1, CASE WHEN s = 7 THEN 'cancelled' WHEN s % 40 = 0 THEN 'failed' ELSE 'succeeded' END,
       'obj_' || left(md5((s / 3)::text), 26), '{}', at, at, at, at, 3, 3, 100
     FROM ${rowsOf('job', days)}`,
    jobValues,
  );
  await client.query(
    `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
     SELECT $1, ${id('job')}, 0, 'ocr', '{}', 'succeeded' FROM ${rowsOf('job', days)}`,
    jobValues,
  );
  await restoreIndexes();
  await client.query(`SELECT setval('event_ordinal', $1::bigint + 1)`, [rows]);
  await client.query(
    `INSERT INTO sequence_counter (project_id, category, last) VALUES ($1, 'domain', $2)
     ON CONFLICT (project_id, category) DO UPDATE SET last = excluded.last`,
    [projectId, rows],
  );
  await client.query('RESET session_replication_role');
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/**
 * Drops the indexes that do not back a constraint: building them at the end takes half the time.
 * @returns a function that creates them again
 */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index WHERE indrelid = ANY('{event,delivery,job,job_operation}'::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}
