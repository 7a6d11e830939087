import { columnsOf } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Erasure } from '../../entities/erasure/erasure.ts';

/** A row that contains values. */
export interface FoundRow {
  table: string;
  resource_id: string;
  /** The object whose contents the row is part of. */
  object_id: string | null;
  fields: string[];
  value_indexes: number[];
}

/** The tables with columns that may contain values. */
export async function listErasableTables(tx: Tx): Promise<string[]> {
  const rows = await prepared<{ name: string }>(
    tx,
    'SELECT DISTINCT table_name AS name FROM erasable_columns() ORDER BY 1',
    [],
  );
  return rows.map(({ name }) => name);
}

/** Stores what was found; rows of an object count as the object, which is named once. */
export function insertFound(
  tx: Tx,
  { projectId, id }: Pick<Erasure, 'projectId' | 'id'>,
  found: readonly FoundRow[],
): void {
  if (found.length === 0) return;
  const merged = new Map<string, [string, string, Set<string>, Set<number>]>();
  for (const { table, resource_id, object_id, fields, value_indexes } of found) {
    const type = object_id === null ? table : 'object';
    const resourceId = object_id ?? resource_id;
    const prefix = table === type ? '' : `${table}.`;
    const entry = merged.get(`${type} ${resourceId}`) ?? [
      type,
      resourceId,
      new Set<string>(),
      new Set<number>(),
    ];
    for (const field of fields) entry[2].add(prefix + field);
    for (const index of value_indexes) entry[3].add(index);
    merged.set(`${type} ${resourceId}`, entry);
  }
  const rows = [...merged.values()].map(([type, resourceId, fields, indexes]) => [
    type,
    resourceId,
    JSON.stringify([...fields]),
    JSON.stringify([...indexes]),
  ]);
  send(
    tx,
    `INSERT INTO erasure_resource AS r
       (project_id, erasure_id, resource_type, resource_id, fields, value_indexes)
     SELECT $1, $2, f.type, f.id, ARRAY(SELECT jsonb_array_elements_text(f.fields)),
       ARRAY(SELECT jsonb_array_elements(f.indexes)::integer)
     FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::jsonb[]) AS f (type, id, fields, indexes)
     ON CONFLICT (project_id, erasure_id, resource_type, resource_id) DO UPDATE SET
       fields = ARRAY(SELECT DISTINCT unnest(r.fields || excluded.fields) ORDER BY 1),
       value_indexes = ARRAY(SELECT DISTINCT unnest(r.value_indexes || excluded.value_indexes) ORDER BY 1)`,
    [projectId, id, ...columnsOf(rows, 4)],
  );
}
