import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';
import { requestFor, urlOf } from '../../../api/request.ts';
import { CertificateButtons } from '../../../jobs/detail/certificate.tsx';
import { useJob } from '../../../jobs/detail/use-job.ts';
import { isFinished } from '../../../jobs/job-display.ts';
import { Button } from '../../../kit/button.tsx';
import { Progress, StateBadge } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { EndedNotice } from './ended.tsx';

/** The ids of the two objects to compare: the source of a review, and its result. */
export interface Comparison {
  original: string;
  result: string;
}

interface OutcomeProps {
  review: ReviewRecord;
  /** Undefined if pages cannot be compared. */
  onCompare: ((comparison: Comparison | null) => void) | undefined;
  isComparing: boolean;
  /** Called with the id of the result, once there is one. */
  onResult: (objectId: string) => void;
}

/**
 * The outcome of a review that has ended, beside its pages, which remain visible. It receives the
 * focus if the review ended while this page was open.
 */
export function ReviewOutcome(props: OutcomeProps & { isNew: boolean }) {
  const { review, isNew } = props;
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) element.current?.focus();
  }, []);
  return (
    <section
      ref={element}
      class={`card stack bench-outcome${isNew ? '' : ' known'}`}
      aria-label="Result"
      tabIndex={-1}
    >
      <EndedNotice review={review} />
      {review.state === 'submitted' && <JobResult {...props} />}
    </section>
  );
}

/** The job of a submitted review: its progress, then its output. */
function JobResult({ review, onCompare, isComparing, onResult }: OutcomeProps) {
  const { can } = useSession();
  const { data: job } = useJob(review.job_id);
  const output = job?.outputs.find((one) => one.kind.startsWith('redacted_'));
  useEffect(() => {
    if (output) onResult(output.object_id);
  }, [output?.object_id]);
  return (
    <>
      <div class="row bench-job">
        {job && <StateBadge state={job.state} />}
        {job && !isFinished(job) && (
          <Progress percent={job.progress.percent} label="Job progress" />
        )}
        {job?.error && <span>{job.error.message}</span>}
      </div>
      {/* The space is reserved, so that content that loads later does not move anything. */}
      <div class="bench-buttons bench-result">
        {job && output && (
          <>
            {can('objects:download') && (
              <a
                class="button small primary"
                href={urlOf(requestFor('getObjectContent', { id: output.object_id }))}
                download
              >
                Download result
              </a>
            )}
            {can('objects:read') && onCompare && (
              <Button
                small
                pressed={isComparing}
                label="Compare original and result"
                onClick={() =>
                  onCompare(
                    isComparing
                      ? null
                      : { original: review.source_object_id, result: output.object_id },
                  )
                }
              >
                Compare
              </Button>
            )}
            {isFinished(job) && <CertificateButtons jobId={job.id} />}
          </>
        )}
      </div>
    </>
  );
}
