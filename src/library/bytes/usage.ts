import { query, type Tx } from '../../db/transaction.ts';

/** The contents that a project's rows reference. */
export interface Usage {
  /** Objects by state. */
  objects: Record<string, number>;
  /**
   * Bytes by use. Each content counts once, under the first category that references it. Those
   * under `trash` are freed when the trash is emptied.
   */
  bytes: Record<UsageKind, number>;
  /** The number of distinct contents, and their bytes. */
  contents: number;
  bytes_referenced: number;
  /** The total size if equal contents were not shared. */
  bytes_unshared: number;
}

export const usageKinds = ['uploads', 'outputs', 'renditions', 'variants', 'trash'] as const;
type UsageKind = (typeof usageKinds)[number];

const referencedSql = `
  SELECT sha256, bytes, CASE WHEN state = 'trashed' THEN 5 WHEN source_kind = 'job' THEN 2 ELSE 1 END AS kind
  FROM object WHERE project_id = $1
  UNION ALL
  SELECT r.sha256, r.bytes, CASE WHEN o.state = 'trashed' THEN 5 ELSE 3 END FROM rendition r
  JOIN image i ON i.project_id = r.project_id AND i.id = r.image_id
  JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id WHERE r.project_id = $1
  UNION ALL
  SELECT v.sha256, v.bytes, CASE WHEN o.state = 'trashed' THEN 5 ELSE 4 END FROM object_variant v
  JOIN object o ON o.project_id = v.project_id AND o.id = v.object_id
  WHERE v.project_id = $1 AND v.sha256 IS NOT NULL`;

/** The usage of the transaction's project, from its rows. */
export async function readUsage(tx: Tx, projectId: string): Promise<Usage> {
  const states = await query<{ state: string; n: number }>(
    tx,
    'SELECT state, count(*) AS n FROM object WHERE project_id = $1 GROUP BY state ORDER BY state',
    [projectId],
  );
  const rows = await query<{ kind: number; contents: number; bytes: number; unshared: number }>(
    tx,
    `WITH pointed AS (${referencedSql}), once AS (
       SELECT sha256, min(kind) AS kind, max(bytes) AS bytes, sum(bytes) AS unshared
       FROM pointed GROUP BY sha256)
     SELECT kind, count(*) AS contents, sum(bytes)::bigint AS bytes, sum(unshared)::bigint AS unshared
     FROM once GROUP BY kind`,
    [projectId],
  );
  const sum = (field: 'contents' | 'bytes' | 'unshared'): number =>
    rows.reduce((total, row) => total + row[field], 0);
  const bytes = Object.fromEntries(
    usageKinds.map((name, at) => [name, rows.find(({ kind }) => kind === at + 1)?.bytes ?? 0]),
  ) as Record<UsageKind, number>;
  return {
    objects: Object.fromEntries(states.map(({ state, n }) => [state, n])),
    bytes,
    contents: sum('contents'),
    bytes_referenced: sum('bytes'),
    bytes_unshared: sum('unshared'),
  };
}
