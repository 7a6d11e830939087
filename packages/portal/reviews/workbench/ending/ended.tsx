import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Icon } from '../../../kit/icons/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { nameOf } from '../../words.ts';

/** Shows the outcome of a review once it is closed to decisions; nothing before. */
export function Ended({ review }: { review: ReviewRecord }) {
  const { state, job_id, ended_at: at, decided_by: by, reason } = review;
  const job = <Link href={`~/portal/jobs/${job_id}`}>job</Link>;
  const said: Record<Exclude<ReviewRecord['state'], 'open'>, ComponentChildren> = {
    submitted: (
      <>
        Submitted <Time at={at} />
        {by.length > 0 && <> after decisions by {by.map(nameOf).join(', ')}</>}. The {job} continues
        with these decisions.
      </>
    ),
    rejected: (
      <>
        Rejected <Time at={at} />
        {reason !== null && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
        . The {job} failed with <code>review_rejected</code>. Nothing was removed or released.
      </>
    ),
    cancelled: (
      <>
        The {job} was cancelled <Time at={at} />, and the review ended with it.
      </>
    ),
    expired: (
      <>
        This review was not submitted in time: it expired <Time at={at} />, and the {job} failed
        with <code>review_expired</code>. Nothing was removed or released. Start the job again for a
        new review.
      </>
    ),
  };
  if (state === 'open') return null;
  const tone = state === 'submitted' ? 'good' : 'warn';
  return (
    <div class="bench-ended" role="status">
      <Icon name={tone} class={tone} />
      <p>{said[state]}</p>
    </div>
  );
}
