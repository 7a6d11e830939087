import { eventually } from '../../test/support/eventually.ts';
import type { Release } from './release.ts';
import type { System } from './system.ts';

/** The tables that migrations count or index. */
const tables = ['object', 'event', 'job'] as const;

/** How long its job may take. */
const settleTimeoutMs = 180_000;

/**
 * A project with as many objects, events and jobs as a migration may encounter; the model does not
 * know it.
 */
export interface BulkData {
  remove(): Promise<void>;
}

/** Multiplies one row of each table, whatever its columns in this version. */
export async function loadBulkData(
  system: System,
  release: Release,
  count: number,
): Promise<BulkData> {
  const created: { project_id: string; api_key: string } = JSON.parse(
    await system.admin(release, 'project', 'create', 'ballast', '--json'),
  );
  const project = created.project_id;
  const call = async (path: string, type: string, body: string): Promise<{ id: string }> => {
    const response = await fetch(system.url + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${created.api_key}`,
        'X-Service-Project-ID': project,
        'Content-Type': type,
        'X-Filename': 'ballast.md',
      },
      body,
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status} for ballast.`);
    return (await response.json()) as { id: string };
  };
  const { id } = await call('/v1/objects', 'application/octet-stream', '# Ballast\n\nA line.\n');
  const job = { source_object_id: id, operations: [{ op: 'classify' }] };
  await call('/v1/documents/jobs', 'application/json', JSON.stringify(job));
  const isAtRest = async () => {
    const [row] = await system.rows<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM job WHERE project_id = $1 AND finished_at IS NULL)
         OR EXISTS (SELECT FROM event WHERE project_id = $1 AND sequence IS NULL) AS open`,
      [project],
    );
    return row?.open === false;
  };
  await eventually(isAtRest, settleTimeoutMs).catch((error: unknown) => {
    throw new Error(`The ballast does not come to rest: ${system.logs()}`, { cause: error });
  });
  for (const table of tables) await multiply(system, table, project, count);
  await system.owner.query('VACUUM ANALYZE object, event, job');
  return {
    async remove() {
      // Everything else that the releases created for it: every table with its project.
      const found = await system.rows<{ name: string }>(
        `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE a.attname = 'project_id' AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
           AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
      );
      const statements = found.map(
        ({ name }) => `DELETE FROM ${name} WHERE project_id = '${project}'`,
      );
      // Without triggers, so the counters are deleted as well.
      await system.owner.query(
        ['BEGIN', `SET LOCAL session_replication_role = replica`, ...statements, 'COMMIT'].join(
          ';',
        ),
      );
    },
  };
}

async function multiply(
  system: System,
  table: string,
  project: string,
  count: number,
): Promise<void> {
  const columns = await system.rows<{ name: string; identity: boolean }>(
    `SELECT attname AS name, attidentity <> '' AS identity FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const insertedColumns = columns.filter(({ identity }) => !identity).map(({ name }) => name);
  const values = insertedColumns.map((name) => {
    if (name === 'id') return `regexp_replace(t.id, '_.*', '_') || 'ballast' || n`;
    // Events are numbered without gaps, and ordered by time.
    if (name === 'sequence') return 't.sequence + 1000 + n';
    return `t."${name}"`;
  });
  await system.rows(
    `INSERT INTO ${table} (${insertedColumns.map((name) => `"${name}"`).join(', ')})
     SELECT ${values.join(', ')}
     FROM (SELECT * FROM ${table} WHERE project_id = $1 LIMIT 1) t, generate_series(1, $2::integer) n`,
    [project, count],
  );
}
