import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { NewKeyRecord } from '../../../contracts/wire/keys.ts';
import { useAction } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { SecretDialog } from '../secret.tsx';
import { bodyOf, KeyForm, newFields } from './form.tsx';
import { createKey } from './requests.ts';

export function NewKey() {
  const [, navigate] = useLocation();
  const { session } = useSession();
  const [fields, setFields] = useState(() => newFields(session.key));
  const [made, setMade] = useState<NewKeyRecord | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const create = async () => {
    const answer = await run(createKey(bodyOf(fields)));
    if (answer) setMade(answer.data);
  };
  return (
    <>
      <div class="page-head">
        <h1>Create an API key</h1>
        <ApiCalls calls={[['Create the key', createKey(bodyOf(fields))]]} />
      </div>
      <form
        class="dev-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <KeyForm fields={fields} onChange={setFields} problem={problem} />
        <ProblemNotice problem={problem} />
        <div class="row">
          <Button primary type="submit" busy={busy} disabled={fields.scopes.length === 0}>
            Create API key
          </Button>
          <ButtonLink href="/">Cancel</ButtonLink>
          {fields.scopes.length === 0 && <span class="soft">Choose what it may do first.</span>}
        </div>
      </form>
      {made && (
        <SecretDialog
          title="The API key"
          what="the API key"
          secret={made.api_key}
          onClose={() => {
            toast('good', `The API key ${made.name} is made.`);
            navigate(`/${made.id}`);
          }}
        />
      )}
    </>
  );
}
