import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import { useAction } from '../../api/hooks.ts';
import type { Answer } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { cancelJob, retryJob } from '../requests.ts';
import { hasEnded } from '../words.ts';

/** What can be done about a job: stop it, or try it again as a new one. */
export function Actions(props: { job: JobRecord; onChange: (answer: Answer<JobRecord>) => void }) {
  const { job, onChange } = props;
  const { can } = useSession();
  const { run, busy } = useAction();
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  if (!can('documents:write')) return null;

  const cancel = async (): Promise<void> => {
    const answer = await run(cancelJob(job.id));
    setAsking(false);
    if (!answer) return;
    onChange(answer);
    toast('good', 'The job was asked to stop.');
  };
  const retry = async (scope: 'failed_pages' | 'all'): Promise<void> => {
    const answer = await run(retryJob(job.id, scope));
    if (!answer) return;
    toast('good', 'A new job tries it again.');
    navigate(`/${answer.data.id}`);
  };
  if (!hasEnded(job)) {
    return (
      <>
        <Button
          danger
          disabled={job.state === 'cancelling'}
          busy={busy}
          onClick={() => setAsking(true)}
        >
          {job.state === 'cancelling' ? 'Cancelling' : 'Cancel job'}
        </Button>
        {asking && (
          <Confirm
            title="Cancel this job?"
            action="Cancel the job"
            danger
            busy={busy}
            onConfirm={() => void cancel()}
            onClose={() => setAsking(false)}
          >
            <p>
              Pages that are being worked on are let go. Outputs that were made already stay; what
              was done can be taken over by a retry.
            </p>
          </Confirm>
        )}
      </>
    );
  }
  return (
    <>
      {job.state !== 'succeeded' && (
        <Button primary busy={busy} onClick={() => void retry('failed_pages')}>
          Retry failed pages
        </Button>
      )}
      <Button busy={busy} onClick={() => void retry('all')}>
        Retry all pages
      </Button>
    </>
  );
}
