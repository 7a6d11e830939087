import type { PlannedPage } from '@scriptorium/documents';
import type { Finding } from '../../entities/reviews/finding.ts';
import type { Review } from '../../entities/reviews/review.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { loadOperation, lockJob } from '../load.ts';
import type { StepWork } from '../operations/operation.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import { layOutRemovals, paintedRegions } from '../operations/redact-pii/layout.ts';
import { withRemovals } from '../operations/redact-pii/reviewed.ts';
import { planOf } from '../operations/redact-pii/stored.ts';
import {
  type JobDeps,
  readStepContext,
  reportableFailure,
  type StepContext,
} from '../steps/step.ts';
import { withWork } from '../steps/step-work.ts';
import { openDecidedFinding } from './decisions.ts';
import { groupByPage } from './findings.ts';
import { lockReview, pagesToLayOut, readFindings, storeRemovals } from './queries.ts';
import { findReview } from './read.ts';
import { scheduleLayout } from './schedule-layout.ts';

/** Number of pages per run, so that each run is short. */
const pagesPerRun = 50;

interface LayoutInput {
  review: Review;
  context: StepContext;
  pages: number[];
  findings: Finding[];
}

/** Computes the boxes to paint on pages whose findings changed, while the review is open. */
export async function layOutReview(deps: JobDeps, run: TaskRun<'review.lay_out'>): Promise<void> {
  const { projectId, payload } = run.task;
  const input = await readLayoutInput(run);
  if (!input) return run.end();
  let removals: Parameters<typeof storeRemovals>[2] = [];
  try {
    removals = await withWork(deps, input.context, run.signal, (work) =>
      // Only `redact_pii` has boxes.
      computeRemovals(deps, work as StepWork<'redact_pii'>, input),
    );
  } catch (error) {
    // The boxes stay unknown; the operation reports the reason when it continues.
    if (!(error instanceof OperationFailed) && !reportableFailure(error, true)) throw error;
    return run.end();
  }
  await run.finish(
    (tx) => lockReview(tx, projectId, payload.review_id),
    async (tx, review) => {
      if (review?.state !== 'open') return;
      storeRemovals(tx, review, removals);
      if ((await pagesToLayOut(tx, review, 1)).length > 0) await scheduleLayout(tx, review);
    },
  );
}

async function readLayoutInput(run: TaskRun<'review.lay_out'>): Promise<LayoutInput | null> {
  const { projectId, payload } = run.task;
  return run.inProject(async (tx) => {
    const review = await findReview(tx, projectId, payload.review_id);
    if (review?.state !== 'open') return null;
    const pages = await pagesToLayOut(tx, review, pagesPerRun);
    const job = pages.length > 0 ? await lockJob(tx, projectId, review.jobId) : null;
    if (!job) return null;
    const { jobId, operationIndex: index } = review;
    const operation = await loadOperation(tx, { projectId, jobId, index });
    const findings = await readFindings(tx, review, pages);
    return { review, context: await readStepContext(tx, job, operation), pages, findings };
  });
}

async function computeRemovals(
  deps: JobDeps,
  work: StepWork<'redact_pii'>,
  { review, pages, findings }: LayoutInput,
) {
  const toRemove = findings
    .filter(({ decision }) => decision !== 'rejected')
    .map((finding) => ({ ...openDecidedFinding(deps, review, finding), version: finding.version }));
  const toRemoveByPage = groupByPage(toRemove);
  const planned: PlannedPage[] = [];
  for (const page of pages) {
    for await (const { words } of work.pages('redact_pii', { from: page, to: page })) {
      if (!words) continue;
      planned.push(
        withRemovals({ state: 'planned', ...planOf(words) }, toRemoveByPage.get(page) ?? []),
      );
    }
  }
  if (planned.length === 0) return [];
  const laidOutPages = await layOutRemovals(work, planned);
  return toRemove.map(({ id, version, page, content }) => ({
    id,
    version,
    removal: paintedRegions(content.boxes, laidOutPages.get(page ?? 0)),
  }));
}
