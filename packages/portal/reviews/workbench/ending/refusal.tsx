import type { ApiProblem } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';

/** Advice about a rejected change, by the code of the problem. */
const advice: Record<string, string> = {
  etag_mismatch:
    'The review has changed since you loaded it, by another reviewer or in another tab. Reload it, look at the changes, and submit again.',
  claimed: 'Another reviewer holds this review. Wait until they release it, then reload.',
  state_conflict: 'The review has ended or expired, and no longer takes decisions. Reload it.',
  four_eyes:
    'This review follows the four-eyes principle: you, or a key of yours, started the job, and so another reviewer must submit it. Your decisions are saved.',
  findings_pending: 'Some findings are still pending. Decide about them, or accept them all.',
};

/** Codes after which the review must be loaded again. */
const outdated = ['etag_mismatch', 'claimed', 'state_conflict'];

/** Why a change was refused, and what to do. */
export function Refusal({
  problem,
  onReload,
}: {
  problem: ApiProblem | undefined;
  onReload: () => void;
}) {
  const said = problem && advice[problem.code];
  if (!problem || !said) return <ProblemNotice problem={problem} />;
  return (
    <div class="notice bad stack" role="alert">
      <p>{said}</p>
      <p class="soft">{problem.message}</p>
      {outdated.includes(problem.code) && (
        <div>
          <Button small onClick={onReload}>
            Reload review
          </Button>
        </div>
      )}
    </div>
  );
}
