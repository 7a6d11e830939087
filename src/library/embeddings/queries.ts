import type { EmbeddedTexts } from '@scriptorium/contracts/embeddings';
import { planByIndex } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { loadPolicies } from '../../policies/queries.ts';
import type { ObjectSearch } from '../objects/conditions.ts';
import { readableJoin } from '../passages/queries.ts';
import { readableSql, readsEverything } from '../search/queries.ts';
import { signsOf, toBytes } from './quantise.ts';

/** A passage without a vector. */
export interface PlainPassage {
  objectId: string;
  redacted: boolean;
  page: number;
  position: number;
  headings: string[];
  text: string;
  /** Detects that the text has changed before its vector is stored. */
  digest: string;
}

/** The passages that may be embedded in a project. */
export interface EmbeddedScope {
  projectId: string;
  texts: EmbeddedTexts;
}

const digestSql = (passage: string): string =>
  `md5(array_to_string(${passage}.headings, chr(10)) || chr(10) || ${passage}.text)`;

/** The passages of an object, or of the objects from one on, that have no vector and may get one. */
export async function findPlainPassages(
  tx: Tx,
  scope: EmbeddedScope,
  { objectId, after = '' }: { objectId?: string | undefined; after?: string | undefined },
  limit: number,
): Promise<PlainPassage[]> {
  planByIndex(tx);
  const values: unknown[] = [scope.projectId, objectId ?? after];
  const restriction = await embeddableJoin(tx, scope, values);
  return query<PlainPassage>(
    tx,
    `SELECT found.object_id AS "objectId", found.redacted, found.page, found.position, found.headings,
       found.text, ${digestSql('found')} AS digest
     FROM (
       SELECT * FROM passage p WHERE p.project_id = $1 AND p.object_id ${objectId ? '=' : '>='} $2
         AND NOT EXISTS (SELECT FROM passage_embedding e
           WHERE e.project_id = $1 AND e.object_id = p.object_id AND e.redacted = p.redacted
             AND e.page = p.page AND e.position = p.position)
       ORDER BY p.object_id, p.redacted, p.page, p.position OFFSET 0) found
     ${restriction} LIMIT ${Math.trunc(limit)}`,
    values,
  );
}

/**
 * Stores vectors of passages, except those that have changed or may no longer be embedded. Null for
 * texts that the endpoint rejected.
 */
export async function storeVectors(
  tx: Tx,
  scope: EmbeddedScope,
  passages: readonly PlainPassage[],
  vectors: readonly (readonly number[] | null)[],
): Promise<void> {
  planByIndex(tx);
  const values: unknown[] = [
    scope.projectId,
    passages.map(({ objectId }) => objectId),
    passages.map(({ redacted }) => redacted),
    passages.map(({ page }) => page),
    passages.map(({ position }) => position),
    passages.map(({ digest }) => digest),
    vectors.map((vector) => vector && signsOf(vector)),
    vectors.map((vector) => vector && toBytes(vector)),
  ];
  const restriction = await embeddableJoin(tx, scope, values);
  await query(
    tx,
    `INSERT INTO passage_embedding (project_id, object_id, redacted, page, position, bits, vector)
     SELECT found.project_id, found.object_id, found.redacted, found.page, found.position,
       found.signs::bit varying, found.bytes
     FROM (
       SELECT p.*, g.signs, g.bytes
       FROM unnest($2::text[], $3::boolean[], $4::integer[], $5::integer[], $6::text[], $7::text[],
         $8::bytea[]) AS g (object_id, redacted, page, position, digest, signs, bytes)
       JOIN passage p ON p.project_id = $1 AND p.object_id = g.object_id AND p.redacted = g.redacted
         AND p.page = g.page AND p.position = g.position AND ${digestSql('p')} = g.digest
       OFFSET 0) found
     ${restriction}
     ON CONFLICT DO NOTHING`,
    values,
  );
}

/** Removes the vectors of passages that may no longer be embedded. */
export async function removeWithheldVectors(tx: Tx, scope: EmbeddedScope): Promise<void> {
  const { projectId, texts } = scope;
  if (texts === 'all') return;
  if (texts === 'none') {
    await query(tx, 'DELETE FROM passage_embedding WHERE project_id = $1', [projectId]);
    return;
  }
  const values: unknown[] = [projectId];
  const readable = readableSql(await searchOf(tx, projectId), (value) => `$${values.push(value)}`);
  // Without a restriction, only redactions of pages with another text are left out, and never shown.
  if (readable === readsEverything) return;
  const isWithheld =
    texts === 'redacted'
      ? `own.readable = 'none' OR own.readable = 'redacted' AND NOT e.redacted`
      : `own.readable <> 'all'`;
  await query(
    tx,
    `WITH own AS MATERIALIZED (
       SELECT id, ${readable} AS readable FROM object JOIN object_search USING (id)
       WHERE project_id = $1
         AND id IN (SELECT DISTINCT object_id FROM passage_embedding WHERE project_id = $1))
     DELETE FROM passage_embedding e USING own
     WHERE e.project_id = $1 AND e.object_id = own.id AND (${isWithheld})`,
    values,
  );
}

/** Restricts the passages `found` to those that may be embedded, as the end of a statement. */
async function embeddableJoin(
  tx: Tx,
  { projectId, texts }: EmbeddedScope,
  values: unknown[],
): Promise<string> {
  if (texts === 'none') return 'WHERE false';
  if (texts === 'all') return 'WHERE true';
  return readableJoin(await searchOf(tx, projectId), values, texts === 'redacted');
}

/**
 * A search by no one in particular: a policy about addresses or times protects its documents, too,
 * because it denies a reader without an address or time.
 */
async function searchOf(tx: Tx, projectId: string): Promise<ObjectSearch> {
  return {
    caller: { projectId, address: null, readsImages: false },
    filters: {},
    policies: await loadPolicies(tx, projectId, 'read'),
    at: null,
  };
}
