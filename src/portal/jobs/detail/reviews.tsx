import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import { useList } from '../../api/hooks.ts';
import { State } from '../../kit/values.tsx';
import { listReviews } from '../../reviews/requests.ts';

/** The reviews of a job; nothing if it asks for none. */
export function JobReviews({ job }: { job: JobRecord }) {
  const asks = job.operations.some(
    ({ options: { review } }) => review !== undefined && review !== 'none',
  );
  const { items, reload } = useList(asks ? listReviews({ job_id: job.id }) : null);
  useEffect(() => {
    if (asks && job.state === 'awaiting_review') reload();
  }, [job.state]);
  if (items.length === 0) return null;
  return (
    <section class="card stack" aria-labelledby="jobs-reviews">
      <h2 id="jobs-reviews">Review</h2>
      {items.map(({ id, op, state, counts }) => (
        <div key={id} class="row">
          <State state={state} />
          <code>{op}</code>
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
