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
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { stateRedaction } from '../../policies/facts/redactions.ts';
import type { Received } from '../../storage/storage.ts';
import { type CertifiedOutput, certificateOf } from '../certificates/facts.ts';
import { appended, changeJob, changeOperation } from '../change.ts';
import { failureOfOperation } from '../ending/failed-pages.ts';
import { failOperation, finishOperation } from '../ending/finish-operation.ts';
import { jobOrigin } from '../load.ts';
import { operationWork } from '../operations/index.ts';
import type { Assembly, NewOutput, StepWork } from '../operations/operation.ts';
import { failDonePages } from '../pages/finish-pages.ts';
import type { StoredResult } from '../pages/outcome.ts';
import { replaceResults } from '../pages/store-outcomes.ts';
import { beginReview, type PreparedReview, prepareReview } from '../reviews/begin.ts';
import { readDecisions } from '../reviews/decisions.ts';
import type { Decisions } from '../reviews/findings.ts';
import { sealPage, secrecyOf } from '../sealing/page-content.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import {
  Cancelled,
  customerError,
  enterStep,
  finishStep,
  type JobDeps,
  pagePlace,
  type StepPlace,
  storeStep,
  unlessCancelled,
} from '../steps/step.ts';
import { withWork } from '../steps/step-work.ts';
import { receiveAttachment, type StoredAttachment, storeAttachments } from './attachments.ts';

/** The last step of an operation: makes its outputs and ends it. */
export async function assembleOperation(
  deps: JobDeps,
  run: TaskRun<'operation.assemble'>,
): Promise<void> {
  let leftOut = 0;
  let decisions: Decisions | null = null;
  const entered = await enterStep(run, async (tx, _job, operation) => {
    leftOut = await countLeftOut(tx, operation);
    decisions = await readDecisions(tx, deps, operation);
  });
  const place = entered && { ...entered, decisions };
  if (!place) return finishStep(run, async () => undefined);
  const { pagesFailed, pagesTotal } = place.operation;
  if (pagesFailed + leftOut === pagesTotal) {
    return finishStep(run, failForPages);
  }
  try {
    await unlessCancelled(deps, run, (signal) =>
      withWork(deps, place, signal, async (work) => {
        const review = await reviewOf(deps, place, work);
        if (review) {
          return storeStep(run, place, (tx, job, operation, purged) =>
            purged
              ? failOperation(tx, job, operation, purged)
              : beginReview(tx, job, operation, review),
          );
        }
        const made = withReview(
          await operationWork[run.task.payload.op].assemble(work),
          place.decisions,
        );
        // Before the transaction, so that the transaction does not wait for storage.
        const stored: StoredOutput[] = [];
        for (const output of made.outputs) {
          const received = await deps.storage.receiveFile(place.job.projectId, output.path);
          await received.commit();
          stored.push({ ...output, received });
        }
        const attached: StoredAttachment[] = [];
        for (const file of made.attached ?? []) {
          attached.push(await receiveAttachment(deps, place.job.projectId, file));
        }
        const secrecy = secrecyOf(place.operations, place.operation.index);
        const pages = (made.pages ?? []).map((page) => ({
          ...page,
          ...sealPage(deps, pagePlace(place, page.page), page, secrecy),
        }));
        const engines = deps.engines.versions();
        const ending = { place, leftOut, made, stored, attached, pages, engines };
        await storeStep(run, place, (tx, job, operation, purged) =>
          purged
            ? failOperation(tx, job, operation, purged)
            : endOperation(tx, job, operation, ending),
        );
      }),
    );
  } catch (error) {
    if (error instanceof Cancelled) return finishStep(run, async () => undefined);
    const failure = customerError(error, isLastRun(run));
    if (!failure) throw error;
    await finishStep(run, (tx, job, operation) => failOperation(tx, job, operation, failure));
  }
}

/**
 * The review that an operation must wait for before it makes its outputs: if its options require a
 * review, none was submitted and there are findings to decide. Otherwise null.
 */
async function reviewOf(
  deps: JobDeps,
  { job, operation, decisions }: StepPlace,
  work: StepWork<never>,
): Promise<PreparedReview | null> {
  const op = reviewableOperations.find((one) => one === operation.op);
  const options: ReviewOptions = work.options;
  if (!op || decisions || (options.review ?? 'none') === 'none') return null;
  const found = await operationWork[op].detect(work);
  const { projectId, sourceObjectId } = job;
  return prepareReview(deps, { projectId, sourceObjectId, op }, options, found);
}

