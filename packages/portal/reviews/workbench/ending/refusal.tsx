import type { ApiProblem } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';

/** Advice about a rejected change, by the code of the problem. */
const advice: Record<string, string> = {
  etag_mismatch:
    'The review was changed after you loaded it, by another reviewer or in another tab. Reload it, check the changes, and submit again.',
  claimed: 'Another reviewer has claimed this review. Wait until they release it, then reload.',
  state_conflict: 'The review has ended or expired, so it no longer accepts decisions. Reload it.',
  four_eyes:
    'This review follows the four-eyes principle: you or one of your keys started the job, so another reviewer must submit it. Your decisions are saved.',
  findings_pending: 'Some findings are still pending. Decide them, or accept them all.',
};

/** Codes of problems that require reloading the review. */
const reloadCodes = ['etag_mismatch', 'claimed', 'state_conflict'];

/** Reports why a change was rejected, with advice. */
export function RejectedChangeNotice({
  problem,
  onReload,
}: {
  problem: ApiProblem | undefined;
  onReload: () => void;
}) {
  const text = problem && advice[problem.code];
  if (!problem || !text) return <ProblemNotice problem={problem} />;
  return (
    <div class="notice bad stack" role="alert">
      <p>{text}</p>
      <p class="soft">{problem.message}</p>
      {reloadCodes.includes(problem.code) && (
        <div>
          <Button small onClick={onReload}>
            Reload review
          </Button>
        </div>
      )}
    </div>
  );
}
