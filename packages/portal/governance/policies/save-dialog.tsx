import type { PolicyRecord } from '@scriptorium/contracts/wire/policies';
import type { ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { type ApiRequest, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { impactRequest, type PolicyDraft } from './draft.ts';
import { describeHolds } from './rules/descriptions.ts';
import { PolicySummary } from './summary.tsx';
import { ImpactSummary } from './trial/impact.tsx';

interface SaveDialogProps {
  id: string | null;
  draft: PolicyDraft;
  impact: ImpactRecord;
  request: ApiRequest<PolicyRecord>;
  /** Called with the version to overwrite. */
  onEtag: (etag: string) => void;
  onDiscard: () => void;
  onClose: () => void;
  onSaved: (policy: PolicyRecord) => void;
}

/** Reviews a policy and its impact before saving, and handles conflicting changes. */
export function SaveDialog(props: SaveDialogProps) {
  const { id, draft, impact, request, onClose } = props;
  const saveAction = useAction({ quiet: true });
  const compareAction = useAction();
  const [savedPolicy, setSavedPolicy] = useState<PolicyRecord | null>(null);
  const hasConflict = saveAction.problem?.status === 412;
  const save = async () => {
    const response = await saveAction.run(request);
    if (response) props.onSaved(response.data);
  };
  const compare = async () => {
    const response =
      id === null ? undefined : await compareAction.run(requestFor('getPolicy', { id }));
    if (!response) return;
    setSavedPolicy(response.data);
    props.onEtag(response.etag ?? '');
    saveAction.clearProblem();
  };
  return (
    <Dialog
      title={savedPolicy ? 'Conflicting changes' : 'Review policy'}
      wide
      onClose={onClose}
      footer={
        <>
          {savedPolicy && <Button onClick={props.onDiscard}>Discard mine</Button>}
          <Button onClick={onClose}>Keep editing</Button>
          {hasConflict ? (
            <Button primary busy={compareAction.busy} onClick={() => void compare()}>
              Compare changes
            </Button>
          ) : (
            <Button
              primary={!savedPolicy}
              danger={savedPolicy !== null}
              busy={saveAction.busy}
              onClick={() => void save()}
            >
              {savedPolicy ? 'Overwrite with mine' : 'Save policy'}
            </Button>
          )}
        </>
      }
    >
      {savedPolicy && (
        <section class="stack">
          <h3>Saved (version {savedPolicy.version})</h3>
          <bdi class="policy-name">“{savedPolicy.name}”</bdi>
          <PolicySummary policy={savedPolicy} />
        </section>
      )}
      <section class="stack">
        <h3>{savedPolicy ? 'Yours' : 'Summary'}</h3>
        <bdi class="policy-name">“{draft.name}”</bdi>
        <PolicySummary policy={draft} />
      </section>
      <section class="stack">
        <h3>Impact</h3>
        {draft.mode === 'audit' && (
          <p>In audit mode, nothing is denied. These denials would be recorded in the audit log.</p>
        )}
        {draft.mode === 'disabled' && (
          <p>A disabled policy denies nothing. These numbers apply once it is enforced.</p>
        )}
        <ImpactSummary
          impact={impact}
          rules={draft.rules}
          requestIn={(context) => impactRequest(id, draft, context)}
        />
        {describeHolds(draft) && <p class="notice warn">{describeHolds(draft)}</p>}
      </section>
      {hasConflict ? (
        <p class="notice warn" role="alert">
          This policy was changed after you opened it. Your changes were not saved yet.
        </p>
      ) : (
        <ProblemNotice problem={saveAction.problem} />
      )}
    </Dialog>
  );
}
