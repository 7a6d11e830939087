import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { faultAt, TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { RejectedChangeNotice } from './refusal.tsx';

/** Rejects a review with a reason, which fails its operation. */
export function RejectDialog(props: {
  review: ReviewRecord;
  onDone: (review: ReviewRecord) => void;
  onReload: () => void;
  onClose: () => void;
}) {
  const { review, onDone, onReload, onClose } = props;
  const [reason, setReason] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const submit = async (): Promise<void> => {
    const answer = await run(
      requestFor('rejectReview', { id: review.id, body: { reason: reason.trim() } }),
    );
    if (answer) onDone(answer.data);
  };
  return (
    <FormDialog
      title="Reject this review?"
      onClose={onClose}
      onSubmit={submit}
      action="Reject review"
      danger
      busy={busy}
      disabled={reason.trim() === ''}
    >
      <p>
        The operation fails with <code>review_rejected</code>, and nothing is removed or released.
        This cannot be undone.
      </p>
      <TextField
        label="Reason"
        hint="Stored encrypted. At most 500 characters."
        rows={3}
        value={reason}
        onInput={setReason}
        fault={faultAt(problem, '/reason')}
        autofocus
      />
      <RejectedChangeNotice problem={problem} onReload={onReload} />
    </FormDialog>
  );
}
