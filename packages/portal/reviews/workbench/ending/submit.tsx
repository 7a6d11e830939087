import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Fact } from '../../../kit/fact.tsx';
import { CheckField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { standingTitles } from '../../words.ts';
import { Refusal } from './refusal.tsx';

/** Sums up the decisions, and submits them. */
export function SubmitDialog(props: {
  review: ReviewRecord;
  onDone: (review: ReviewRecord) => void;
  onReload: () => void;
  onClose: () => void;
}) {
  const { review, onDone, onReload, onClose } = props;
  const { counts } = review;
  const [accepts, setAccepts] = useState(false);
  const { run, busy, problem } = useAction({ quiet: true });
  const isOpen = counts.pending > 0 && !accepts;
  const submit = async (): Promise<void> => {
    if (isOpen) return;
    const answer = await run(
      requestFor('submitReview', {
        id: review.id,
        version: review.version,
        body: { pending: accepts ? 'accept' : 'refuse' },
      }),
    );
    if (answer) onDone(answer.data);
  };
  const going = counts.accepted + counts.added + (accepts ? counts.pending : 0);
  return (
    <FormDialog
      title="Submit this review?"
      onClose={onClose}
      onSubmit={submit}
      action="Submit review"
      busy={busy}
      disabled={isOpen}
    >
      <dl class="facts">
        {(['accepted', 'rejected', 'added', 'pending'] as const).map((standing) => (
          <Fact
            key={standing}
            name={standingTitles[standing]}
            value={counts[standing].toLocaleString()}
          />
        ))}
      </dl>
      {counts.pending > 0 && (
        <CheckField
          label={`Accept ${pluralise(counts.pending, 'pending finding')}`}
          hint="Otherwise, decide them first."
          checked={accepts}
          onChange={setAccepts}
        />
      )}
      <p>
        {pluralise(going, 'finding')} will be removed from the file, and the removal is verified.
        This cannot be undone.
      </p>
      <Refusal problem={problem} onReload={onReload} />
    </FormDialog>
  );
}
