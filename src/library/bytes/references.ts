import { query, type Tx } from '../../db/transaction.ts';

/**
 * Every column that references stored bytes. Bytes without a reference are swept, so a column that
 * is missing here loses data: a test compares this list with the schema.
 */
export const byteReferences = [
  { table: 'object', column: 'sha256' },
  { table: 'rendition', column: 'sha256' },
  { table: 'object_variant', column: 'sha256' },
] as const;

const isReferenced = byteReferences
  .map(
    ({ table, column }) =>
      `EXISTS (SELECT FROM ${table} r WHERE r.project_id = $1 AND r.${column} = stored.sha256)`,
  )
  .join(' OR ');

/** The hashes that no committed row of the project references. */
export async function findUnreferenced(
  tx: Tx,
  projectId: string,
  sha256s: string[],
): Promise<string[]> {
  const rows = await query<{ sha256: string }>(
    tx,
    `SELECT stored.sha256 FROM unnest($2::text[]) AS stored (sha256) WHERE NOT (${isReferenced})`,
    [projectId, sha256s],
  );
  return rows.map(({ sha256 }) => sha256);
}
