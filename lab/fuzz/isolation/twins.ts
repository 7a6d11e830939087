import type { TestApi } from '../../../test/support/api.ts';

interface Table {
  name: string;
  /** Without generated ones. */
  columns: { name: string; type: string }[];
}

/**
 * The values of a twin that differ from the original's, so that a response made from it differs.
 */
const changes: Record<string, (column: string) => string> = {
  name: () => `'Twin'`,
  title: () => `'Twin'`,
  filename: () => `'twin.bin'`,
  description: () => `'Twin'`,
  alt_text: () => `'Twin'`,
  ...Object.fromEntries(
    ['version', 'bytes', 'width', 'height', 'count', 'findings', 'position', 'storage_bytes'].map(
      (name) => [name, (column: string) => `${column} + 1000`],
    ),
  ),
};

/**
 * Gives the other project a twin of each row: with the same identifiers, as far as these need to be
 * unique only within a project. A statement that is not restricted to the project then finds two
 * rows. The twins are stored first in the tables, because the originals are written again. Returns
 * the tables where each row has a twin.
 * @throws Error if a row has none although the schema allows one
 */
export async function insertTwins(api: TestApi): Promise<string[]> {
  const statements: string[] = [];
  const tables = await tablesOfProjects(api);
  for (const { name, columns } of tables) {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const values = columns.map(({ name: column, type }) => {
      if (column === 'project_id') return `'${api.other.projectId}'`;
      const change = changes[column];
      const changedValue = change?.(`"${column}"`);
      const isCompatible = changedValue?.endsWith('1000')
        ? /^(integer|bigint)$/.test(type)
        : type === 'text';
      return changedValue && isCompatible ? changedValue : `"${column}"`;
    });
    statements.push(
      `INSERT INTO "${name}" (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${values.join(', ')} FROM "${name}" WHERE project_id = '${api.projectId}'
       ON CONFLICT DO NOTHING;`,
      `UPDATE "${name}" SET project_id = project_id WHERE project_id = '${api.projectId}';`,
    );
  }
  // Disables triggers and foreign keys: a twin has all of its related rows.
  await api.rows(
    `BEGIN; SET LOCAL session_replication_role = replica; ${statements.join('\n')} COMMIT;`,
  );
  const twins: string[] = [];
  for (const name of await tablesForTwins(api, tables)) {
    const [counts] = await api.rows<{ ours: number; twins: number }>(
      `SELECT count(*)::integer AS ours, count(twin.id)::integer AS twins
       FROM "${name}" ours LEFT JOIN "${name}" twin ON twin.id = ours.id AND twin.project_id = $2
       WHERE ours.project_id = $1`,
      [api.projectId, api.other.projectId],
    );
    const { ours, twins: twinCount } = counts!;
    if (twinCount < ours) throw new Error(`${name}: ${twinCount} twins of ${ours} rows.`);
    if (ours > 0) twins.push(name);
  }
  return twins;
}

/** Tables with identifiers that need to be unique only within a project. */
async function tablesForTwins(api: TestApi, tables: readonly Table[]): Promise<string[]> {
  const tablesWithId = tables.filter(({ columns }) => columns.some(({ name }) => name === 'id'));
  const rows = await api.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
       AND NOT EXISTS (
         SELECT FROM pg_index i
         WHERE i.indisunique AND (i.indrelid = c.oid
             OR i.indrelid IN (SELECT relid FROM pg_partition_tree(c.oid)))
           AND NOT EXISTS (
             SELECT FROM pg_attribute a
             WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname = 'project_id'))
     ORDER BY 1`,
    [tablesWithId.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name);
}

async function tablesOfProjects(api: TestApi): Promise<Table[]> {
  const columns = await api.rows<{ table: string; name: string; type: string }>(`
    SELECT c.relname AS table, a.attname AS name, a.atttypid::regtype::text AS type
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relnamespace = 'public'::regnamespace
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      AND EXISTS (SELECT 1 FROM pg_attribute p WHERE p.attrelid = c.oid AND p.attname = 'project_id')
    ORDER BY 1, a.attnum`);
  const tables = new Map<string, Table>();
  for (const { table, name, type } of columns) {
    const one = tables.get(table) ?? { name: table, columns: [] };
    tables.set(table, one);
    one.columns.push({ name, type });
  }
  return [...tables.values()];
}
