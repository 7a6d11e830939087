import type { JobWarning } from '@scriptorium/contracts/jobs';
import { type ReviewOptions, reviewableOperations } from '@scriptorium/contracts/operations';
import { IsNull, Not } from 'typeorm';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobOutput } from '../../entities/jobs/job-output.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import { retainBytes } from '../../library/bytes/retain.ts';
import { createOutput } from '../../library/objects/arrival/outputs.ts';
import { labelObject } from '../../library/objects/labels.ts';
import { indexChunks } from '../../library/objects/text.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { recordRedaction } from '../../policies/facts/redactions.ts';
import type { ReceivedBytes } from '../../storage/storage.ts';
import { type CertifiedOutput, certificateOf } from '../certificates/facts.ts';
import { appendWarnings, changeJob, changeOperation } from '../change.ts';
import { failureOfOperation } from '../ending/failed-pages.ts';
import { failOperation, finishOperation } from '../ending/finish-operation.ts';
import { jobOrigin } from '../load.ts';
import { operationWork } from '../operations/index.ts';
import type { Assembly, NewOutput, StepWork } from '../operations/operation.ts';
import { failFinishedPages } from '../pages/finish-pages.ts';
import type { StoredResult } from '../pages/outcome.ts';
import { replaceResults } from '../pages/store-outcomes.ts';
import { beginReview, type PreparedReview, prepareReview } from '../reviews/begin.ts';
import { readDecisions } from '../reviews/decisions.ts';
import type { Decisions } from '../reviews/findings.ts';
import { sealPage, secrecyOf } from '../sealing/page-content.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import {
  abortIfCancelled,
  enterStep,
  finishStep,
  JobCancelled,
  type JobDeps,
  pageContextOf,
  reportableFailure,
  type StepContext,
  storeStep,
} from '../steps/step.ts';
import { withWork } from '../steps/step-work.ts';
import { receiveAttachment, type StoredAttachment, storeAttachments } from './attachments.ts';

/** Runs the last step of an operation, which makes its outputs and ends it. */
export async function assembleOperation(
  deps: JobDeps,
  run: TaskRun<'operation.assemble'>,
): Promise<void> {
  let leftOutCount = 0;
  let decisions: Decisions | null = null;
  const stepContext = await enterStep(run, async (tx, _job, operation) => {
    leftOutCount = await countLeftOut(tx, operation);
    decisions = await readDecisions(tx, deps, operation);
  });
  const context = stepContext && { ...stepContext, decisions };
  if (!context) return finishStep(run, async () => undefined);
  const { pagesFailed, pagesTotal } = context.operation;
  if (pagesFailed + leftOutCount === pagesTotal) {
    return finishStep(run, failForPages);
  }
  try {
    await abortIfCancelled(deps, run, (signal) =>
      withWork(deps, context, signal, async (work) => {
        const review = await prepareRequiredReview(deps, context, work);
        if (review) {
          return storeStep(run, context, (tx, job, operation, purged) =>
            purged
              ? failOperation(tx, job, operation, purged)
              : beginReview(tx, job, operation, review),
          );
        }
        const assembly = withReview(
          await operationWork[run.task.payload.op].assemble(work),
          context.decisions,
        );
        // Before the transaction, so that the transaction does not wait for storage.
        const storedOutputs: ReceivedOutput[] = [];
        for (const output of assembly.outputs) {
          const received = await deps.storage.receiveFile(context.job.projectId, output.path);
          await received.commit();
          storedOutputs.push({ ...output, received });
        }
        const attachments: StoredAttachment[] = [];
        for (const file of assembly.attachments ?? []) {
          attachments.push(await receiveAttachment(deps, context.job.projectId, file));
        }
        const secrecy = secrecyOf(context.operations, context.operation.index);
        const sealedPages = (assembly.pages ?? []).map((page) => ({
          ...page,
          ...sealPage(deps, pageContextOf(context, page.page), page, secrecy),
        }));
        const engines = deps.engines.versions();
        const ending = {
          context,
          leftOutCount,
          assembly,
          outputs: storedOutputs,
          attachments,
          pages: sealedPages,
          engines,
        };
        await storeStep(run, context, (tx, job, operation, purged) =>
          purged
            ? failOperation(tx, job, operation, purged)
            : endOperation(tx, job, operation, ending),
        );
      }),
    );
  } catch (error) {
    if (error instanceof JobCancelled) return finishStep(run, async () => undefined);
    const failure = reportableFailure(error, isLastRun(run));
    if (!failure) throw error;
    await finishStep(run, (tx, job, operation) => failOperation(tx, job, operation, failure));
  }
}

/**
 * Prepares the review that an operation must wait for before it makes its outputs. Null if its
 * options require none, one was submitted, or there are no findings to decide.
 */
async function prepareRequiredReview(
  deps: JobDeps,
  { job, operation, decisions }: StepContext,
  work: StepWork<never>,
): Promise<PreparedReview | null> {
  const op = reviewableOperations.find((name) => name === operation.op);
  const options: ReviewOptions = work.options;
  if (!op || decisions || (options.review ?? 'none') === 'none') return null;
  const found = await operationWork[op].detect(work);
  const { projectId, sourceObjectId } = job;
  return prepareReview(deps, { projectId, sourceObjectId, op }, options, found);
}