/** The result, with the reviewer. */
function withReview(made: Assembly, decisions: Decisions | null): Assembly {
  if (!decisions) return made;
  const { by, at, accepted, rejected, added } = decisions;
  const reviewed = {
    by: by.map(({ type, id, name }) => ({ type, id, name: name ?? null })),
    at: at.toISOString(),
    accepted,
    rejected,
    added,
  };
  return { ...made, result: { ...made.result, reviewed } };
}

/** Ends an operation without a successful page. */
async function failForPages(tx: Tx, job: Job, operation: JobOperation): Promise<void> {
  await failOperation(tx, job, operation, await failureOfOperation(tx, operation));
}

/** Ends an operation whose workers all died while making its outputs. */
export async function giveUpAssembling(run: TaskRun<'operation.assemble'>): Promise<void> {
  await finishStep(run, (tx, job, operation) =>
    failOperation(tx, job, operation, gaveUp('The work')),
  );
}

/** How many pages were skipped because they had failed in an earlier operation. */
async function countLeftOut(tx: Tx, operation: JobOperation): Promise<number> {
  return tx.countBy(JobPage, {
    projectId: operation.projectId,
    jobId: operation.jobId,
    operationIndex: operation.index,
    state: 'skipped',
    error: Not(IsNull()),
  });
}

interface StoredOutput extends NewOutput {
  received: Received;
}

/** What is stored at the end of an operation. */
interface Ending {
  place: StepPlace;
  leftOut: number;
  made: Assembly;
  stored: StoredOutput[];
  attached: StoredAttachment[];
  pages: StoredResult[];
  /** The versions of the engines. */
  engines: Readonly<Record<string, string>>;
}

/** Stores the outputs of an operation and ends it. Fails it if a policy now denies the job. */
async function endOperation(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  { place, leftOut, made, stored, attached, pages, engines }: Ending,
): Promise<void> {
  const error = await processingDenial(tx, job);
  if (error) return failOperation(tx, job, operation, error);
  warn(tx, job, made.warnings ?? []);
  await replaceResults(tx, operation, pages);
  await failDonePages(tx, job, operation, made.failedPages ?? []);
  const lacking = operation.pagesFailed + leftOut;
  if (lacking === operation.pagesTotal) return failForPages(tx, job, operation);
  if (made.labels) {
    await labelObject(tx, jobOrigin(job), job.sourceObjectId, {
      labels: made.labels.all,
      counts:
        made.labels.areSure &&
        job.pages === null &&
        lacking === 0 &&
        place.reads?.id === job.sourceObjectId,
    });
  }
  const certified: CertifiedOutput[] = [];
  for (const output of stored) {
    certified.push(await storeOutput(tx, job, operation, place, output));
  }
  const certificate = certificateOf(place, made, certified, engines);
  if (certificate) changeOperation(tx, operation, { certificate });
  warn(tx, job, await storeAttachments(tx, job, operation, place.reads!, attached));
  await finishOperation(tx, job, operation, {
    state: lacking > 0 ? 'partially_succeeded' : 'succeeded',
    result: made.result,
    error: await failureOfOperation(tx, operation),
  });
}

function warn(tx: Tx, job: Job, warnings: readonly JobWarning[]): void {
  if (warnings.length === 0) return;
  changeJob(tx, job, { warnings: appended }, { warnings: JSON.stringify(warnings) });
}

async function storeOutput(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  place: StepPlace,
  output: StoredOutput,
): Promise<CertifiedOutput> {
  const objectId = await createOutput(tx, jobOrigin(job), {
    source: place.reads!,
    namedAfter: output.namedAfter,
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
    stateRedaction(tx, job.projectId, {
      objectId,
      sourceObjectId: job.sourceObjectId,
      entities: output.verifiedRedaction.entities,
      allPages: operation.pagesTotal === place.source!.pages,
      rejected: place.decisions?.rejectedTypes ?? [],
      reviewed: (place.decisions ?? null) !== null,
      fourEyes: place.decisions?.fourEyes ?? false,
    });
  }
  const { kind, mime, received } = output;
  return { object_id: objectId, kind, mime, bytes: received.bytes, sha256: received.sha256 };
}
