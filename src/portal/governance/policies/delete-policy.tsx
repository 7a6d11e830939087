import { useLocation } from 'wouter-preact';
import type { PolicyRecord } from '../../../contracts/wire/policies.ts';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { deletePolicy, policyImpact } from './requests.ts';
import { holdsInWords } from './rules/words.ts';
import { ImpactWords } from './trial/impact.tsx';

/** Asks before a policy goes, with what it lets go. */
export function DeletePolicy(props: {
  policy: PolicyRecord;
  etag: string;
  onClose: () => void;
  /** Somebody changed it meanwhile. */
  onChanged: () => void;
}) {
  const { policy, etag, onClose, onChanged } = props;
  const [, navigate] = useLocation();
  const impact = useAnswer(policyImpact(policy.id, null));
  const { run, busy, problem } = useAction({ quiet: true });
  const changed = problem?.status === 412;
  const remove = async () => {
    if (changed) {
      onChanged();
      onClose();
      return;
    }
    if (!(await run(deletePolicy(policy.id, etag)))) return;
    toast('good', `The policy “${policy.name}” is deleted.`);
    navigate('/');
  };
  return (
    <Confirm
      title="Delete this policy?"
      action={changed ? 'Look at it as it is now' : 'Delete the policy'}
      danger={!changed}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>
        <bdi class="policy-name">“{policy.name}”</bdi> ends at once.{' '}
        {policy.mode === 'enforce'
          ? 'What it refuses today is allowed then, unless another policy refuses it.'
          : 'It refuses nothing today.'}
      </p>
      {holdsInWords(policy) && (
        <p class="notice warn">
          It lets go of every hold it laid: what it keeps can be deleted then, unless another policy
          keeps it.
        </p>
      )}
      {impact.problem ? (
        <ProblemNotice problem={impact.problem} />
      ) : impact.data ? (
        <ImpactWords impact={impact.data} />
      ) : (
        <Loading what="what it refuses" lines={2} />
      )}
      {changed ? (
        <p class="notice warn" role="alert">
          Somebody changed this policy since you opened it. Nothing was deleted: look at it first.
        </p>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </Confirm>
  );
}
