import type { Database } from '../../../../src/db/database.ts';
import { inProject, query } from '../../../../src/db/transaction.ts';
import { inventVocabulary } from '../library/seed.ts';

/** How many objects one statement inserts. */
const objectsPerInsert = 2_000;

/**
 * Fills a project's library with objects over three years, with skewed words, tags and types: half are
 * derived from an earlier one, two in a hundred are in the trash. Triggers keep the index and the counters.
 * @param count a multiple of 2,000
 */
export async function fillObjects(
  database: Database,
  projectId: string,
  count: number,
): Promise<void> {
  const { words, tags } = inventVocabulary();
  const pick = (list: string, length: number, seed: string): string =>
    `${list}[floor(power(${length}, (hashint4extended(n, ${seed}) & 1048575) / 1048576.0))::integer]`;
  const word = (seed: number): string => pick('($2::text[])', words.length, String(seed));
  const id = (n: string): string => `'obj_' || lpad((${n})::text, 26, '0')`;
  for (let from = 0; from < count; from += objectsPerInsert) {
    await inProject(database, projectId, (tx) =>
      query(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, tags, metadata, derived_from,
           source_kind, trashed_at, created_at, updated_at)
         SELECT ${id('n')}, $1, CASE WHEN n % 50 = 0 THEN 'trashed' ELSE 'available' END,
           ${word(1)} || ' ' || ${word(2)} || ' ' || n || '.pdf',
           (ARRAY['application/pdf', 'application/pdf', 'text/plain', 'text/markdown', 'application/rtf'])[1 + n % 5],
           n % 100000, md5(n::text), ARRAY(SELECT DISTINCT ${pick('($3::text[])', tags.length, 'seed')}
             FROM generate_series(10, 10 + n % 4) AS seed),
           jsonb_build_object('title', ${word(3)} || ' ' || ${word(4)} || ' ' || ${word(5)}),
           CASE WHEN n % 2 = 0 AND n > 2 THEN ${id('n / 2')} END, 'upload',
           CASE WHEN n % 50 = 0 THEN now() END, at, at
         FROM generate_series($4::integer + 1, $4::integer + ${objectsPerInsert}) AS n,
           LATERAL (SELECT now() - ($5::integer - n) * interval '1095 days' / $5::integer AS at) AS time`,
        [projectId, words, tags, from, count],
      ),
    );
  }
}
