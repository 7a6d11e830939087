import type { Check } from './case.ts';

/** What is stored is what the model knows, neither more nor less. */
export const checkRows: Check = async ({ world, ledger }) => {
  const faults: string[] = [];
  const objects = await world.rows<{
    id: string;
    project_id: string;
    state: string;
    filename: string;
    sha256: string;
    bytes: number;
    marker: string | null;
  }>(
    `SELECT id, project_id, state, filename, sha256, bytes, metadata->>'marker' AS marker FROM object
     WHERE source_kind = 'upload'`,
  );
  const found = new Map(objects.map((row) => [row.id, row]));
  for (const row of objects) {
    const known = ledger.objects.get(row.id);
    if (!known) faults.push(`object ${row.id} (${row.filename}) was stored by no request`);
  }
  for (const known of ledger.objects.values()) {
    const row = found.get(known.id);
    if (known.state === 'purged' ? row !== undefined : row === undefined) {
      faults.push(`object ${known.id} is ${row ? 'there' : 'missing'}, expected ${known.state}`);
      continue;
    }
    if (!row) continue;
    for (const [name, expected] of [
      ['project_id', known.project],
      ['state', known.state],
      ['filename', known.filename],
      ['sha256', known.sha256],
      ['bytes', known.bytes],
      ['marker', known.marker],
    ] as const) {
      if (row[name] !== expected)
        faults.push(`object ${known.id} has ${name} ${row[name]}, expected ${expected}`);
    }
  }
  const collections = await world.rows<{
    id: string;
    name: string;
    state: string;
    members: string[];
  }>(
    `SELECT id, name, state, array(SELECT resource_id FROM collection_member m
       WHERE m.collection_id = c.id ORDER BY 1) AS members FROM collection c`,
  );
  const byId = new Map(collections.map((row) => [row.id, row]));
  for (const { id } of collections) {
    if (!ledger.collections.has(id)) faults.push(`collection ${id} was created by no request`);
  }
  for (const known of ledger.collections.values()) {
    const row = byId.get(known.id);
    const expected = [known.name, known.state, ...[...known.members].sort()].join(' ');
    const actual = row ? [row.name, row.state, ...row.members].join(' ') : 'missing';
    if (actual !== expected)
      faults.push(`collection ${known.id} is [${actual}], expected [${expected}]`);
  }
  const jobs = await world.rows<{ id: string }>('SELECT id FROM job');
  for (const { id } of jobs)
    if (!ledger.jobs.has(id)) faults.push(`job ${id} was created by no request`);
  const endpoints = await world.rows<{ id: string }>('SELECT id FROM webhook_endpoint');
  for (const { id } of endpoints) {
    const known = ledger.endpoints.get(id);
    if (!known) faults.push(`webhook ${id} was created by no request`);
  }
  return faults;
};
