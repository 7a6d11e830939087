import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { Fact } from '../../kit/fact.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { useName } from '../../kit/names.ts';
import { OverallProgress } from '../../kit/overall-progress.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { formatSeconds, Id, StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import {
  durationBetween,
  isFinished,
  isUnprocessable,
  operationTitle,
  progressText,
} from '../job-display.ts';
import { JobActions } from './actions.tsx';
import { FailedPages, useFailedPages } from './failed-pages.tsx';
import { History } from './history.tsx';
import { Matrix } from './matrix.tsx';
import { Outputs } from './outputs.tsx';
import { OperationResults } from './results.tsx';
import { JobReviews, useJobReviews } from './reviews.tsx';
import { useJob, usePageStates } from './use-job.ts';
import '../jobs.css';

/**
 * The page of a job, updated live while it runs. It is shown once its visible content has loaded,
 * so that nothing moves.
 */
export function JobDetail({ id }: { id: string }) {
  const { data: job, problem, reload, replace, stream } = useJob(id);
  const name = useName(job?.source_object_id);
  const states = usePageStates(id, job?.version);
  const failures = useFailedPages(job);
  const reviews = useJobReviews(job);
  const isReady = useRef(false);
  isReady.current ||=
    job !== undefined &&
    name !== undefined &&
    !states.loading &&
    !failures.loading &&
    !reviews.loading;
  if (problem || !job || !isReady.current) {
    return (
      <>
        <PageHead title="Job" crumbs={[['Jobs', '/']]} />
        {problem ? (
          <ProblemState problem={problem} onRetry={reload} />
        ) : (
          <Loading what="job" lines={8} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={name ?? 'Job'}
        state={<StateBadge state={job.state} />}
        crumbs={[['Jobs', '/']]}
        calls={[
          ['Get job (with Accept: text/event-stream, as a stream)', requestFor('getJob', { id })],
          ['Get page states', requestFor('getJobPageStates', { id })],
          ['List failed pages', requestFor('listJobPages', { id, state: 'failed', limit: 200 })],
          ['Cancel job', requestFor('cancelJob', { id })],
          ['Retry failed pages', requestFor('retryJob', { id, body: { scope: 'failed_pages' } })],
        ]}
        actions={<JobActions job={job} onChange={(response) => replace(response)} />}
      />
      <div class="stack">
        <JobOverview job={job} streamState={stream} />
        {isUnprocessable(job) ? (
          <UnprocessableFile />
        ) : (
          <>
            <Outputs job={job} />
            <JobReviews job={job} reviews={reviews} />
            <section class="card stack" aria-labelledby="jobs-pages">
              <h2 id="jobs-pages">Pages</h2>
              <Matrix job={job} states={states.data} failures={failures.items} />
              <FailedPages job={job} failures={failures} />
            </section>
            <OperationResults job={job} />
          </>
        )}
        <JobFacts job={job} name={name} />
        <History job={job} />
      </div>
    </>
  );
}

function JobOverview({ job, streamState }: { job: JobRecord; streamState: string }) {
  const { percent, eta_seconds } = job.progress;
  return (
    <OverallProgress
      percent={percent}
      label="Job progress"
      failed={job.state === 'failed'}
      status={
        <>
          {statusText(job)}
          {eta_seconds !== null && `, about ${formatSeconds(eta_seconds)} left`}
        </>
      }
      streamState={isFinished(job) ? null : streamState}
    >
      {job.error && (
        <div class="notice bad" role="alert">
          <p>{job.error.message}</p>
          <p class="mono">{job.error.code}</p>
          {!job.error.retryable && !isUnprocessable(job) && (
            <p>A retry will fail again unless the cause is removed.</p>
          )}
          {job.error.code === 'policy_denied' && (
            <p>
              A policy denies processing this object. Run a dry run under{' '}
              <Link href="~/portal/policies">Policies</Link> to see which one.
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
    </OverallProgress>
  );
}

/** Returns the status of a job as text. */
function statusText(job: JobRecord): string {
  const { pages_total, pages_completed, current_operation_index } = job.progress;
  const doneText = pages_total === null ? 'No pages opened' : progressText(job);
  if (job.state === 'queued') return 'Waiting to start';
  if (job.state === 'awaiting_review') return 'Waiting for a review';
  if (job.state === 'cancelling') return `Cancelling: ${doneText}`;
  if (isFinished(job)) return doneText;
  const currentOperation = job.operations[current_operation_index];
  const operationText =
    job.operations.length > 1 && currentOperation
      ? `, now ${operationTitle(currentOperation.op).toLowerCase()}`
      : '';
  return pages_total !== null && pages_completed === pages_total
    ? `All pages done, creating outputs${operationText}`
    : `${doneText}${operationText}`;
}

/** Shown instead of pages and outputs, for a file that no job can open. */
function UnprocessableFile() {
  const { can } = useSession();
  return (
    <section class="card stack" aria-labelledby="jobs-hopeless">
      <h2 id="jobs-hopeless">This file cannot be processed</h2>
      <p>
        The file was not opened, so there are no pages and no outputs. A retry will fail the same
        way, because the contents of a stored file never change. Upload an undamaged copy and start
        a job with it.
      </p>
      {can('documents:write') && (
        <div class="row">
          <ButtonLink href="/new">Start a job with another file</ButtonLink>
        </div>
      )}
    </section>
  );
}

function JobFacts({ job, name }: { job: JobRecord; name: string | null | undefined }) {
  const metadata = Object.entries(job.metadata);
  return (
    <section class="card" aria-label="Details">
      <dl class="facts">
        <Fact name="Job" value={<Id id={job.id} />} />
        <Fact name="Source" value={<SourceObject id={job.source_object_id} name={name} />} />
        <Fact name="Pages" value={job.pages ?? 'All'} />
        <Fact name="Created" value={<Time at={job.created_at} exact />} />
        <Fact name="Started" value={<Time at={job.started_at} exact />} />
        <Fact name="Finished">
          <Time at={job.finished_at} exact />
          {job.started_at && job.finished_at && (
            <> after {durationBetween(job.started_at, job.finished_at)}</>
          )}
        </Fact>
        {metadata.map(([name, value]) => (
          <Fact key={name} name={<bdi>{name}</bdi>}>
            <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

/** The name of a job's source, with a link to its jobs. */
function SourceObject({ id, name }: { id: string; name: string | null | undefined }) {
  return (
    <span class="row">
      <NamedResource id={id} name={name} />
      <Link href={`/?source_object_id=${id}`}>Jobs of this object</Link>
    </span>
  );
}
