import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { OperationName } from '@scriptorium/contracts/operations';
import { EngineError, type Engines } from '@scriptorium/documents';
import { completeOptions } from '../../../src/jobs/creating/check.ts';
import { operationWork } from '../../../src/jobs/operations/index.ts';
import type {
  OperationWork,
  StepWork,
  StoredPage,
} from '../../../src/jobs/operations/operation.ts';
import { OperationFailed } from '../../../src/jobs/operations/operation-failed.ts';

/** The outcome of an operation. */
export type Outcome = {
  pages: number;
  /** The failed pages, with their errors. */
  failed: { page: number; code: string; message: string }[];
  /** Why the whole operation failed; null if it has a result. */
  error: { code: string; message: string } | null;
  /** The result of the operation, and the size of its outputs. */
  result: Record<string, unknown> | null;
  outputs: string[];
};

/**
 * Runs the operations of a source in order, with the same steps as in workers, default options, and no
 * database.
 */
export function openSteps(
  engines: Engines,
  source: { path: string; mime: SourceMime },
  folder: string,
): (op: OperationName) => Promise<Outcome> {
  const stored = new Map<OperationName, StoredPage[]>();
  let files = 0;
  const optionsOf = (op: OperationName) => completeOptions(op, undefined) as never;
  /** Each operation runs as in a job with only `ocr` before it. */
  const isInJob = (op: OperationName, other: OperationName) => other === op || other === 'ocr';
  const work = (op: OperationName): StepWork<never> => ({
    engines,
    source: { ...source, filename: 'corpus.pdf', sha256: '', projectId: 'corpus', redacted: false },
    options: optionsOf(op),
    decisions: null,
    permittedRecogniser: async () => null,
    makesOutputs: true,
    optionsOf: (other) => (isInJob(op, other) ? optionsOf(other) : null),
    signal: new AbortController().signal,
    async *pages(other, range = { from: 1, to: Number.POSITIVE_INFINITY }) {
      const pages = (isInJob(op, other) && stored.get(other)) || [];
      yield* pages.filter(({ page }) => page >= range.from && page <= range.to);
    },
    // All pages have been read, so a redaction covers all of them.
    pageInSource: async (page) => page,
    newFile: async () => join(folder, String(files++)),
  });
  return async (op) => {
    await mkdir(folder, { recursive: true });
    const steps = operationWork[op] as OperationWork<never>;
    const outcome: Outcome = { pages: 0, failed: [], error: null, result: null, outputs: [] };
    const pages: StoredPage[] = [];
    try {
      const opened = await steps.open(work(op));
      outcome.pages = opened.pages;
      stored.set(op, pages);
      for (let page = 1; page <= opened.pages; page += 1) {
        const done = await pageOf(steps, work(op), page);
        pages.push(done);
        if (done.error) outcome.failed.push({ page, ...done.error });
      }
      const assembled = await steps.assemble(work(op));
      outcome.result = assembled.result;
      outcome.outputs = assembled.outputs.map(({ path }) => path);
      for (const { page, error } of assembled.failedPages ?? []) {
        outcome.failed.push({ page, ...error });
      }
    } catch (error) {
      outcome.error = failureOf(error);
    }
    return outcome;
  };
}

/** The error to report to customers. Internal errors are rethrown. */
function failureOf(error: unknown): { code: string; message: string; retryable: boolean } {
  if (error instanceof OperationFailed) return error.failure;
  if (!(error instanceof EngineError)) throw error;
  return { code: error.code, message: error.message, retryable: error.retryable };
}

/** A page as stored in the database; failed pages have no results. */
async function pageOf(
  steps: OperationWork<never>,
  work: StepWork<never>,
  page: number,
): Promise<StoredPage> {
  try {
    const done = await steps.page(work, page);
    const words = 'words' in done ? (done.words ?? null) : null;
    const result = 'result' in done ? (done.result ?? null) : null;
    return { page, state: done.state, error: null, result, words };
  } catch (error) {
    return { page, state: 'failed', error: failureOf(error), result: null, words: null };
  }
}
