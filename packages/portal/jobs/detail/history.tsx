import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useList, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { NamedResourceById } from '../../kit/named-resource.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { humanise, isFinished } from '../job-display.ts';

/** The retries and events of a job. */
export function History({ job }: { job: JobRecord }) {
  const { can } = useSession();
  return (
    <section class="card stack" aria-labelledby="jobs-history">
      <h2 id="jobs-history">History</h2>
      {can('events:read') && <JobEvents job={job} />}
      <Retries job={job} />
    </section>
  );
}

function Retries({ job }: { job: JobRecord }) {
  const jobsRequest = requestFor('listJobs', {
    source_object_id: job.source_object_id,
    limit: 200,
  });
  const { data, problem } = useResource(isFinished(job) ? jobsRequest : null);
  const retries = (data?.data ?? []).filter((other) => other.retry_of === job.id);
  return (
    <>
      <ProblemNotice problem={problem} />
      {job.retry_of && (
        <p>
          Retry of an <Link href={`/${job.retry_of}`}>earlier job</Link>. Pages that succeeded there
          are reused where possible.
        </p>
      )}
      {retries.map((other) => (
        <p key={other.id}>
          Retried as a{' '}
          <Link href={`/${other.id}`}>
            job of <Time at={other.created_at} />
          </Link>{' '}
          <StateBadge state={other.state} />
        </p>
      ))}
    </>
  );
}

function JobEvents({ job }: { job: JobRecord }) {
  const request = requestFor('listEvents', { resource_id: job.id, order: 'desc', limit: 12 });
  const list = useList(request);
  const { reload } = list;
  useEffect(() => {
    if (isFinished(job)) reload();
  }, [job.state]);
  return (
    <>
      <ProblemNotice problem={list.problem} />
      <ul class="jobs-events">
        {list.items.map((event) => (
          <li key={event.id}>
            <Time at={event.occurred_at} />{' '}
            <span title={event.type}>{humanise(event.type.replace(/^.*\./, ''))}</span>
            {event.type === 'documents.job.created' && <ActorName actor={event.actor} />}
          </li>
        ))}
      </ul>
      <p>
        <Link href={`~/portal/events?resource_id=${job.id}`}>All events of this job</Link>
      </p>
    </>
  );
}

function ActorName({ actor: { id, name, type } }: { actor: EventRecord['actor'] }) {
  return (
    <span class="soft">
      {' by '}
      {name === null && id !== null ? (
        <NamedResourceById id={id} />
      ) : (
        (name ?? humanise(type).toLowerCase())
      )}
    </span>
  );
}
