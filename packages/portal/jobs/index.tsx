import { jobStates } from '@scriptorium/contracts/jobs';
import type { JobRecord, JobSort } from '@scriptorium/contracts/wire/jobs';
import { Route, Switch } from 'wouter-preact';
import { requestFor } from '../api/request.ts';
import { ButtonLink } from '../kit/button.tsx';
import { lazyComponent } from '../kit/lazy-component.tsx';
import { LiveListScreen } from '../kit/live-list-screen.tsx';
import { NamedResourceByDocument } from '../kit/named-resource.tsx';
import { Empty, Loading, PageNotFound } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { formatSeconds, Progress, StateBadge, Time } from '../kit/values.tsx';
import { useSession } from '../shell/session.tsx';
import { JobDetail } from './detail/index.tsx';
import {
  durationBetween,
  isFinished,
  operationTitle,
  operationTitles,
  progressText,
} from './job-display.ts';
import { StartJob } from './start/index.tsx';
import './jobs.css';

const PageViewer = lazyComponent(() => import('./viewer/index.tsx'), {
  placeholder: <Loading what="pages" />,
});
const OutputPreview = lazyComponent(() => import('./preview/index.tsx'), {
  placeholder: <Loading what="preview" />,
});

/** The routes of jobs: list, start form, one job, its pages and its outputs. */
export default function Jobs() {
  return (
    <Switch>
      <Route path="/new">
        <StartJob />
      </Route>
      <Route path="/:id/pages/:page">
        {({ id, page }) => <PageViewer id={id} page={Number(page)} />}
      </Route>
      <Route path="/:id/outputs/:output/:view?">
        {({ id, output, view }) =>
          view === undefined || view === 'compare' ? (
            <OutputPreview id={id} objectId={output} isComparison={view === 'compare'} />
          ) : (
            <PageNotFound />
          )
        }
      </Route>
      <Route path="/:id">{({ id }) => <JobDetail key={id} id={id} />}</Route>
      <Route path="/">
        <JobList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

const objectIdPattern = /^obj_[0-9a-hjkmnp-tv-z]{26}$/;

/** The project's jobs, by default newest first. */
function JobList() {
  const { can } = useSession();
  const startButton = can('documents:write') && (
    <ButtonLink primary icon="add" href="/new">
      Start job
    </ButtonLink>
  );
  return (
    <LiveListScreen<JobRecord, JobSort>
      title="Jobs"
      nouns={['job', 'jobs']}
      request={(query) => requestFor('listJobs', query)}
      live={{
        eventPrefix: 'documents.job',
        ignoredSuffixes: ['progressed', 'operation_finished', 'cancel_requested', 'retried'],
        itemRequest: (id) => requestFor('getJob', { id }),
        mayChange: (job) => !isFinished(job),
      }}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          title: 'State',
          options: jobStates.map((one) => [one, one.replaceAll('_', ' ')] as const),
        },
        {
          kind: 'choice',
          name: 'op',
          title: 'Operation',
          options: Object.entries(operationTitles),
        },
        {
          kind: 'text',
          name: 'source_object_id',
          title: 'Source object',
          example: 'obj_…',
          check: (text) =>
            objectIdPattern.test(text)
              ? undefined
              : 'An object ID is obj_ followed by 26 characters.',
        },
        { kind: 'day', name: 'created_after', title: 'Created from' },
        { kind: 'day', name: 'created_before', title: 'Created before' },
      ]}
      sorts={['created_at', 'state']}
      defaultSort="-created_at"
      columns={columns}
      primary={startButton}
      empty={
        <Empty icon="jobs" title="No jobs yet" action={startButton}>
          A job processes a document page by page: it recognises text, redacts personal data,
          classifies the document, or prepares text for language models.
        </Empty>
      }
    />
  );
}

const columns: readonly Column<JobRecord>[] = [
  {
    title: 'Document',
    show: ({ id, source_object_id }) => (
      <NamedResourceByDocument id={id} source={source_object_id} />
    ),
  },
  { title: 'State', sort: 'state', show: ({ state }) => <StateBadge state={state} /> },
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
    descendingFirst: true,
    show: (job) => <Time at={job.created_at} />,
  },
];

/** The progress of a job, as a bar and as text; after its end, only how it ended. */
function JobProgress({ job }: { job: JobRecord }) {
  if (isFinished(job)) return <span class="soft table-words">{endOf(job)}</span>;
  const { percent, pages_total, eta_seconds } = job.progress;
  const remaining = eta_seconds === null ? '' : `, ${formatSeconds(eta_seconds)} left`;
  const status =
    pages_total === null
      ? 'Waiting to start'
      : job.state === 'awaiting_review'
        ? 'Waiting for a review'
        : `${progressText(job)}${remaining}`;
  return (
    <div class="jobs-progress">
      <Progress percent={percent} label={`Progress of ${job.id}`} />
      <span class="soft">{status}</span>
    </div>
  );
}

/** Why a job failed, or how long it took. */
function endOf({ error, started_at, finished_at }: JobRecord): string {
  if (error) return error.message;
  if (started_at === null || finished_at === null) return 'Not started';
  return `in ${durationBetween(started_at, finished_at)}`;
}
