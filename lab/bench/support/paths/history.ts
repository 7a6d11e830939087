import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import type { Tenant } from '../api/tenants.ts';
import type { Bench } from '../bench.ts';
import { fillHistory } from '../growth/fill.ts';
import { fillObjects } from '../growth/fill-objects.ts';

/** Rows of the last hour, which are in the same partition as those that a benchmark adds. */
const days = 1 / 24;

/**
 * Fills a project with events that have ended deliveries to an endpoint. Removes all other events,
 * so no worker may run yet.
 * @param rows a multiple of 2,000
 */
export async function fillEventHistory(
  bench: Bench,
  target: { projectId: string; endpointId: string },
  rows: number,
): Promise<void> {
  await withClient(bench, (client) => fillHistory(client, target, rows, { jobs: 0, days }));
}

/**
 * Fills the tables that requests read and write: events, jobs and a tenth as many objects in the first
 * project; stored responses of all keys, half of which belong to the first key.
 * @param rows a multiple of 20,000
 */
export async function fillApiHistory(
  bench: Bench,
  tenants: readonly Tenant[],
  rows: number,
): Promise<void> {
  const [{ projectId }] = tenants as [Tenant];
  const api = await bench.openDatabase(bench.urls.apiUrl, 1);
  await fillObjects(api, projectId, rows / 10);
  await withClient(bench, async (client) => {
    await client.query('SET synchronous_commit = off');
    await client.query(
      `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body,
         created_at)
       SELECT k.project_id, k.id, 'createJob', gen_random_uuid()::text, sha256('body'), 202,
         '{}', repeat('x', 500), now() - interval '1 hour' * n / $1
       FROM (SELECT project_id, id, row_number() OVER (ORDER BY project_id <> $2, name, id) AS place,
           count(*) OVER () AS keys FROM api_key WHERE project_id = ANY($3) AND name LIKE 'load %') k,
         generate_series(1, CASE WHEN place = 1 THEN $1 / 2 ELSE $1 / 2 / (keys - 1) END) AS n`,
      [rows, projectId, tenants.map((tenant) => tenant.projectId)],
    );
    await client.query('RESET synchronous_commit');
    const target = { projectId, endpointId: newId('webhook') };
    await fillHistory(client, target, rows, { days });
  });
}

async function withClient(bench: Bench, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: bench.benchSuperuserUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
