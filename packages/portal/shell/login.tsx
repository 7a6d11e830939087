import type { PortalSessionRecord, SignInOptions } from '@scriptorium/contracts/wire/portal';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../api/hooks.ts';
import { ApiProblem, fetchOrThrow } from '../api/request.ts';
import icon from '../icon.svg';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/fields/field.tsx';
import { ProblemNotice } from '../kit/states.tsx';
import { logIn } from './session.tsx';

/** The login form: exchanges an API key for a session. */
export function Login({
  onLogin,
  hasEnded,
}: {
  onLogin: (session: PortalSessionRecord) => void;
  hasEnded: boolean;
}) {
  const provider = useProviderName();
  const [project, setProject] = useState('');
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      onLogin(await logIn(project.trim(), key.trim()));
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <main class="login">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="row">
          <img src={icon} alt="" width={32} height={32} />
          <h1>Scriptorium</h1>
        </div>
        {provider && (
          <>
            <SignInButton provider={provider} />
            <p class="soft">Or log in with an API key:</p>
          </>
        )}
        {hasEnded && <p class="notice warn">Your session has expired. Log in again to continue.</p>}
        <TextField
          label="Project ID"
          hint="Starts with prj_"
          value={project}
          onInput={setProject}
          autocomplete="username"
          required
        />
        <TextField
          label="API key"
          hint="Starts with sk_. The key is exchanged for a 12-hour session and is not stored in this browser."
          type="password"
          value={key}
          onInput={setKey}
          autocomplete="current-password"
          required
        />
        <ProblemNotice problem={problem} />
        <Button primary={!provider} type="submit" busy={busy}>
          Log in
        </Button>
        <p class="soft">
          <a href="/docs/api#api-keys">How to get a project and a key</a> ·{' '}
          <a href="/docs">Documentation</a>
        </p>
      </form>
    </main>
  );
}

/** The name of the identity provider; null without one, undefined until it is known. */
function useProviderName(): string | null | undefined {
  const [name, setName] = useState<string | null | undefined>();
  useEffect(() => {
    fetchOrThrow('/portal/sign-in/options').then(
      async (response) => setName(((await response.json()) as SignInOptions).provider),
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error;
        setName(null);
      },
    );
  }, []);
  return name;
}

/** Links to the identity provider. A link, because the browser leaves the page. */
function SignInButton({ provider }: { provider: string }) {
  return (
    <a class="button primary" href="/portal/sign-in">
      Sign in with {provider}
    </a>
  );
}
