import { query, type Tx } from '../../db/transaction.ts';

/**
 * Every column that points at stored bytes. Bytes that none of them names are swept, so a column
 * that is missing here loses data: a test compares this list with the schema.
 */
export const byteReferences: readonly ByteReference[] = [
  { table: 'object', column: 'sha256' },
  { table: 'rendition', column: 'sha256' },
  { table: 'object_variant', column: 'sha256' },
];

export interface ByteReference {
  table: string;
  column: string;
  /** Which rows point at bytes, where not all do. There must be an index of just these, or of all. */
  where?: string;
}

const isReferenced = byteReferences
  .map(({ table, column, where }) => {
    const points = `r.project_id = $1 AND r.${column} = stored.sha256`;
    return `EXISTS (SELECT FROM ${table} r WHERE ${points}${where ? ` AND ${where}` : ''})`;
  })
  .join(' OR ');

/** Those of the hashes that no committed row of the project points at. */
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
