import type { TestApi } from './api.ts';

/**
 * Returns one hash over every row of every table that belongs to a project (or to one project),
 * behind all walls. Left out is what a rejected request may write: when a key was last used, and
 * that it was rejected.
 */
export async function checksum(api: TestApi, projectId: string | null = null): Promise<string> {
  const tables = await api.rows<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'denial'`);
  if (tables.length < 5) throw new Error('The tables of projects were not found.');
  const lines = tables.map(
    ({ name }) => `SELECT '${name}' || (to_jsonb(t) - 'last_used_at')::text AS line FROM "${name}" t
      WHERE ($1::text IS NULL OR project_id = $1)
        AND to_jsonb(t)->>'type' IS DISTINCT FROM 'access.request.denied'`,
  );
  const [row] = await api.rows<{ sum: string | null }>(
    `SELECT md5(string_agg(line, ';' ORDER BY line)) AS sum FROM (${lines.join(' UNION ALL ')}) t`,
    [projectId],
  );
  return row?.sum ?? '';
}
