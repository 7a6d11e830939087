import type { Check, CheckInput } from './check-input.ts';

/** The stored rows are exactly those that the model knows. */
export const checkRows: Check = async (input) => {
  const { world, ledger } = input;
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
  const rowsById = new Map(objects.map((row) => [row.id, row]));
  for (const row of objects) {
    const known = ledger.objects.get(row.id);
    if (!known) faults.push(`object ${row.id} (${row.filename}) was stored by no request`);
  }
  for (const known of ledger.objects.values()) {
    const row = rowsById.get(known.id);
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
  return [
    ...faults,
    ...(await jobFaults(input)),
    ...(await endpointFaults(input)),
    ...(await imageFaults(input)),
  ];
};

async function jobFaults({ world, ledger }: CheckInput): Promise<string[]> {
  const rows = await world.rows<{ id: string; project_id: string; source: string }>(
    'SELECT id, project_id, source_object_id AS source FROM job',
  );
  return compareRows(
    'job',
    new Map(rows.map((row) => [row.id, `of ${row.source} in ${row.project_id}`])),
    new Map(
      [...ledger.jobs.values()].map((one) => [one.id, `of ${one.sourceId} in ${one.project}`]),
    ),
  );
}

async function endpointFaults({ world, ledger }: CheckInput): Promise<string[]> {
  const rows = await world.rows<{
    id: string;
    project_id: string;
    state: string;
    url: string;
    event_types: string[];
  }>('SELECT id, project_id, state, url, event_types FROM webhook_endpoint');
  const actual = rows.map((row): [string, string] => {
    const { pathname } = new URL(row.url);
    return [row.id, [row.project_id, row.state, pathname, ...row.event_types].join(' ')];
  });
  const known = [...ledger.endpoints.values()];
  // It is unknown whether it was deleted; the client has already reported that.
  const undecided = known.filter(
    ({ deletionRequestedAt: endedAt, deletedAt: goneAt }) => endedAt !== null && goneAt === null,
  );
  const expected = known
    .filter((one) => one.deletedAt === null)
    .map((one): [string, string] => {
      return [one.id, [one.project, one.state, one.path, ...one.types].join(' ')];
    });
  const unknown = new Set(undecided.map(({ id }) => id));
  const isDecided = ([id]: [string, string]) => !unknown.has(id);
  return compareRows(
    'webhook',
    new Map(actual.filter(isDecided)),
    new Map(expected.filter(isDecided)),
  );
}

/** Returns the stored pictures without an image that has been read without an error. */
async function imageFaults({ world, ledger }: CheckInput): Promise<string[]> {
  const rows = await world.rows<{ object_id: string; what: string }>(
    `SELECT object_id, concat_ws(' ', CASE WHEN processing THEN 'unread' ELSE 'read' END,
       'error ' || error::text, CASE WHEN EXISTS (SELECT FROM rendition r
         WHERE r.project_id = i.project_id AND r.image_id = i.id) THEN 'drawn' ELSE 'not drawn' END) AS what
     FROM image i ORDER BY id`,
  );
  const actual = new Map<string, string>();
  for (const { object_id: id, what } of rows) {
    const before = actual.get(id);
    actual.set(id, before === undefined ? what : `${before}, ${what}`);
  }
  const pictures = [...ledger.objects.values()].filter(
    ({ isImage, state }) => isImage && state !== 'purged',
  );
  return compareRows('image of', actual, new Map(pictures.map(({ id }) => [id, 'read drawn'])));
}

/** Rows that are stored but unknown, known but not stored, or different. */
function compareRows(
  kind: string,
  actual: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...actual.keys(), ...expected.keys()])].flatMap((id) => {
    const [actualText, expectedText] = [actual.get(id), expected.get(id)];
    if (actualText === expectedText) return [];
    if (expectedText === undefined)
      return [`${kind} ${id} is stored, expected by no request: [${actualText}]`];
    return [`${kind} ${id} is [${actualText ?? 'missing'}], expected [${expectedText}]`];
  });
}
