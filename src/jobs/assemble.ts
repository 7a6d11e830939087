import { inProject, prepared, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { holdBytes } from '../library/bytes/hold.ts';
import { createOutput } from '../library/objects/arrival/outputs.ts';
import { gaveUp, isLastRun, type TaskRun } from '../outbox/task-run.ts';
import type { Received, TempFile } from '../storage/storage.ts';
import { finishOperation } from './advance.ts';
import { originOf } from './load.ts';
import { type NewOutput, operationWork, type StoredPage } from './operation-work.ts';
import { refusalOf } from './refusal.ts';
import {
  customerError,
  enterStep,
  finishStep,
  type JobDeps,
  type StepPlace,
  withSource,
} from './step.ts';

const pagesPerRead = 50;

/** The last step of an operation: makes its outputs and ends it. */
export async function assembleOperation(
  deps: JobDeps,
  run: TaskRun<'operation.assemble'>,
): Promise<void> {
  const place = await enterStep(deps, run, async () => undefined);
  if (!place) return finishStep(run, async () => undefined);
  if (place.operation.pagesFailed === place.operation.pagesTotal) {
    return finishStep(run, async (tx, job, operation) =>
      finishOperation(tx, job, operation, {
        state: 'failed',
        result: null,
        error: {
          code: 'all_pages_failed',
          message: `None of the ${operation.pagesTotal} pages could be done; each page says why.`,
          retryable: true,
        },
      }),
    );
  }
  const files: TempFile[] = [];
  const newFile = async (): Promise<string> => {
    const file = await deps.storage.tempFile();
    files.push(file);
    return file.path;
  };
  try {
    await makeOutputs(deps, run, place, newFile);
  } catch (error) {
    const told = customerError(error, isLastRun(run));
    if (!told) throw error;
    await finishStep(run, (tx, job, operation) =>
      finishOperation(tx, job, operation, { state: 'failed', result: null, error: told }),
    );
  } finally {
    await Promise.all(files.map((file) => file.release()));
  }
}

/** Ends an operation whose outputs nobody could make without dying. */
export async function giveUpAssembling(run: TaskRun<'operation.assemble'>): Promise<void> {
  await finishStep(run, (tx, job, operation) =>
    finishOperation(tx, job, operation, {
      state: 'failed',
      result: null,
      error: gaveUp('The work'),
    }),
  );
}

async function makeOutputs(
  deps: JobDeps,
  run: TaskRun<'operation.assemble'>,
  place: StepPlace,
  newFile: () => Promise<string>,
): Promise<void> {
  const made = await withSource(deps, place, (source) =>
    operationWork[run.task.payload.op].assemble(
      deps.engines,
      source,
      // The options were checked against the operation's schema when the job was made.
      place.operation.options as never,
      readPages(deps, place),
      newFile,
      run.signal,
    ),
  );
  // Before the transaction, which holds them: it need not wait for storage then.
  const stored: StoredOutput[] = [];
  for (const output of made.outputs) {
    const received = await deps.storage.receiveFile(place.job.projectId, output.path);
    await received.commit();
    stored.push({ ...output, received });
  }
  await finishStep(run, async (tx, job, operation) => {
    const error = await refusalOf(tx, job);
    if (error) {
      return finishOperation(tx, job, operation, { state: 'failed', result: null, error });
    }
    for (const output of stored) await storeOutput(tx, job, operation, place, output);
    await finishOperation(tx, job, operation, {
      state: operation.pagesFailed > 0 ? 'partially_succeeded' : 'succeeded',
      result: made.result,
      error: null,
    });
  });
}

type StoredOutput = NewOutput & { received: Received };

async function storeOutput(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  place: StepPlace,
  output: StoredOutput,
): Promise<void> {
  const objectId = await createOutput(tx, originOf(job), {
    source: place.source!,
    jobId: job.id,
    suffix: output.suffix,
    mime: output.mime,
    content: await holdBytes(tx, job.projectId, output.received),
  });
  await prepared(
    tx,
    `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
     VALUES ($1, $2, $3, $4, $5)`,
    [job.projectId, job.id, operation.index, output.kind, objectId],
  );
}

/** The pages of an operation in order, some at a time, so that memory stays bounded. */
async function* readPages(deps: JobDeps, place: StepPlace): AsyncIterable<StoredPage> {
  const { projectId, jobId, index } = place.operation;
  let after = 0;
  for (;;) {
    const pages = await inProject(deps.database, projectId, (tx) =>
      prepared<StoredPage>(
        tx,
        `SELECT page, state, result, words FROM job_page
         WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND page > $4
         ORDER BY page LIMIT ${pagesPerRead}`,
        [projectId, jobId, index, after],
      ),
    );
    yield* pages;
    if (pages.length < pagesPerRead) return;
    after = pages.at(-1)!.page;
  }
}
