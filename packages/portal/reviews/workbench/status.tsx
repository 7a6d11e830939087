import { Deadline } from '../../kit/values.tsx';
import { ActorName } from '../actor-name.tsx';
import { formatPercent } from '../finding-text.ts';
import { describeTimeLeft, estimateTimeLeft, precisionOf } from './side/pace.ts';
import type { BenchState } from './use-bench.ts';

/** The progress of the review with the time left, the reviewer, and the deadline. */
export function ReviewStatus({ bench }: { bench: BenchState }) {
  const { work, review, hold } = bench;
  const { counts, claimed_by, claimed_until } = review;
  return (
    <div class="bench-status">
      <p>
        <span role="status">
          <strong>{counts.pending.toLocaleString()} pending</strong>,{' '}
          {counts.accepted.toLocaleString()} accepted, {counts.rejected.toLocaleString()} rejected,{' '}
          {counts.added.toLocaleString()} added
        </span>
        <Pace bench={bench} />
      </p>
      <span class="soft">
        {work.isSaving() ? 'Saving… ' : ''}
        {claimed_by && (
          <>
            Claimed by {hold === 'mine' ? 'you' : <ActorName actor={claimed_by} />}
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
    </div>
  );
}

/** The precision of the detector so far and, while the review is open, the time left. */
function Pace({ bench }: { bench: BenchState }) {
  const { all, groups, review, decisions } = bench;
  const precision = precisionOf(all);
  const pendingCount = groups.filter(({ outcome }) => outcome === 'pending').length;
  const timeLeft =
    review.state === 'open' && pendingCount > 0
      ? estimateTimeLeft(decisions.decidedAt, pendingCount)
      : undefined;
  return (
    <span class="soft">
      {precision !== undefined && ` · Precision ${formatPercent(precision)}`}
      {timeLeft !== undefined && ` · ${describeTimeLeft(timeLeft)}`}
    </span>
  );
}
