import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor } from '../../../api/request.ts';
import { Fact } from '../../../kit/fact.tsx';
import { CheckField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { countOutcomes, outcomeTitles } from '../../finding-text.ts';
import type { ReviewWork } from '../store/review-work.ts';
import { RejectedChangeNotice } from './refusal.tsx';

/** Summarises the decisions and submits them. */
export function SubmitDialog(props: {
  work: ReviewWork;
  review: ReviewRecord;
  onDone: (review: ReviewRecord) => void;
  onReload: () => void;
  onClose: () => void;
}) {
  const { work, review, onDone, onReload, onClose } = props;
  // Includes decisions that are being saved.
  const counts = work.held.isComplete ? countOutcomes(work.findings()) : review.counts;
  const [acceptsPending, setAcceptsPending] = useState(false);
  const [unsavedProblem, setUnsavedProblem] = useState<ApiProblem | undefined>();
  const [isWaiting, setIsWaiting] = useState(false);
  const { run, busy, problem } = useAction({ quiet: true });
  const hasPending = counts.pending > 0 && !acceptsPending;
  const submit = async (): Promise<void> => {
    if (hasPending) return;
    setIsWaiting(true);
    const shown = describeDecisions(work);
    const unsaved = await work.saved();
    setIsWaiting(false);
    setUnsavedProblem(unsaved);
    // Decisions of another tab must be seen before they are submitted.
    if (unsaved || describeDecisions(work) !== shown) return;
    const answer = await run(
      requestFor('submitReview', {
        id: review.id,
        version: work.held.review?.version ?? review.version,
        body: { pending: acceptsPending ? 'accept' : 'refuse' },
      }),
    );
    if (answer) onDone(answer.data);
  };
  const removalCount = counts.accepted + counts.added + (acceptsPending ? counts.pending : 0);
  return (
    <FormDialog
      title="Submit this review?"
      onClose={onClose}
      onSubmit={submit}
      action="Submit review"
      busy={busy || isWaiting}
      disabled={hasPending}
      focusesAction={counts.pending === 0}
    >
      <dl class="facts">
        {(['accepted', 'rejected', 'added', 'pending'] as const).map((outcome) => (
          <Fact
            key={outcome}
            name={outcomeTitles[outcome]}
            value={counts[outcome].toLocaleString()}
          />
        ))}
      </dl>
      {counts.pending > 0 && (
        <CheckField
          label={`Accept ${pluralise(counts.pending, 'pending finding')}`}
          hint="Otherwise, decide them first."
          checked={acceptsPending}
          onChange={setAcceptsPending}
        />
      )}
      <p>
        {pluralise(removalCount, 'finding')} will be removed from the file, and the removal is
        verified. This cannot be undone.
      </p>
      <RejectedChangeNotice problem={unsavedProblem ?? problem} onReload={onReload} />
    </FormDialog>
  );
}

/** All decisions, to detect that they have changed. */
const describeDecisions = (work: ReviewWork): string =>
  work
    .findings()
    .map(({ id, decision }) => `${id} ${decision}`)
    .sort()
    .join();
