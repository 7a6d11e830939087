import type { OperationName } from '@scriptorium/contracts/operations';
import { prepared } from '../../db/transaction.ts';
import { openFinding } from '../../jobs/reviews/findings.ts';
import { openPage, type PageSeal } from '../../jobs/sealing/page-content.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { type ValuePatterns, valuesIn } from './patterns.ts';
import type { FoundRow } from './queries.ts';

/** The number of sealed rows that one query reads. */
const batchSize = 200;

type Store = (found: readonly FoundRow[]) => Promise<void>;

/**
 * Searches what is stored sealed: the findings of reviews, and pages of jobs. The texts of reviews are
 * those of their source, which is searched anyway.
 */
export async function findInSealed(
  seal: PageSeal,
  run: TaskRun<'erasure.search'>,
  patterns: ValuePatterns,
  store: Store,
): Promise<void> {
  await findInFindings(seal, run, patterns, store);
  await findInPages(seal, run, patterns, store);
}

interface SealedFinding {
  id: string;
  object_id: string;
  content: string;
}

async function findInFindings(
  seal: PageSeal,
  { task: { projectId }, inProject, signal }: TaskRun<'erasure.search'>,
  patterns: ValuePatterns,
  store: Store,
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const position = after;
    const rows = await inProject((tx) =>
      prepared<SealedFinding>(
        tx,
        `SELECT f.id, r.source_object_id AS object_id, f.content FROM finding f
         JOIN review r ON r.project_id = $1 AND r.id = f.review_id
         WHERE f.project_id = $1 AND f.id > $2 ORDER BY f.id LIMIT ${batchSize}`,
        [projectId, position],
      ),
    );
    const found = rows.flatMap((row): FoundRow[] => {
      const context = { projectId, sourceObjectId: row.object_id };
      const { text, parts = [] } = openFinding(seal, context, row.id, row.content);
      return foundIn(patterns, [text, ...parts], row.object_id, 'finding');
    });
    await store(found);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}

interface SealedPage {
  job_id: string;
  operation_index: number;
  page: number;
  op: OperationName;
  object_id: string;
  text: string | null;
  words: Buffer;
}

async function findInPages(
  seal: PageSeal,
  { task: { projectId }, inProject, signal }: TaskRun<'erasure.search'>,
  patterns: ValuePatterns,
  store: Store,
): Promise<void> {
  for (let after: (string | number)[] = ['', 0, 0]; ; ) {
    signal.throwIfAborted();
    const position = after;
    const rows = await inProject((tx) =>
      prepared<SealedPage>(
        tx,
        `SELECT p.job_id, p.operation_index, p.page, o.op, j.source_object_id AS object_id, p.text, p.words
         FROM job_page p JOIN job j ON j.project_id = $1 AND j.id = p.job_id
         JOIN job_operation o ON o.project_id = $1 AND o.job_id = p.job_id AND o.index = p.operation_index
         WHERE p.project_id = $1 AND (p.job_id, p.operation_index, p.page) > ($2, $3, $4)
           AND p.sealed AND p.words IS NOT NULL
         ORDER BY p.job_id, p.operation_index, p.page LIMIT ${batchSize}`,
        [projectId, ...position],
      ),
    );
    const found = rows.flatMap((row): FoundRow[] => {
      const context = { projectId, sourceObjectId: row.object_id, op: row.op, page: row.page };
      const { text, words } = openPage(seal, context, {
        text: row.text,
        words: row.words,
        sealed: true,
      });
      return foundIn(patterns, [text, words?.toString('utf8') ?? null], row.object_id, 'job_page');
    });
    await store(found);
    if (rows.length < batchSize) return;
    const { job_id, operation_index, page } = rows.at(-1)!;
    after = [job_id, operation_index, page];
  }
}

function foundIn(
  patterns: ValuePatterns,
  texts: readonly (string | null)[],
  objectId: string,
  table: string,
): FoundRow[] {
  const indexes = new Set(texts.flatMap((text) => (text === null ? [] : valuesIn(patterns, text))));
  if (indexes.size === 0) return [];
  return [
    {
      table,
      resource_id: objectId,
      object_id: objectId,
      fields: ['sealed'],
      value_indexes: [...indexes],
    },
  ];
}
