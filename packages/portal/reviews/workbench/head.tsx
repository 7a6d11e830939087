import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { StateBadge } from '../../kit/values.tsx';
import { RejectDialog } from './ending/reject.tsx';
import { SubmitDialog } from './ending/submit.tsx';
import { KeyHint } from './shortcuts.tsx';
import type { ReviewWork } from './store/review-work.ts';
import { useClaim } from './store/use-review-work.ts';
import type { BenchDialog } from './use-bench.ts';

/** The document, the state of its review, and the buttons that end the review. */
export function ReviewHead(props: {
  work: ReviewWork;
  review: ReviewRecord;
  mayDecide: boolean;
  onReload: () => void;
  /** Whether there is a legend of the keys. */
  hasLegend?: boolean;
  /** The open dialog. */
  open: BenchDialog | undefined;
  setOpen: (dialog: BenchDialog | undefined) => void;
}) {
  const { work, review, mayDecide, onReload, hasLegend = false, open, setOpen } = props;
  const name = useName(review.source_object_id);
  const close = (): void => setOpen(undefined);
  const dialogProps = {
    work,
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
            {hasLegend && (
              <Button quiet onClick={() => setOpen('legend')}>
                Keys and colours <KeyHint of="?" />
              </Button>
            )}
            {mayDecide && (
              <>
                <ReleaseButton work={work} review={review} />
                <Button danger onClick={() => setOpen('reject')}>
                  Reject review
                </Button>
              </>
            )}
          </>
        }
        primary={
          mayDecide &&
          review.op === 'redact_pii' && (
            <Button primary onClick={() => setOpen('submit')}>
              Submit review <KeyHint of="S" />
            </Button>
          )
        }
      />
      {open === 'submit' && <SubmitDialog {...dialogProps} />}
      {open === 'reject' && <RejectDialog {...dialogProps} />}
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
