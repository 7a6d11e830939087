import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationName } from '../../src/contracts/operations.ts';
import type { SourceMime } from '../../src/contracts/sources.ts';
import { EngineError, type Engines } from '../../src/engines/index.ts';
import { OperationFailed } from '../../src/jobs/operation-failed.ts';
import {
  type OperationWork,
  operationWork,
  type StepWork,
  type StoredPage,
} from '../../src/jobs/operation-work.ts';
import { completeOptions } from '../../src/jobs/options.ts';

/** What an operation came to. */
export type Outcome = {
  pages: number;
  /** Pages that failed, and why. */
  failed: { page: number; code: string; message: string }[];
  /** Why the whole operation failed; null where it has a result. */
  error: { code: string; message: string } | null;
  /** What the operation tells, and how large what it made is. */
  result: Record<string, unknown> | null;
  outputs: string[];
};

/**
 * A source whose operations are worked off one after the other with the very steps that workers take,
 * with their options' defaults and without a database.
 */
export function openSteps(
  engines: Engines,
  source: { path: string; mime: SourceMime },
  folder: string,
): (op: OperationName) => Promise<Outcome> {
  const stored = new Map<OperationName, StoredPage[]>();
  let files = 0;
  const optionsOf = (op: OperationName) => completeOptions(op, undefined) as never;
  /** Each operation is in a job with `ocr` alone, as if the others had not been asked for. */
  const inJob = (op: OperationName, other: OperationName) => other === op || other === 'ocr';
  const work = (op: OperationName): StepWork<never> => ({
    engines,
    source: { ...source, filename: 'corpus.pdf', sha256: '', projectId: 'corpus', redacted: false },
    options: optionsOf(op),
    makesOutputs: true,
    optionsOf: (other) => (inJob(op, other) ? optionsOf(other) : null),
    signal: new AbortController().signal,
    async *pages(other, range = { from: 1, to: Number.POSITIVE_INFINITY }) {
      const pages = (inJob(op, other) && stored.get(other)) || [];
      yield* pages.filter(({ page }) => page >= range.from && page <= range.to);
    },
    // All pages are read, so a redaction holds them all.
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

/** A failure in words for the customer; another is a fault of ours and goes on. */
function failureOf(error: unknown): { code: string; message: string; retryable: boolean } {
  if (error instanceof OperationFailed) return error.failure;
  if (!(error instanceof EngineError)) throw error;
  return { code: error.code, message: error.message, retryable: error.retryable };
}

/** A page as the database would keep it; one that failed keeps nothing. */
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
