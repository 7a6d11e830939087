import { Link } from 'wouter-preact';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { JobBatchResults } from '../../../contracts/wire/jobs.ts';
import type { ObjectRecord } from '../../../contracts/wire/library/objects.ts';

/** The outcome of a batch, per object. */
export function BatchOutcome(props: {
  outcome: JobBatchResults;
  names: Readonly<Record<string, ObjectRecord>>;
}) {
  const { outcome, names } = props;
  return (
    <section class={`notice ${outcome.failed > 0 ? 'warn' : 'good'}`} role="status">
      <p>
        {outcome.created} of {pluralise(outcome.results.length, 'job')} started
      </p>
      <ul>
        {outcome.results.map(({ source_object_id: id, job, problem }) => (
          <li key={id}>
            <bdi>{names[id]?.filename ?? id}</bdi>:{' '}
            {job ? <Link href={`/${job.id}`}>{job.id}</Link> : problem?.detail}
          </li>
        ))}
      </ul>
    </section>
  );
}
