import type { NewKeyRecord } from '@scriptorium/contracts/wire/keys';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { DraftNotice } from '../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../kit/drafts/use-draft.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { KeyForm, keyBody, newKeyFields } from './form.tsx';

export function NewKey() {
  const [, navigate] = useLocation();
  const { session } = useSession();
  const edited = useDraft('key new', newKeyFields(session.key));
  const fields = edited.value;
  const [newKey, setNewKey] = useState<NewKeyRecord | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const create = async () => {
    const response = await run(requestFor('createKey', { body: keyBody(fields) }));
    if (!response) return;
    edited.reset(fields);
    setNewKey(response.data);
  };
  return (
    <>
      <PageHead
        title="Create API key"
        crumbs={[['API keys', '/']]}
        calls={[['Create API key', requestFor('createKey', { body: keyBody(fields) })]]}
      />
      <form
        class="dev-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <DraftNotice draft={edited} />
        <KeyForm fields={fields} onChange={edited.set} problem={problem} />
        <ProblemNotice problem={problem} />
        <div class="row">
          <Button primary type="submit" busy={busy} disabled={fields.scopes.length === 0}>
            Create API key
          </Button>
          <ButtonLink href="/" onClick={() => edited.reset()}>
            Cancel
          </ButtonLink>
          {fields.scopes.length === 0 && <span class="soft">Select at least one scope.</span>}
        </div>
      </form>
      {newKey && (
        <SecretDialog
          title="API key"
          what="API key"
          secret={newKey.api_key}
          onClose={() => {
            toast('good', `API key ${newKey.name} created.`);
            navigate(`/${newKey.id}`);
          }}
        />
      )}
    </>
  );
}
