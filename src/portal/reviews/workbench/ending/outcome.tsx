import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ReviewPageRecord, ReviewRecord } from '../../../../contracts/wire/reviews.ts';
import { urlOf } from '../../../api/request.ts';
import { useJob } from '../../../jobs/detail/live.ts';
import { getContent } from '../../../jobs/requests.ts';
import { isFinished } from '../../../jobs/words.ts';
import { Button } from '../../../kit/button.tsx';
import { Compare } from '../../../kit/compare/compare.tsx';
import { Progress, State } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { Certificate } from './certificate.tsx';

/** What the job made of a submitted review: its progress, then the result beside the original. */
export function Outcome(props: { review: ReviewRecord; pages: readonly ReviewPageRecord[] }) {
  const { review, pages } = props;
  const { can } = useSession();
  const { data: job } = useJob(review.job_id);
  const [isComparing, setComparing] = useState(false);
  // Its place is kept, so that what it says does not move the pages.
  if (!job) {
    return (
      <section class="card stack" aria-label="Result">
        <div class="row bench-outcome" />
      </section>
    );
  }
  const output = job.outputs.find((one) => one.kind.startsWith('redacted_'));
  return (
    <section class="card stack" aria-label="Result">
      <div class="row bench-outcome">
        <Link href={`~/portal/jobs/${job.id}`}>Job</Link>
        <State state={job.state} />
        {job.error && <span>{job.error.message}</span>}
        {output && can('objects:read') && pages.length > 0 && (
          <Button small pressed={isComparing} onClick={() => setComparing(!isComparing)}>
            Compare original and result
          </Button>
        )}
        {output && can('objects:download') && (
          <a class="button small" href={urlOf(getContent(output.object_id))} download>
            Download result
          </a>
        )}
        {output && isFinished(job) && <Certificate jobId={job.id} />}
        {!isFinished(job) && <Progress percent={job.progress.percent} label="Job progress" />}
      </div>
      {output && isComparing && (
        <Compare original={review.source_object_id} result={output.object_id} pages={pages} />
      )}
    </section>
  );
}
