import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { operationTitles, outputTitles } from '../../jobs/job-display.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';

/** The collections that contain an object. */
export function ContainingCollections({ objectId }: { objectId: string }) {
  const { data, problem, loading } = useResource(
    requestFor('listObjectCollections', { id: objectId, limit: 50 }),
  );
  return (
    <section class="card stack" aria-labelledby="detail-collections">
      <h2 id="detail-collections">Collections</h2>
      <ProblemNotice problem={problem} />
      {loading && !data && <Loading what="collections" lines={1} />}
      {data?.data.length === 0 && <p class="soft">Not in any collection</p>}
      <ul class="detail-list">
        {data?.data.map(({ id, name, path, kind }) => (
          <li key={id}>
            <Link href={`~/portal/collections/${id}`} dir="auto">
              {name}
            </Link>{' '}
            <span class="soft" dir="auto">
              {kind === 'smart' ? 'smart' : ''}
              {path.length > 1 && ` in ${path.at(-2)!.name}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An object's jobs and their outputs. */
export function ObjectJobs({ objectId }: { objectId: string }) {
  const { can } = useSession();
  const { data, problem, loading } = useResource(
    requestFor('listObjectJobs', { id: objectId, limit: 20 }),
  );
  return (
    <section class="card stack" aria-labelledby="detail-jobs">
      <div class="row">
        <h2 id="detail-jobs">Jobs</h2>
        {can('documents:write') && (
          <ButtonLink small href={`~/portal/jobs/new?object=${objectId}`}>
            Start job
          </ButtonLink>
        )}
      </div>
      <ProblemNotice problem={problem} />
      {loading && !data && <Loading what="jobs" lines={2} />}
      {data?.data.length === 0 && <p class="soft">No jobs</p>}
      <ul class="detail-list">
        {data?.data.map((job) => (
          <li key={job.id}>
            <Link href={`~/portal/jobs/${job.id}`}>
              {job.operations
                .filter(({ implicit }) => !implicit)
                .map(({ op }) => operationTitles[op] ?? op)
                .join(', ')}
            </Link>{' '}
            <StateBadge state={job.state} /> <Time at={job.created_at} />
            <ul>
              {job.outputs.map((output) => (
                <li key={output.object_id}>
                  <Link href={`/objects/${output.object_id}`}>
                    {outputTitles[output.kind] ?? output.kind}
                  </Link>{' '}
                  <span class="soft">{formatBytes(output.bytes)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
