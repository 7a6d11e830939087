import type { PolicyRecord } from '@scriptorium/contracts/wire/policies';
import { useLocation } from 'wouter-preact';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { policyImpact } from './draft.ts';
import { holdsInWords } from './rules/words.ts';
import { ImpactWords } from './trial/impact.tsx';

/** Asks for confirmation before deleting a policy, and shows the consequences. */
export function DeletePolicy(props: {
  policy: PolicyRecord;
  etag: string;
  onClose: () => void;
  /** The policy was changed after it was opened. */
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
    if (!(await run(requestFor('deletePolicy', { id: policy.id, headers: { 'If-Match': etag } }))))
      return;
    toast('good', `Policy “${policy.name}” deleted.`);
    navigate('/');
  };
  return (
    <FormDialog
      title="Delete this policy?"
      action={changed ? 'Reload policy' : 'Delete policy'}
      danger={!changed}
      busy={busy}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        <bdi class="policy-name">“{policy.name}”</bdi> stops applying immediately.{' '}
        {policy.mode === 'enforce'
          ? 'Actions that it denies now will be allowed, unless another policy denies them.'
          : 'It currently denies nothing.'}
      </p>
      {holdsInWords(policy) && (
        <p class="notice warn">
          Its holds are released, so the resources can be deleted, unless another policy holds them.
        </p>
      )}
      {impact.problem ? (
        <ProblemNotice problem={impact.problem} />
      ) : impact.data ? (
        <ImpactWords impact={impact.data} />
      ) : (
        <Loading what="impact" lines={2} />
      )}
      {changed ? (
        <p class="notice warn" role="alert">
          This policy was changed after you opened it, so it was not deleted. Review it first.
        </p>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </FormDialog>
  );
}