/** Adds the reviewers and their decisions to the result. */
function withReview(assembly: Assembly, decisions: Decisions | null): Assembly {
  if (!decisions) return assembly;
  const { by, at, accepted, rejected, added } = decisions;
  const reviewed = {
    by: by.map(({ type, id, name }) => ({ type, id, name: name ?? null })),
    at: at.toISOString(),
    accepted,
    rejected,
    added,
  };
  return { ...assembly, result: { ...assembly.result, reviewed } };
}

/** Ends an operation without a successful page. */
async function failForPages(tx: Tx, job: Job, operation: JobOperation): Promise<void> {
  await failOperation(tx, job, operation, await failureOfOperation(tx, operation));
}

/** Ends an operation whose workers all died while making its outputs. */
export async function giveUpAssembling(run: TaskRun<'operation.assemble'>): Promise<void> {
  await finishStep(run, (tx, job, operation) =>
    failOperation(tx, job, operation, gaveUpFailure('The work')),
  );
}

/** Counts the pages that were skipped because they failed in an earlier operation. */
async function countLeftOut(tx: Tx, operation: JobOperation): Promise<number> {
  return tx.countBy(JobPage, {
    projectId: operation.projectId,
    jobId: operation.jobId,
    operationIndex: operation.index,
    state: 'skipped',
    error: Not(IsNull()),
  });
}

interface ReceivedOutput extends NewOutput {
  received: ReceivedBytes;
}

/** What is stored at the end of an operation. */
interface Ending {
  context: StepContext;
  leftOutCount: number;
  assembly: Assembly;
  outputs: ReceivedOutput[];
  attachments: StoredAttachment[];
  pages: StoredResult[];
  /** The versions of the engines. */
  engines: Readonly<Record<string, string>>;
}

/** Stores the outputs of an operation and ends it. Fails it if a policy now denies the job. */
async function endOperation(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  { context, leftOutCount, assembly, outputs, attachments, pages, engines }: Ending,
): Promise<void> {
  const error = await processingDenial(tx, job);
  if (error) return failOperation(tx, job, operation, error);
  addWarnings(tx, job, assembly.warnings ?? []);
  await replaceResults(tx, operation, pages);
  await failFinishedPages(tx, job, operation, assembly.failedPages ?? []);
  const missingPages = operation.pagesFailed + leftOutCount;
  if (missingPages === operation.pagesTotal) return failForPages(tx, job, operation);
  if (assembly.labels) {
    await labelObject(tx, jobOrigin(job), job.sourceObjectId, {
      labels: assembly.labels.all,
      counts:
        assembly.labels.areReliable &&
        job.pages === null &&
        missingPages === 0 &&
        context.input?.id === job.sourceObjectId,
    });
  }
  if (assembly.chunks) {
    const isRedacted = context.input?.id !== job.sourceObjectId;
    indexChunks(tx, job, isRedacted, assembly.chunks);
  }
  const certifiedOutputs: CertifiedOutput[] = [];
  for (const output of outputs) {
    certifiedOutputs.push(await storeOutput(tx, job, operation, context, output));
  }
  const certificate = await certificateOf(tx, context, assembly, certifiedOutputs, engines);
  if (certificate) changeOperation(tx, operation, { certificate });
  addWarnings(tx, job, await storeAttachments(tx, job, operation, context.input!, attachments));
  await finishOperation(tx, job, operation, {
    state: missingPages > 0 ? 'partially_succeeded' : 'succeeded',
    result: assembly.result,
    error: await failureOfOperation(tx, operation),
  });
}

function addWarnings(tx: Tx, job: Job, warnings: readonly JobWarning[]): void {
  if (warnings.length === 0) return;
  changeJob(tx, job, { warnings: appendWarnings }, { warnings: JSON.stringify(warnings) });
}

async function storeOutput(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  context: StepContext,
  output: ReceivedOutput,
): Promise<CertifiedOutput> {
  const objectId = await createOutput(tx, jobOrigin(job), {
    source: context.input!,
    sourceFilename: output.namedAfter,
    jobId: job.id,
    suffix: output.suffix,
    mime: output.mime,
    content: await retainBytes(tx, job.projectId, output.received),
  });
  sendInsert(tx, JobOutput, {
    projectId: job.projectId,
    jobId: job.id,
    operationIndex: operation.index,
    kind: output.kind,
    objectId,
  });
  if (output.verifiedRedaction) {
    recordRedaction(tx, job.projectId, {
      objectId,
      sourceObjectId: job.sourceObjectId,
      entities: output.verifiedRedaction.entities,
      allPages: operation.pagesTotal === context.source!.pages,
      rejected: context.decisions?.rejectedTypes ?? [],
      reviewed: (context.decisions ?? null) !== null,
      fourEyes: context.decisions?.fourEyes ?? false,
    });
  }
  const { kind, mime, received } = output;
  return { object_id: objectId, kind, mime, bytes: received.bytes, sha256: received.sha256 };
}
