import type { Case, Check } from './case.ts';

/** Counters equal counts. */
export const checkCounters: Check = async ({ world, ledger, isDisturbed }) => {
  const faults: string[] = [];
  for (const { id, name } of world.projects) {
    const used = await world.rows<{ resource: string; used: number; counted: number }>(
      `SELECT resource, usage_of($1, resource) AS used, counted FROM (VALUES
         ('objects', (SELECT count(*) FROM object WHERE project_id = $1)
           + (SELECT count(*) FROM upload WHERE project_id = $1 AND state = 'uploading')),
         ('storage_bytes', (SELECT coalesce(sum(bytes), 0) FROM object WHERE project_id = $1)
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
    for (const [kind, counter] of [
      ['object', 'object_count'],
      ['image', 'image_count'],
    ] as const) {
      const [row] = await world.rows<{ said: number; counted: number }>(
        `SELECT (SELECT coalesce(sum(n), 0) FROM (
             SELECT count AS n FROM ${counter} WHERE project_id = $1 AND facet = 'state'
             UNION ALL SELECT delta FROM ${counter}_delta WHERE project_id = $1 AND facet = 'state') c) AS said,
           (SELECT count(*) FROM ${kind} WHERE project_id = $1) AS counted`,
        [id],
      );
      if (Number(row!.said) !== Number(row!.counted))
        faults.push(`${name}: ${counter} says ${row!.said}, there are ${row!.counted}`);
    }
  }
  faults.push(...(await attemptsCountedWrong(world)));
  const downloads = await world.rows<{ object_id: string; count: number }>(
    `SELECT object_id, sum(count) AS count FROM object_download GROUP BY object_id`,
  );
  for (const { object_id: id, count } of downloads) {
    const made = ledger.objects.get(id)?.downloads ?? 0;
    if (Number(count) > made)
      faults.push(`${id} was downloaded ${count} times, asked for ${made} times`);
  }
  if (!isDisturbed) {
    const counted = new Map(downloads.map(({ object_id: id, count }) => [id, Number(count)]));
    for (const { id, downloads: made, state } of ledger.objects.values()) {
      if (state !== 'purged' && (counted.get(id) ?? 0) !== made)
        faults.push(`${id} was downloaded ${counted.get(id) ?? 0} times, asked for ${made} times`);
    }
  }
  return faults;
};

/** Of each webhook, the attempts whose outcome is known are counted once, as tallies or folded. */
async function attemptsCountedWrong(world: Case['world']): Promise<string[]> {
  const wrong = await world.rows<{ id: string; said: number; counted: number }>(
    `SELECT id, said, counted FROM webhook_endpoint w, LATERAL (
       SELECT (SELECT coalesce(sum(n), 0) FROM webhook_stat s, unnest(s.outcomes) AS n
           WHERE s.endpoint_id = w.id AND s.minutes = 60)
         + (SELECT coalesce(sum(cardinality(cells)), 0) FROM webhook_tally t
           WHERE t.endpoint_id = w.id) AS said,
         (SELECT count(*) FROM delivery d WHERE d.endpoint_id = w.id AND d.first_at IS NOT NULL)
         + (SELECT count(*) FROM attempt a JOIN delivery d ON d.event_id = a.event_id AND d.id = a.delivery_id
           WHERE d.endpoint_id = w.id AND a.outcome <> 'unknown') AS counted) n
     WHERE said <> counted`,
    [],
  );
  return wrong.map(({ id, said, counted }) => `${id} says ${said} attempts, there are ${counted}`);
}
