import { type SourceMime, sourceMimes } from '@scriptorium/contracts/documents/sources';
import type { OperationName } from '@scriptorium/contracts/operations';
import { Between, LessThanOrEqual } from 'typeorm';
import { inProject } from '../../db/transaction.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import type { TempFile } from '../../storage/storage.ts';
import { redactionBefore } from '../load.ts';
import type { StepWork, StoredPage } from '../operations/operation.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import type { PageRange } from '../pages/page-ranges.ts';
import { permittedRecogniser } from '../recogniser/permission.ts';
import { openPage } from '../sealing/page-content.ts';
import { openOptions } from '../sealing/secret-options.ts';
import { type JobDeps, pageContextOf, type StepContext, sourceUnavailable } from './step.ts';

const pagesPerRead = 50;
const pageColumns = { page: true, state: true, error: true, result: true } as const;

/** Provides the input of an operation's step while `use` runs. */
export async function withWork<T>(
  deps: JobDeps,
  context: StepContext,
  signal: AbortSignal,
  use: (work: StepWork<never>) => Promise<T>,
): Promise<T> {
  const { source, mime } = requireSource(context);
  const { projectId, sha256 } = source;
  const file = await deps.storage.localPath(projectId, sha256);
  const files: TempFile[] = [];
  try {
    return await use({
      engines: deps.engines,
      source: {
        path: file.path,
        filename: source.filename,
        mime,
        sha256,
        projectId,
        redacted: source.id !== context.job.sourceObjectId,
      },
      // The options were validated against the operation's schema when the job was created.
      options: openOptions(deps, context.job, context.operation) as never,
      optionsOf: (op) => {
        const other = context.operations.find((candidate) => candidate.op === op);
        return (other ? openOptions(deps, context.job, other) : null) as never;
      },
      makesOutputs: makesOutputs(context),
      decisions: context.decisions ?? null,
      signal,
      permittedRecogniser: () => permittedRecogniser(deps, context.job),
      pages: (op, range) => readPages(deps, context, op, range),
      pageInSource: (page) => pageInSource(deps, context, page),
      newFile: async () => {
        const tempFile = await deps.storage.tempFile();
        files.push(tempFile);
        return tempFile.path;
      },
    });
  } finally {
    await Promise.all([file, ...files].map((each) => each.release()));
  }
}

/**
 * Whether an operation makes outputs. Implicit operations do not, and operations before a redaction
 * only with `keep_unredacted`.
 */
function makesOutputs({ operation, operations }: StepContext): boolean {
  if (operation.implicit) return false;
  const redaction = operations.find(({ op }) => op === 'redact_pii');
  if (!redaction || redaction.index <= operation.index) return true;
  return redaction.options.keep_unredacted === true;
}

/**
 * The number of a page in the file that the operation reads: a redacted output contains only the
 * job's pages.
 */
async function pageInSource(
  deps: JobDeps,
  { operation, operations }: StepContext,
  page: number,
): Promise<number> {
  const redaction = redactionBefore(operations, operation.index);
  if (!redaction) return page;
  const { projectId, jobId, index } = redaction;
  const precedingPages = { projectId, jobId, operationIndex: index, page: LessThanOrEqual(page) };
  return inProject(deps.database, projectId, (tx) => tx.countBy(JobPage, precedingPages));
}

/**
 * The file that an operation reads.
 * @throws OperationFailed when it is no longer available
 */
export function requireSource({ input }: StepContext): {
  source: StoredObject;
  mime: SourceMime;
} {
  const mime = sourceMimes.find((known) => known === input?.mime);
  if (input && mime && input.state === 'available') return { source: input, mime };
  throw new OperationFailed(sourceUnavailable);
}

/** The pages of an operation in order, read in batches to bound memory. */
async function* readPages(
  deps: JobDeps,
  context: StepContext,
  op: OperationName,
  range: PageRange = { from: 1, to: 2 ** 31 - 1 },
): AsyncIterable<StoredPage> {
  const operation: JobOperation | undefined = context.operations.find(
    (candidate) => candidate.op === op,
  );
  if (!operation) return;
  const { projectId, jobId, index } = operation;
  let after = range.from - 1;
  for (;;) {
    const pages = await inProject(deps.database, projectId, (tx) =>
      tx.find(JobPage, {
        select: { ...pageColumns, text: true, words: true, sealed: true },
        where: { projectId, jobId, operationIndex: index, page: Between(after + 1, range.to) },
        order: { page: 'ASC' },
        take: pagesPerRead,
      }),
    );
    for (const { page, state, error, result, ...content } of pages) {
      const { words } = openPage(deps, pageContextOf(context, page, op), content);
      yield { page, state, error, result, words };
    }
    if (pages.length < pagesPerRead) return;
    after = pages.at(-1)!.page;
  }
}
