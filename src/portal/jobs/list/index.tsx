import type { JobRecord, JobSort } from '../../../contracts/wire/jobs.ts';
import { useList } from '../../api/hooks.ts';
import { useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { Named } from '../../kit/named.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useSort } from '../../kit/sort.ts';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { formatSeconds, Progress, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { useNames } from '../../kit/names.ts';
import { isFinished, operationTitle, steps } from '../words.ts';
import { hasJobFilters, JobFilters, jobQueryOf } from './filters.tsx';

/** The number of jobs per page. */
const jobsPerPage = 25;

/** The project's jobs, by default newest first, updated live. */
export function JobList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const { sort, ...sorting } = useSort<JobSort>(['created_at', 'state'], '-created_at');
  const request = requestFor('listJobs', { ...jobQueryOf(search), sort, limit: jobsPerPage });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.job',
    passing: ['progressed', 'operation_finished', 'cancel_requested', 'retried'],
    get: (id) => requestFor('getJob', { id }),
    perPage: jobsPerPage,
    runs: (job) => !isFinished(job),
  });
  const isNamed = can('objects:read');
  const names = useNames(isNamed ? list.items.map((job) => job.source_object_id) : []);
  const start = can('documents:write') && (
    <ButtonLink primary icon="add" href="/new">
      Start job
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Jobs"
        calls={[
          ['List jobs', request],
          ['Stream job events', requestFor('streamEvents', { type: 'documents.job.*' })],
        ]}
        primary={start}
      />
      <JobFilters search={search} set={set} />
      <ListTable
        list={list}
        nouns={['job', 'jobs']}
        label="Jobs"
        keyOf={({ id }) => id}
        columns={columnsFor(names, isNamed)}
        {...sorting}
        empty={
          hasJobFilters(search) ? (
            <Empty title="No matching jobs">Change or clear the filters.</Empty>
          ) : (
            <Empty icon="jobs" title="No jobs yet" action={start}>
              A job processes a document page by page: it recognises text, redacts personal data,
              classifies the document, or prepares text for language models.
            </Empty>
          )
        }
      />
    </>
  );
}

const columnsFor = (
  names: ReadonlyMap<string, string | null>,
  isNamed: boolean,
): Column<JobRecord>[] => [
  {
    title: 'Document',
    show: ({ id, source_object_id: source }) => (
      <Named
        id={id}
        name={names.get(source) ?? source}
        href={`/${id}`}
        loading={isNamed && !names.has(source)}
      />
    ),
  },
  { title: 'State', sort: 'state', show: ({ state }) => <State state={state} /> },
  {
    title: 'Operations',
    show: ({ operations }) => (
      <span class="table-words">
        {operations
          .filter(({ implicit }) => !implicit)
          .map(({ op }) => operationTitle(op))
          .join(', ')}
      </span>
    ),
  },
  { title: 'Progress', show: (job) => <JobProgress job={job} /> },
  {
    title: 'Created',
    kind: 'line',
    sort: 'created_at',
    highestFirst: true,
    show: (job) => <Time at={job.created_at} />,
  },
];

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
    <div class="jobs-progress">
      <Progress percent={percent} label={`Progress of ${job.id}`} bad={job.state === 'failed'} />
      <span class="soft">{said}</span>
    </div>
  );
}
