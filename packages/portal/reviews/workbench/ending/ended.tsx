import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Icon } from '../../../kit/icons/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { ActorName } from '../../actor-name.tsx';

/**
 * Reports how a review ended; renders nothing while it is open. Its times are exact: a live region
 * would announce each change of a relative one.
 */
export function EndedNotice({ review }: { review: ReviewRecord }) {
  const { state, job_id, ended_at, decided_by, reason } = review;
  const job = <Link href={`~/portal/jobs/${job_id}`}>job</Link>;
  const messages: Record<Exclude<ReviewRecord['state'], 'open'>, ComponentChildren> = {
    submitted: (
      <>
        Submitted <Time at={ended_at} exact />
        {decided_by.length > 0 && ' after decisions by '}
        {decided_by.map((actor, at) => (
          <>
            {at > 0 && ', '}
            <ActorName actor={actor} />
          </>
        ))}
        . These decisions apply to the {job}.
      </>
    ),
    rejected: (
      <>
        Rejected <Time at={ended_at} exact />
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
        The {job} was cancelled <Time at={ended_at} exact />, and the review ended with it.
      </>
    ),
    expired: (
      <>
        This review was not submitted in time: it expired <Time at={ended_at} exact />, and the{' '}
        {job} failed with <code>review_expired</code>. Nothing was removed or released. Start the
        job again for a new review.
      </>
    ),
  };
  if (state === 'open') return null;
  const tone = state === 'submitted' ? 'good' : 'warn';
  return (
    <div class="bench-ended" role="status">
      <Icon name={tone} class={tone} />
      <p>{messages[state]}</p>
    </div>
  );
}
