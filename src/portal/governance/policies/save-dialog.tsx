import { useState } from 'preact/hooks';
import type { ImpactRecord, PolicyRecord } from '../../../contracts/wire/policies.ts';
import { useAction } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { type Draft, getPolicy } from './requests.ts';
import { holdsInWords } from './rules/words.ts';
import { Summary } from './summary.tsx';
import { ImpactWords } from './trial/impact.tsx';

interface SaveDialogProps {
  id: string | null;
  draft: Draft;
  impact: ImpactRecord;
  request: ApiRequest<PolicyRecord>;
  /** What is saved now has this version: saving goes over it. */
  onEtag: (etag: string) => void;
  onTheirs: () => void;
  onClose: () => void;
  onSaved: (policy: PolicyRecord) => void;
}

/** What a policy will mean, before it does; and what to do when somebody else was quicker. */
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
    const answer = id === null ? undefined : await looking.run(getPolicy(id));
    if (!answer) return;
    setTheirs(answer.data);
    props.onEtag(answer.etag ?? '');
    saving.forget();
  };
  return (
    <Dialog
      title={theirs ? 'Somebody else changed it' : 'Before you save'}
      wide
      onClose={onClose}
      footer={
        <>
          {theirs && <Button onClick={props.onTheirs}>Drop my changes</Button>}
          <Button onClick={onClose}>Go on editing</Button>
          {conflict ? (
            <Button primary busy={looking.busy} onClick={() => void look()}>
              Compare with what is saved
            </Button>
          ) : (
            <Button
              primary={!theirs}
              danger={theirs !== null}
              busy={saving.busy}
              onClick={() => void save()}
            >
              {theirs ? 'Save mine over it' : 'Save the policy'}
            </Button>
          )}
        </>
      }
    >
      {theirs && (
        <section class="stack">
          <h3>Saved now (version {theirs.version})</h3>
          <bdi class="policy-name">“{theirs.name}”</bdi>
          <Summary policy={theirs} />
        </section>
      )}
      <section class="stack">
        <h3>{theirs ? 'Yours' : 'What it says'}</h3>
        <bdi class="policy-name">“{draft.name}”</bdi>
        <Summary policy={draft} />
      </section>
      <section class="stack">
        <h3>Impact</h3>
        {draft.mode === 'audit' && (
          <p>In audit mode nothing is refused: what is counted here would be recorded in Audit.</p>
        )}
        {draft.mode === 'disabled' && <p>While it is disabled it refuses nothing of this.</p>}
        <ImpactWords impact={impact} />
        {holdsInWords(draft) && <p class="notice warn">{holdsInWords(draft)}</p>}
      </section>
      {conflict ? (
        <p class="notice warn" role="alert">
          Somebody changed this policy since you opened it. Nothing was saved, and what you wrote is
          still here.
        </p>
      ) : (
        <ProblemNotice problem={saving.problem} />
      )}
    </Dialog>
  );
}
