import { query, send, type Tx } from '../../db/transaction.ts';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';
import { type RankedPassage, readableJoin } from '../passages/queries.ts';
import type { PassageQuery } from '../passages/terms.ts';
import { cosine, signsOf } from './quantise.ts';

/**
 * The numbers of nearest passages by signs that are checked against policies and filters: more if too
 * few of the first ones may be shown.
 */
const poolSizes = [1_000, 10_000];
/** The maximum number of passages that are compared by their bytes. */
const maxCompared = 1_000;

/** A question as a vector of a model. */
export interface QueryVector {
  model: string;
  vector: readonly number[];
}

/**
 * The passages whose meaning is nearest to a question, by the cosine of their vectors. All vectors of
 * the project are compared by their signs, and the nearest of these by their bytes.
 */
export async function rankNearest(
  tx: Tx,
  search: ObjectSearch,
  { required }: PassageQuery,
  wanted: QueryVector,
  limit: number,
): Promise<RankedPassage[]> {
  // The signs are in the index of the key, which is smaller than the table.
  send(
    tx,
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true)`,
    [],
  );
  let found: FoundVector[] = [];
  for (const poolSize of poolSizes) {
    found = await findNearest(tx, search, required, wanted, poolSize);
    if (found.length >= limit) break;
  }
  return found
    .map(({ vector, ...passage }) => ({
      ...passage,
      score: Math.max(0, cosine(wanted.vector, vector)),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

interface FoundVector extends Omit<RankedPassage, 'score'> {
  vector: Buffer;
}

async function findNearest(
  tx: Tx,
  search: ObjectSearch,
  required: readonly string[],
  { model, vector }: QueryVector,
  poolSize: number,
): Promise<FoundVector[]> {
  const values: unknown[] = [search.caller.projectId, model, signsOf(vector)];
  const filters = { ...search.filters, q: undefined };
  const matches = matchingObjectsSql({ ...search, filters }, values);
  const conditions = required.map(
    (text) => `AND p.vector @@ to_tsquery('library', $${values.push(text)})`,
  );
  return query<FoundVector>(
    tx,
    `SELECT found.object_id AS "objectId", found.redacted, found.page, found.position, found.bytes AS vector
     FROM (
       SELECT p.object_id, p.redacted, p.page, p.position, p.free_of, e.vector AS bytes,
         near.distance
       FROM (
         SELECT object_id, redacted, page, position, bit_count(bits # $3::bit varying) AS distance
         FROM passage_embedding
         WHERE project_id = $1 AND bits IS NOT NULL ${isNarrow(search) ? `AND object_id IN (SELECT id FROM ${matches})` : ''}
           AND EXISTS (SELECT FROM project_embedding WHERE project_id = $1 AND model = $2)
         ORDER BY distance LIMIT ${Math.trunc(poolSize)}) near
       JOIN passage p ON p.project_id = $1 AND p.object_id = near.object_id
         AND p.redacted = near.redacted AND p.page = near.page AND p.position = near.position
       JOIN passage_embedding e ON e.project_id = $1 AND e.object_id = p.object_id
         AND e.redacted = p.redacted AND e.page = p.page AND e.position = p.position
       WHERE true ${conditions.join(' ')} OFFSET 0) found
     CROSS JOIN LATERAL (SELECT id FROM ${matches} AND id = found.object_id OFFSET 0) matching
     ${readableJoin(search, values)}
     ORDER BY found.distance LIMIT ${maxCompared}`,
    values,
  );
}

/** Whether the search has filters besides the words. */
function isNarrow({ filters: { q: _, ...filters } }: ObjectSearch): boolean {
  return Object.values(filters).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
}
