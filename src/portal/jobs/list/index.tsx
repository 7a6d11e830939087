import { Link } from 'wouter-preact';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import { useList } from '../../api/hooks.ts';
import { streamEvents, useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { formatSeconds, Progress, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { getJob, listJobs } from '../requests.ts';
import { isFinished, steps } from '../words.ts';
import { hasJobFilters, JobFilters, jobQueryOf } from './filters.tsx';
import { useFilenames } from './names.ts';

/** The number of jobs per page. */
const jobsPerPage = 25;

/** The project's jobs, newest first, updated live. */
export function JobList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const request = listJobs({ ...jobQueryOf(search), limit: jobsPerPage });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.job',
    passing: ['progressed', 'operation_finished', 'cancel_requested', 'retried'],
    get: getJob,
    perPage: jobsPerPage,
    runs: (job) => !isFinished(job),
  });
  const names = useFilenames(
    can('objects:read') ? list.items.map((job) => job.source_object_id) : [],
  );
  return (
    <>
      <PageHead
        title="Jobs"
        calls={[
          ['List jobs', request],
          ['Stream job events', streamEvents('documents.job.*')],
        ]}
        primary={
          can('documents:write') && (
            <ButtonLink primary href="/new">
              Start job
            </ButtonLink>
          )
        }
      />
      <div class="stack">
        <JobFilters search={search} set={set} />
        {list.problem ? (
          <ProblemState problem={list.problem} onRetry={list.reload} />
        ) : list.items.length > 0 ? (
          <Table jobs={list.items} names={names} />
        ) : list.loading ? (
          <Loading what="jobs" />
        ) : hasJobFilters(search) ? (
          <Empty title="No matching jobs">Change or clear the filters.</Empty>
        ) : (
          <Empty title="No jobs yet">
            A job processes a document page by page: it recognises text, redacts personal data,
            classifies the document, or prepares text for language models.
          </Empty>
        )}
        <More list={list} nouns={['job', 'jobs']} />
      </div>
    </>
  );
}

function Table(props: { jobs: JobRecord[]; names: ReadonlyMap<string, string | null> }) {
  return (
    <section class="table-frame" aria-label="Jobs" tabIndex={0}>
      <table class="table jobs-table">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Operations</th>
            <th scope="col">Progress</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {props.jobs.map((job) => (
            <tr key={job.id}>
              <td>
                <Link href={`/${job.id}`} class="jobs-name">
                  <bdi>{props.names.get(job.source_object_id) ?? job.source_object_id}</bdi>
                </Link>
                <div class="row jobs-state">
                  <State state={job.state} />
                  <span class="mono soft">{job.id}</span>
                </div>
              </td>
              <td>
                <code>
                  {job.operations
                    .filter(({ implicit }) => !implicit)
                    .map(({ op }) => op)
                    .join(', ')}
                </code>
              </td>
              <td class="jobs-progress">
                <JobProgress job={job} />
              </td>
              <td class="jobs-when">
                <Time at={job.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The progress of a job, as a bar and in words. */
function JobProgress({ job }: { job: JobRecord }) {
  const { percent, pages_total, eta_seconds } = job.progress;
  const left = eta_seconds === null ? '' : `, ${formatSeconds(eta_seconds)} left`;
  const said =
    pages_total === null
      ? isFinished(job)
        ? (job.error?.message ?? 'Not started')
        : 'Waiting to start'
      : job.state === 'awaiting_review'
        ? 'Waiting for a review'
        : `${steps(job)}${left}`;
  return (
    <>
      <Progress percent={percent} label={`Progress of ${job.id}`} bad={job.state === 'failed'} />
      <span class="soft">{said}</span>
    </>
  );
}
