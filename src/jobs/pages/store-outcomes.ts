import type { Failure } from '@scriptorium/contracts/wire/common';
import { columnsOf } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import type { StoredOutcome, StoredResult } from './outcome.ts';

/** Stores the outcomes of pages that have none yet, in batches. */
export async function storeOutcomes(
  tx: Tx,
  operation: JobOperation,
  outcomes: readonly StoredOutcome[],
): Promise<void> {
  for (const portion of portions(outcomes)) {
    const storedRows = await prepared<{ page: number }>(
      tx,
      `UPDATE job_page p SET state = o.state, error = o.error, result = o.result, text = o.text,
         words = o.words, sealed = o.sealed, finished_at = now()
       FROM unnest($4::integer[], $5::text[], $6::jsonb[], $7::jsonb[], $8::text[], $9::bytea[],
         $10::boolean[]) AS o (page, state, error, result, text, words, sealed)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = o.page AND p.state IN ('pending', 'running') RETURNING p.page`,
      [...keyOf(operation), ...columnsOf(portion.map(outcomeRow), 7)],
    );
    const storedPages = new Set(storedRows.map(({ page }) => page));
    const missing = portion.find(({ page }) => !storedPages.has(page));
    if (missing) throw new Error(`Page ${missing.page} of ${operation.jobId} was stored already.`);
  }
}

/** Replaces the stored results of pages. */
export async function replaceResults(
  tx: Tx,
  operation: JobOperation,
  pages: readonly StoredResult[],
): Promise<void> {
  for (const portion of portions(pages)) {
    await prepared(
      tx,
      `UPDATE job_page p SET result = r.result, text = r.text, words = r.words, sealed = r.sealed
       FROM unnest($4::integer[], $5::jsonb[], $6::text[], $7::bytea[], $8::boolean[])
         AS r (page, result, text, words, sealed)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = r.page`,
      [
        ...keyOf(operation),
        ...columnsOf(
          portion.map(({ page, result, text, words, sealed }) => [
            page,
            JSON.stringify(result),
            text,
            words,
            sealed,
          ]),
          5,
        ),
      ],
    );
  }
}

/** Replaces the stored results of pages with their errors. */
export async function storeFailures(
  tx: Tx,
  operation: JobOperation,
  failures: readonly { page: number; error: Failure }[],
): Promise<void> {
  for (const portion of portions(failures)) {
    await prepared(
      tx,
      `UPDATE job_page p SET state = 'failed', error = f.error, result = NULL, text = NULL,
         words = NULL, sealed = false
       FROM unnest($4::integer[], $5::jsonb[]) AS f (page, error)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = f.page`,
      [
        ...keyOf(operation),
        ...columnsOf(
          portion.map(({ page, error }) => [page, JSON.stringify(error)]),
          2,
        ),
      ],
    );
  }
}

/** The columns of an outcome: page, state, error, result, text, words, sealed. */
function outcomeRow(outcome: StoredOutcome) {
  const { page, state } = outcome;
  if (outcome.state === 'failed') {
    return [page, state, JSON.stringify(outcome.error), null, null, null, false];
  }
  const { result, text, words, sealed } = outcome;
  return [page, state, null, JSON.stringify(result), text, words, sealed];
}

function keyOf({ projectId, jobId, index }: JobOperation): [string, string, number] {
  return [projectId, jobId, index];
}

/** The text and words of a batch take a few megabytes. */
const pagesPerStatement = 64;

function* portions<T>(pages: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < pages.length; from += pagesPerStatement) {
    yield pages.slice(from, from + pagesPerStatement);
  }
}
