import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { type ApiResponse, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { follow } from '../../notices/followed-ids.ts';
import { useSession } from '../../shell/session.tsx';
import { isFinished, isUnprocessable } from '../job-display.ts';

/** Cancels a job, or retries it as a new job. */
export function JobActions(props: {
  job: JobRecord;
  onChange: (response: ApiResponse<JobRecord>) => void;
}) {
  const { job, onChange } = props;
  const { can } = useSession();
  const { run, busy } = useAction();
  const [, navigate] = useLocation();
  if (!can('documents:write')) return null;

  const retry = async (scope: 'failed_pages' | 'all'): Promise<void> => {
    const response = await run(requestFor('retryJob', { id: job.id, body: { scope } }));
    if (!response) return;
    follow(response.data.id);
    toast('good', 'Retry started as a new job.');
    navigate(`/${response.data.id}`);
  };
  if (!isFinished(job)) {
    return (
      <CancelButton
        noun="job"
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
  const isRetryAdvised = job.error?.retryable !== false;
  const hasPages = job.progress.pages_total !== null;
  if (isUnprocessable(job)) return null;
  return (
    <>
      {job.state !== 'succeeded' && hasPages && (
        <Button primary={isRetryAdvised} busy={busy} onClick={() => void retry('failed_pages')}>
          Retry failed pages
        </Button>
      )}
      <Button busy={busy} onClick={() => void retry('all')}>
        {hasPages ? 'Retry all pages' : 'Retry job'}
      </Button>
    </>
  );
}
