import type { PolicyRecord } from '@scriptorium/contracts/wire/policies';
import type { ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { type ApiRequest, requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import type { PolicyDraft } from './draft.ts';
import { holdsInWords } from './rules/words.ts';
import { Summary } from './summary.tsx';
import { ImpactWords } from './trial/impact.tsx';

interface SaveDialogProps {
  id: string | null;
  draft: PolicyDraft;
  impact: ImpactRecord;
  request: ApiRequest<PolicyRecord>;
  /** The version to overwrite. */
  onEtag: (etag: string) => void;
  onTheirs: () => void;
  onClose: () => void;
  onSaved: (policy: PolicyRecord) => void;
}

/** Reviews a policy and its impact before saving, and handles conflicting changes. */
export function SaveDialog(props: SaveDialogProps) {
  const { id, draft, impact, request, onClose } = props;
  const saving = useAction({ quiet: true });
  const looking = useAction();
  const [theirs, setTheirs] = useState<PolicyRecord | null>(null);
  const conflict = saving.problem?.status === 412;
  const save = async () => {
    const answer = await saving.run(request);
    if (answer) props.onSaved(answer.data);
  };
  const look = async () => {
    const answer = id === null ? undefined : await looking.run(requestFor('getPolicy', { id }));
    if (!answer) return;
    setTheirs(answer.data);
    props.onEtag(answer.etag ?? '');
    saving.forget();
  };
  return (
    <Dialog
      title={theirs ? 'Conflicting changes' : 'Review policy'}
      wide
      onClose={onClose}
      footer={
        <>
          {theirs && <Button onClick={props.onTheirs}>Discard mine</Button>}
          <Button onClick={onClose}>Keep editing</Button>
          {conflict ? (
            <Button primary busy={looking.busy} onClick={() => void look()}>
              Compare changes
            </Button>
          ) : (
            <Button
              primary={!theirs}
              danger={theirs !== null}
              busy={saving.busy}
              onClick={() => void save()}
            >
              {theirs ? 'Overwrite with mine' : 'Save policy'}
            </Button>
          )}
        </>
      }
    >
      {theirs && (
        <section class="stack">
          <h3>Saved (version {theirs.version})</h3>
          <bdi class="policy-name">“{theirs.name}”</bdi>
          <Summary policy={theirs} />
        </section>
      )}
      <section class="stack">
        <h3>{theirs ? 'Yours' : 'Summary'}</h3>
        <bdi class="policy-name">“{draft.name}”</bdi>
        <Summary policy={draft} />
      </section>
      <section class="stack">
        <h3>Impact</h3>
        {draft.mode === 'audit' && (
          <p>In audit mode, nothing is denied. These denials would be recorded in the audit log.</p>
        )}
        {draft.mode === 'disabled' && (
          <p>A disabled policy denies nothing. These numbers apply once it is enforced.</p>
        )}
        <ImpactWords impact={impact} />
        {holdsInWords(draft) && <p class="notice warn">{holdsInWords(draft)}</p>}
      </section>
      {conflict ? (
        <p class="notice warn" role="alert">
          This policy was changed after you opened it. Your changes were not saved yet.
        </p>
      ) : (
        <ProblemNotice problem={saving.problem} />
      )}
    </Dialog>
  );
}
