import type { TestApi } from '../../support/api.ts';

interface Table {
  name: string;
  /** Without generated ones. */
  columns: { name: string; type: string }[];
}

/** What a twin has in place of the original's, so that an answer made from it differs. */
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
 * Gives the other project a twin of each of our rows: with the same identifiers, as far as they need
 * to be unique within a project only. A statement that is not bound to the project then finds two rows.
 * The twins come first on the pages of tables, since ours are written again.
 */
export async function plantTwins(api: TestApi): Promise<void> {
  const statements: string[] = [];
  for (const { name, columns } of await tablesOfProjects(api)) {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const values = columns.map(({ name: column, type }) => {
      if (column === 'project_id') return `'${api.other.projectId}'`;
      const change = changes[column];
      const made = change?.(`"${column}"`);
      const fits = made?.endsWith('1000') ? /^(integer|bigint)$/.test(type) : type === 'text';
      return made && fits ? made : `"${column}"`;
    });
    statements.push(
      `INSERT INTO "${name}" (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${values.join(', ')} FROM "${name}" WHERE project_id = '${api.projectId}'
       ON CONFLICT DO NOTHING;`,
      `UPDATE "${name}" SET project_id = project_id WHERE project_id = '${api.projectId}';`,
    );
  }
  // Neither triggers nor foreign keys: a twin is there with all that belongs to it.
  await api.rows(
    `BEGIN; SET LOCAL session_replication_role = replica; ${statements.join('\n')} COMMIT;`,
  );
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
