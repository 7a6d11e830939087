import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { type ApiResponse, requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { follow } from '../../notices/followed-ids.ts';
import { useSession } from '../../shell/session.tsx';
import { isFinished } from '../pack-progress.ts';

/** Cancels a pack, retries its missing documents, or refreshes it as a new pack. */
export function PackActions(props: {
  pack: PackRecord;
  onChange: (response: ApiResponse<PackRecord>) => void;
}) {
  const { pack, onChange } = props;
  const { can } = useSession();
  const { run, busy } = useAction();
  const [, navigate] = useLocation();
  if (!can('documents:write')) return null;

  const retry = async (): Promise<void> => {
    const response = await run(requestFor('retryPack', { id: pack.id }));
    if (!response) return;
    follow(response.data.id);
    toast('good', 'Retry started as a new pack.');
    navigate(`/${response.data.id}`);
  };
  if (isFinished(pack)) {
    return (
      <>
        {pack.state !== 'succeeded' && (
          <Button
            primary={pack.error?.retryable !== false}
            busy={busy}
            onClick={() => void retry()}
          >
            Retry missing documents
          </Button>
        )}
        {pack.output && <ButtonLink href={`/new?refreshes=${pack.id}`}>Refresh</ButtonLink>}
      </>
    );
  }
  return (
    <CancelButton
      noun="pack"
      isCancelling={pack.state === 'cancelling'}
      request={requestFor('cancelPack', { id: pack.id })}
      onChange={onChange}
    >
      <p>
        The jobs that were started for it are cancelled. Documents that are done are kept: a retry
        does not process them again.
      </p>
    </CancelButton>
  );
}
