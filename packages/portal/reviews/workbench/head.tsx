import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { State, Time } from '../../kit/values.tsx';
import { nameOf } from '../words.ts';
import { RejectDialog } from './ending/reject.tsx';
import { SubmitDialog } from './ending/submit.tsx';
import { KeyHint } from './keys.tsx';
import { useHold } from './store/use-work.ts';
import type { Work } from './store/work.ts';

/** The document, the state of its review, and the buttons that end the review. */
export function Head(props: {
  work: Work;
  review: ReviewRecord;
  mayDecide: boolean;
  onReload: () => void;
  /** Opens the legend of the keys, if there are any. */
  onLegend?: () => void;
}) {
  const { work, review, mayDecide, onReload, onLegend } = props;
  const [asking, setAsking] = useState<'submit' | 'reject' | undefined>();
  const name = useName(review.source_object_id);
  const close = (): void => setAsking(undefined);
  const dialog = {
    review,
    onReload,
    onClose: close,
    onDone: (next: ReviewRecord) => {
      work.put(next);
      close();
    },
  };
  return (
    <>
      <PageHead
        title={name ?? 'Review'}
        state={<State state={review.state} />}
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
                <Release work={work} review={review} />
                <Button danger onClick={() => setAsking('reject')}>
                  Reject review
                </Button>
              </>
            )}
          </>
        }
        primary={
          mayDecide &&
          review.op === 'redact_pii' && (
            <Button primary disabled={work.isSaving()} onClick={() => setAsking('submit')}>
              Submit review
            </Button>
          )
        }
      />
      {asking === 'submit' && <SubmitDialog {...dialog} />}
      {asking === 'reject' && <RejectDialog {...dialog} />}
    </>
  );
}

function Release({ work, review }: { work: Work; review: ReviewRecord }) {
  const hold = useHold(work);
  const { run, busy } = useAction();
  if (hold !== 'mine') return null;
  const release = async (): Promise<void> => {
    const answer = await run(requestFor('releaseReview', { id: review.id }));
    if (answer) work.put(answer.data);
  };
  return (
    <Button busy={busy} onClick={() => void release()}>
      Release
    </Button>
  );
}

/** The reviewer, the progress, and the deadline of the review. */
export function Status({ work, review }: { work: Work; review: ReviewRecord }) {
  const hold = useHold(work);
  const { counts, claimed_by: holder } = review;
  return (
    <p class="bench-status">
      <span role="status">
        <strong>{counts.pending.toLocaleString()} pending</strong>,{' '}
        {counts.accepted.toLocaleString()} accepted, {counts.rejected.toLocaleString()} rejected,{' '}
        {counts.added.toLocaleString()} added
      </span>
      <span class="soft">
        {work.isSaving() ? 'Saving… ' : ''}
        {holder && (
          <>
            Claimed by {hold === 'mine' ? 'you' : <bdi>{nameOf(holder)}</bdi>} until{' '}
            <Time at={review.claimed_until} />.{' '}
          </>
        )}
        {review.state === 'open' && (
          <>
            Expires <Time at={review.expires_at} />.
          </>
        )}
      </span>
    </p>
  );
}
