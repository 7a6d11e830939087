import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type LoadedList, type Page, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { StateBadge } from '../../kit/values.tsx';
import { isFinished, operationTitle } from '../job-display.ts';

type JobReviewList = LoadedList<ReviewRecord, Page<ReviewRecord>>;

const requestsReview = (job: JobRecord): boolean =>
  job.operations.some(({ options: { review } }) => review !== undefined && review !== 'none');

/** The reviews of a job, reloaded when it waits for one. */
export function useJobReviews(job: JobRecord | undefined): JobReviewList {
  const isReviewRequested = job !== undefined && requestsReview(job);
  const list = useList(isReviewRequested ? requestFor('listReviews', { job_id: job.id }) : null);
  const initialState = useRef(job?.state);
  initialState.current ??= job?.state;
  useEffect(() => {
    if (isReviewRequested && job.state === 'awaiting_review' && initialState.current !== job.state)
      list.reload();
  }, [job?.state]);
  return list;
}

/** The reviews of a job; nothing if the job requests none. */
export function JobReviews({ job, reviews }: { job: JobRecord; reviews: JobReviewList }) {
  const { items } = reviews;
  if (!requestsReview(job) || (items.length === 0 && isFinished(job))) return null;
  return (
    <section class="card stack" aria-labelledby="jobs-reviews">
      <h2 id="jobs-reviews">Review</h2>
      {items.length === 0 && <p class="soft">A review opens here once the pages have been read.</p>}
      {items.map(({ id, op, state, counts }) => (
        <div key={id} class="row">
          <StateBadge state={state} />
          <span>{operationTitle(op)}</span>
          {state === 'open' && op === 'redact_pii' && (
            <span>{pluralise(counts.pending, 'pending finding')}</span>
          )}
          <Link href={`~/portal/reviews/${id}`}>
            {state === 'open' ? 'Open the review' : 'View the review'}
          </Link>
        </div>
      ))}
    </section>
  );
}
