import { grants, type Scope } from '@scriptorium/contracts/scopes';
import type { PortalSessionRecord } from '@scriptorium/contracts/wire/portal';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiProblem, fetchOrProblem, keepSession, sessionHeaders } from '../api/request.ts';
import { ProblemState } from '../kit/states.tsx';
import { toast } from '../kit/toasts.tsx';

const path = '/portal/session';

interface Held {
  session: PortalSessionRecord;
  /** Whether the session has a scope. Actions without the required scope are hidden. */
  can: (scope: Scope) => boolean;
  logOut: () => Promise<void>;
}

const Context = createContext<Held | null>(null);

/** The current session. */
export function useSession(): Held {
  const held = useContext(Context);
  if (!held) throw new Error('useSession must be used within SessionProvider.');
  return held;
}

/** Starts a session. @throws ApiProblem if the credentials are invalid */
export async function logIn(projectId: string, apiKey: string): Promise<PortalSessionRecord> {
  const response = await fetchOrProblem(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'X-Service-Project-ID': projectId },
  });
  return (await response.json()) as PortalSessionRecord;
}

/** Renders its children with a session, and `login` without one. */
export function SessionProvider(props: {
  children: ComponentChildren;
  login: (onIn: (session: PortalSessionRecord) => void, ended: boolean) => ComponentChildren;
}) {
  const [session, setSession] = useState<PortalSessionRecord | null | undefined>();
  const [ended, setEnded] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();

  const begin = (next: PortalSessionRecord): void => {
    keepSession(next.csrf_token, () => {
      setEnded(true);
      setSession(null);
    });
    setEnded(false);
    setSession(next);
  };
  const look = (): void => {
    setProblem(undefined);
    fetchOrProblem(path).then(
      async (response) => begin((await response.json()) as PortalSessionRecord),
      (error: unknown) => {
        if (error instanceof ApiProblem && error.status !== 401) setProblem(error);
        else setSession(null);
      },
    );
  };
  useEffect(look, []);

  if (problem) return <ProblemState problem={problem} onRetry={look} />;
  if (session === undefined) return null;
  if (session === null) return <>{props.login(begin, ended)}</>;
  const held: Held = {
    session,
    can: (scope) => grants(session.scopes, scope),
    logOut: async () => {
      try {
        await fetchOrProblem(path, { method: 'DELETE', headers: sessionHeaders() });
        // A person is also signed out at the identity provider.
        if (session.user) window.location.assign('/portal/sign-out');
        else setSession(null);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        // 401: the session has already ended. On any other error it is still open.
        if (error.status === 401) setSession(null);
        else toast('bad', `Could not log out. ${error.message}`);
      }
    },
  };
  return <Context.Provider value={held}>{props.children}</Context.Provider>;
}
