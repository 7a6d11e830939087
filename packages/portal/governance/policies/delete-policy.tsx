import type { PolicyRecord } from '@scriptorium/contracts/wire/policies';
import { useLocation } from 'wouter-preact';
import { useAction, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { impactRequest } from './draft.ts';
import { describeHolds } from './rules/descriptions.ts';
import { ImpactSummary } from './trial/impact.tsx';

/** Asks for confirmation before deleting a policy, and shows the consequences. */
export function DeletePolicyDialog(props: {
  policy: PolicyRecord;
  etag: string;
  onClose: () => void;
  /** Called if the policy was changed after it was opened. */
  onChanged: () => void;
}) {
  const { policy, etag, onClose, onChanged } = props;
  const [, navigate] = useLocation();
  const impact = useResource(impactRequest(policy.id, null));
  const { run, busy, problem } = useAction({ quiet: true });
  const hasChanged = problem?.status === 412;
  const remove = async () => {
    if (hasChanged) {
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
      action={hasChanged ? 'Reload policy' : 'Delete policy'}
      danger={!hasChanged}
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
      {describeHolds(policy) && (
        <p class="notice warn">
          Its holds are released, so the resources can be deleted, unless another policy holds them.
        </p>
      )}
      {impact.problem ? (
        <ProblemNotice problem={impact.problem} />
      ) : impact.data ? (
        <ImpactSummary impact={impact.data} rules={policy.rules} />
      ) : (
        <Loading what="impact" lines={2} />
      )}
      {hasChanged ? (
        <p class="notice warn" role="alert">
          This policy was changed after you opened it, so it was not deleted. Review it first.
        </p>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </FormDialog>
  );
}
