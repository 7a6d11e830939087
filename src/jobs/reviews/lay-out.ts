import type { PlannedPage } from '@scriptorium/documents';
import type { Finding } from '../../entities/reviews/finding.ts';
import type { Review } from '../../entities/reviews/review.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { loadOperation, lockJob } from '../load.ts';
import type { StepWork } from '../operations/operation.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import { layOutRemovals, paintedOver } from '../operations/redact-pii/layout.ts';
import { withRemovals } from '../operations/redact-pii/reviewed.ts';
import { planOf } from '../operations/redact-pii/stored.ts';
import { customerError, type JobDeps, readPlace, type StepPlace } from '../steps/step.ts';
import { withWork } from '../steps/step-work.ts';
import { openDecided } from './decisions.ts';
import { byPage } from './findings.ts';
import { scheduleLayout } from './lay-out-later.ts';
import { lockReview, pagesToLayOut, readFindings, storeRemovals } from './queries.ts';
import { findReview } from './read.ts';

/** Number of pages per run, so that a source is not held for long. */
const pagesPerRun = 50;

interface Ahead {
  review: Review;
  place: StepPlace;
  pages: number[];
  findings: Finding[];
}

/** Computes the boxes that will be painted on pages whose findings changed, while the review is open. */
export async function layOutReview(deps: JobDeps, run: TaskRun<'review.lay_out'>): Promise<void> {
  const { projectId, payload } = run.task;
  const ahead = await readAhead(run);
  if (!ahead) return run.end();
  let removals: Parameters<typeof storeRemovals>[2] = [];
  try {
    removals = await withWork(deps, ahead.place, run.signal, (work) =>
      // Only `redact_pii` has boxes.
      removalsOf(deps, work as StepWork<'redact_pii'>, ahead),
    );
  } catch (error) {
    // The boxes stay unknown; the operation itself reports the reason once it continues.
    if (!(error instanceof OperationFailed) && !customerError(error, true)) throw error;
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

async function readAhead(run: TaskRun<'review.lay_out'>): Promise<Ahead | null> {
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
    return { review, place: await readPlace(tx, job, operation), pages, findings };
  });
}

async function removalsOf(
  deps: JobDeps,
  work: StepWork<'redact_pii'>,
  { review, pages, findings }: Ahead,
) {
  const going = findings
    .filter(({ decision }) => decision !== 'rejected')
    .map((finding) => ({ ...openDecided(deps, review, finding), version: finding.version }));
  const goingOf = byPage(going);
  const planned: PlannedPage[] = [];
  for (const page of pages) {
    for await (const { words } of work.pages('redact_pii', { from: page, to: page })) {
      if (!words) continue;
      planned.push(withRemovals({ state: 'planned', ...planOf(words) }, goingOf.get(page) ?? []));
    }
  }
  if (planned.length === 0) return [];
  const laid = await layOutRemovals(work, planned);
  return going.map(({ id, version, page, content }) => ({
    ...{ id, version },
    removal: paintedOver(content.boxes, laid.get(page ?? 0)),
  }));
}
