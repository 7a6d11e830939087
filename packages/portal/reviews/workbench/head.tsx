import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Deadline, StateBadge } from '../../kit/values.tsx';
import { actorName } from '../finding-text.ts';
import { RejectDialog } from './ending/reject.tsx';
import { SubmitDialog } from './ending/submit.tsx';
import { KeyHint } from './shortcuts.tsx';
import type { ReviewWork } from './store/review-work.ts';
import { useClaim } from './store/use-review-work.ts';

/** The document, the state of its review, and the buttons that end the review. */
export function ReviewHead(props: {
  work: ReviewWork;
  review: ReviewRecord;
  mayDecide: boolean;
  onReload: () => void;
  /** Opens the legend of the keys, if there are any. */
  onLegend?: () => void;
}) {
  const { work, review, mayDecide, onReload, onLegend } = props;
  const [openDialog, setOpenDialog] = useState<'submit' | 'reject' | undefined>();
  const name = useName(review.source_object_id);
  const close = (): void => setOpenDialog(undefined);
  const dialogProps = {
    review,
    onReload,
    onClose: close,
    onDone: (updated: ReviewRecord) => {
      void work.put(updated);
      close();
    },
  };
  return (
    <>
      <PageHead
        title={name ?? 'Review'}
        state={<StateBadge state={review.state} />}
        crumbs={[
          ['Reviews', '/'],
          ['Job', `~/portal/jobs/${review.job_id}`],
        ]}
        calls={[
          ['Get review', requestFor('getReview', { id: review.id })],
          [
            'List findings',
            requestFor('listFindings', { id: review.id, decision: 'pending', limit: 200 }),
          ],
          [
            'Accept findings',
            requestFor('decideFindings', {
              id: review.id,
              body: { ids: ['fnd_…'], decision: 'accept' },
            }),
          ],
          [
            'Submit review',
            requestFor('submitReview', {
              id: review.id,
              version: review.version,
              body: { pending: 'refuse' },
            }),
          ],
        ]}
        actions={
          <>
            {onLegend && (
              <Button quiet onClick={onLegend}>
                Keys and colours <KeyHint of="?" />
              </Button>
            )}
            {mayDecide && (
              <>
                <ReleaseButton work={work} review={review} />
                <Button danger onClick={() => setOpenDialog('reject')}>
                  Reject review
                </Button>
              </>
            )}
          </>
        }
        primary={
          mayDecide &&
          review.op === 'redact_pii' && (
            <Button primary disabled={work.isSaving()} onClick={() => setOpenDialog('submit')}>
              Submit review
            </Button>
          )
        }
      />
      {openDialog === 'submit' && <SubmitDialog {...dialogProps} />}
      {openDialog === 'reject' && <RejectDialog {...dialogProps} />}
    </>
  );
}

function ReleaseButton({ work, review }: { work: ReviewWork; review: ReviewRecord }) {
  const claim = useClaim(work);
  const { run, busy } = useAction();
  if (claim !== 'mine') return null;
  const release = async (): Promise<void> => {
    const answer = await run(requestFor('releaseReview', { id: review.id }));
    if (answer) await work.put(answer.data);
  };
  return (
    <Button busy={busy} onClick={() => void release()}>
      Release
    </Button>
  );
}

/** The reviewer, the progress, and the deadline of the review. */
export function ReviewStatus({ work, review }: { work: ReviewWork; review: ReviewRecord }) {
  const claim = useClaim(work);
  const { counts, claimed_by, claimed_until } = review;
  return (
    <p class="bench-status">
      <span role="status">
        <strong>{counts.pending.toLocaleString()} pending</strong>,{' '}
        {counts.accepted.toLocaleString()} accepted, {counts.rejected.toLocaleString()} rejected,{' '}
        {counts.added.toLocaleString()} added
      </span>
      <span class="soft">
        {work.isSaving() ? 'Saving… ' : ''}
        {claimed_by && (
          <>
            Claimed by {claim === 'mine' ? 'you' : <bdi>{actorName(claimed_by)}</bdi>}
            {claimed_until !== null && (
              <>
                ; the claim <Deadline at={claimed_until} before="ends" after="ended" />
              </>
            )}
            .{' '}
          </>
        )}
        {review.state === 'open' && (
          <>
            <Deadline at={review.expires_at} before="Expires" after="Expired" />.
          </>
        )}
      </span>
    </p>
  );
}
