import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { type Answer, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { follow } from '../../notices/followed.ts';
import { useSession } from '../../shell/session.tsx';
import { isFinished, isHopeless } from '../words.ts';

/** Cancels a job, or retries it as a new job. */
export function JobActions(props: {
  job: JobRecord;
  onChange: (answer: Answer<JobRecord>) => void;
}) {
  const { job, onChange } = props;
  const { can } = useSession();
  const { run, busy } = useAction();
  const [, navigate] = useLocation();
  if (!can('documents:write')) return null;

  const retry = async (scope: 'failed_pages' | 'all'): Promise<void> => {
    const answer = await run(requestFor('retryJob', { id: job.id, body: { scope } }));
    if (!answer) return;
    follow(answer.data.id);
    toast('good', 'Retry started as a new job.');
    navigate(`/${answer.data.id}`);
  };
  if (!isFinished(job)) {
    return (
      <CancelButton
        what="job"
        isCancelling={job.state === 'cancelling'}
        request={requestFor('cancelJob', { id: job.id })}
        onChange={onChange}
      >
        <p>
          Pages in progress are abandoned. Existing outputs are kept, and a retry can reuse the
          pages that succeeded.
        </p>
      </CancelButton>
    );
  }
  // A permanent error can still be retried once its cause, such as a policy, is removed.
  const isAdvised = job.error?.retryable !== false;
  const hasPages = job.progress.pages_total !== null;
  if (isHopeless(job)) return null;
  return (
    <>
      {job.state !== 'succeeded' && hasPages && (
        <Button primary={isAdvised} busy={busy} onClick={() => void retry('failed_pages')}>
          Retry failed pages
        </Button>
      )}
      <Button busy={busy} onClick={() => void retry('all')}>
        {hasPages ? 'Retry all pages' : 'Retry job'}
      </Button>
    </>
  );
}
