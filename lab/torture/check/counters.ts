import { setTimeout as delay } from 'node:timers/promises';
import { attemptFaults } from '../../../test/support/recovery.ts';
import type { Check, CheckInput } from './check-input.ts';

/** Downloads are counted in memory and stored after 5 s, or with the next ones if that failed. */
const storeDelayMs = 30_000;

/** The condition that each facet counter counts. */
const facetCounts = {
  object_count: `object o, object_facets(o.state, o.mime, o.created_at, o.tags, o.derived_from) f`,
  image_count: `image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id,
    image_facets(o.state, o.mime, i.orientation, o.tags) f`,
};

/** Counters equal counts. */
export const checkCounters: Check = async (input) => {
  const { world } = input;
  const faults: string[] = [];
  for (const { id, name } of world.projects) {
    const used = await world.rows<{ resource: string; used: number; counted: number }>(
      `SELECT resource, usage_of($1, resource) AS used, counted FROM (VALUES
         ('objects', (SELECT count(*) FROM object WHERE project_id = $1)
           + (SELECT count(*) FROM upload WHERE project_id = $1 AND state = 'uploading')),
         ('storage_bytes', (SELECT coalesce(sum(bytes), 0) FROM object WHERE project_id = $1)
           + (SELECT coalesce(sum(bytes), 0) FROM object_variant
              WHERE project_id = $1 AND variant LIKE 'page:%')
           + (SELECT coalesce(sum(length), 0) FROM upload WHERE project_id = $1 AND state = 'uploading')),
         ('uploads', (SELECT count(*) FROM upload WHERE project_id = $1 AND state = 'uploading')),
         ('api_keys', (SELECT count(*) FROM api_key WHERE project_id = $1 AND revoked_at IS NULL)),
         ('collections', (SELECT count(*) FROM collection WHERE project_id = $1)),
         ('jobs_in_flight', (SELECT count(*) FROM job WHERE project_id = $1
           AND state IN ('queued', 'running', 'cancelling')))
       ) AS v (resource, counted)`,
      [id],
    );
    for (const { resource, used: counter, counted } of used) {
      if (Number(counter) !== Number(counted))
        faults.push(`${name}: ${resource} says ${counter}, there are ${counted}`);
    }
    const members = await world.rows<{ id: string; member_count: number; counted: number }>(
      `SELECT id, member_count, counted FROM collection c, LATERAL (
         SELECT count(*) AS counted FROM collection_member m
         WHERE m.collection_id = c.id AND NOT m.hidden) n
       WHERE project_id = $1 AND member_count <> counted`,
      [id],
    );
    for (const row of members)
      faults.push(`${row.id} says ${row.member_count} members, there are ${row.counted}`);
    for (const [counter, counts] of Object.entries(facetCounts)) {
      const wrong = await world.rows<{ value: string; said: number; counted: number }>(
        `SELECT facet || ' ' || value AS value, sum(said) AS said, sum(counted) AS counted FROM (
           SELECT facet, value, count AS said, 0 AS counted FROM ${counter} WHERE project_id = $1
           UNION ALL SELECT facet, value, delta, 0 FROM ${counter}_delta WHERE project_id = $1
           UNION ALL SELECT f.facet, f.value, 0, 1 FROM ${counts} WHERE o.project_id = $1) c
         GROUP BY facet, value HAVING sum(said) <> sum(counted)`,
        [id],
      );
      for (const { value, said, counted } of wrong)
        faults.push(`${name}: ${counter} of ${value} says ${said}, there are ${counted}`);
    }
    const wrong = await world.rows<{ fault: string; id: string }>(attemptFaults, [id]);
    for (const { fault, id: webhook } of wrong) faults.push(`${webhook}: ${fault}`);
  }
  const reported = await world.rows<{ id: string; count: number; said: number }>(
    `SELECT d.object_id AS id, sum(d.count) AS count, sum(d.pending) + (
       SELECT coalesce(sum((e.data->>'count')::bigint), 0) FROM event e
       WHERE e.type = 'dam.object.downloaded' AND e.resource_id = d.object_id) AS said
     FROM object_download d GROUP BY d.object_id`,
  );
  for (const { id, count, said } of reported)
    if (Number(count) !== Number(said))
      faults.push(`${id} has ${count} downloads, events and what is pending say ${said}`);
  return [...faults, ...(await findWrongDownloadCounts(input))];
};

/**
 * At most as many as were requested: an attempt may not have arrived. At least those that were
 * received.
 */
export async function findWrongDownloadCounts(
  { world, ledger, downloadsSince }: CheckInput,
  withinMs = storeDelayMs,
): Promise<string[]> {
  const end = Date.now() + withinMs;
  for (;;) {
    const rows = await world.rows<{ object_id: string; count: number }>(
      'SELECT object_id, sum(count) AS count FROM object_download GROUP BY object_id',
    );
    const counts = new Map(rows.map(({ object_id: id, count }) => [id, Number(count)]));
    const countOf = (id: string) => counts.get(id) ?? 0;
    const missing = [...ledger.objects.values()]
      .filter(({ state }) => state !== 'purged')
      .map(({ id, downloadedAt: received }) => ({
        id,
        due: received.filter((at) => at > downloadsSince).length,
      }))
      .filter(({ id, due }) => countOf(id) < due);
    if (missing.length > 0 && Date.now() < end) {
      await delay(200);
      continue;
    }
    return [
      ...[...counts]
        .filter(([id, count]) => count > (ledger.objects.get(id)?.downloadAttempts ?? 0))
        .map(
          ([id, count]) =>
            `${id} has ${count} downloads, asked for ${ledger.objects.get(id)?.downloadAttempts ?? 0} times`,
        ),
      ...missing.map(({ id, due }) => `${id} has ${countOf(id)} downloads, received ${due} times`),
    ];
  }
}
