import { Link } from 'wouter-preact';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { formatSeconds, Id, Progress, State, Time } from '../../kit/values.tsx';
import '../jobs.css';
import { cancelJob, getJob, getPageStates, listPages, retryJob } from '../requests.ts';
import { hasEnded, steps } from '../words.ts';
import { Actions } from './actions.tsx';
import { Failures, useFailures } from './failures.tsx';
import { History } from './history.tsx';
import { useJob } from './live.ts';
import { Matrix } from './matrix.tsx';
import { Outputs } from './outputs.tsx';
import { Results } from './results.tsx';
import { Source } from './source.tsx';
import { took } from './took.ts';

/** One job, as it runs and as it ended. */
export function JobDetail({ id }: { id: string }) {
  const { data: job, problem, reload, put, stream } = useJob(id);
  if (problem) {
    return (
      <>
        <div class="page-head">
          <h1>Job</h1>
        </div>
        <ProblemState problem={problem} onRetry={reload} />
      </>
    );
  }
  if (!job) {
    return (
      <>
        <div class="page-head">
          <h1>Job</h1>
        </div>
        <Loading what="the job" />
      </>
    );
  }
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/">Jobs</Link>
      </nav>
      <div class="page-head">
        <h1>
          Job <State state={job.state} />
        </h1>
        <ApiCalls
          calls={[
            ['Get the job; as a stream with Accept: text/event-stream', getJob(id)],
            ['Get the states of its pages', getPageStates(id)],
            ['List the pages that failed', listPages(id, { state: 'failed', limit: 200 })],
            ['Cancel it', cancelJob(id)],
            ['Retry its failed pages', retryJob(id, 'failed_pages')],
          ]}
        />
        <Actions job={job} onChange={(answer) => put(answer)} />
      </div>
      <div class="stack">
        <Overall job={job} live={stream} />
        <Facts job={job} />
        <Pages job={job} />
        <Results job={job} />
        <Outputs job={job} />
        <History job={job} />
      </div>
    </>
  );
}

function Overall({ job, live }: { job: JobRecord; live: string }) {
  const { percent, eta_seconds } = job.progress;
  return (
    <section class="card stack" aria-label="Progress">
      <div class="row jobs-overall">
        <strong class="jobs-percent">{percent} %</strong>
        <span>
          {said(job)}
          {eta_seconds !== null && `, about ${formatSeconds(eta_seconds)} left`}
        </span>
        {!hasEnded(job) && (
          <span class="soft" role="status">
            {live === 'open' ? 'Live' : 'Connecting'}
          </span>
        )}
      </div>
      <Progress percent={percent} label="Progress of the job" bad={job.state === 'failed'} />
      {job.error && (
        <div class="notice bad" role="alert">
          <p>{job.error.message}</p>
          <p class="mono">{job.error.code}</p>
          {job.error.code === 'policy_denied' && (
            <p>
              A policy of the project forbids to process this object. The rules are under{' '}
              <Link href="~/portal/policies">Policies</Link>, where a dry run tells which.
            </p>
          )}
        </div>
      )}
      {job.warnings.map((warning) => (
        <div key={warning.code} class="notice warn">
          <p>{warning.message}</p>
          <p class="mono">{warning.code}</p>
        </div>
      ))}
    </section>
  );
}

/** Where a job stands, in words. */
function said(job: JobRecord): string {
  const { pages_total, pages_completed, current_operation_index } = job.progress;
  const done = pages_total === null ? 'No page has been opened' : steps(job);
  if (job.state === 'queued') return 'It waits for its turn';
  if (job.state === 'cancelling') return `It stops as asked: ${done}`;
  if (hasEnded(job)) return done;
  const now = job.operations[current_operation_index];
  const last = job.operations.length > 1 && now ? `, now ${now.op}` : '';
  return pages_total !== null && pages_completed === pages_total
    ? `All pages done, outputs are being made${last}`
    : `${done}${last}`;
}

function Facts({ job }: { job: JobRecord }) {
  const metadata = Object.entries(job.metadata);
  return (
    <section class="card" aria-label="About this job">
      <dl class="facts">
        <dt>Job</dt>
        <dd>
          <Id id={job.id} />
        </dd>
        <dt>Source</dt>
        <dd>
          <Source id={job.source_object_id} />
        </dd>
        <dt>Pages</dt>
        <dd>{job.pages ?? 'All'}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={job.created_at} exact />
        </dd>
        <dt>Started</dt>
        <dd>
          <Time at={job.started_at} exact />
        </dd>
        <dt>Ended</dt>
        <dd>
          <Time at={job.finished_at} exact />
          {job.started_at && job.finished_at && <> after {took(job.started_at, job.finished_at)}</>}
        </dd>
        {metadata.map(([name, value]) => [
          <dt key={`${name}-name`}>
            <bdi>{name}</bdi>
          </dt>,
          <dd key={name}>
            <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
          </dd>,
        ])}
      </dl>
    </section>
  );
}

function Pages({ job }: { job: JobRecord }) {
  const failures = useFailures(job);
  return (
    <section class="card stack" aria-labelledby="jobs-pages">
      <h2 id="jobs-pages">Pages</h2>
      <Matrix job={job} failures={failures.items} />
      <Failures job={job} failures={failures} />
    </section>
  );
}
