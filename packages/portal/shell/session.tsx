import { grants, type Scope } from '@scriptorium/contracts/scopes';
import type { PortalSessionRecord } from '@scriptorium/contracts/wire/portal';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiProblem, fetchOrThrow, sessionHeaders, storeSession } from '../api/request.ts';
import { removeAllDrafts } from '../kit/drafts/draft-store.ts';
import { ProblemState } from '../kit/states.tsx';
import { toast } from '../kit/toasts.tsx';

const sessionPath = '/portal/session';

interface CurrentSession {
  session: PortalSessionRecord;
  /** Whether the session has a scope. Actions without the required scope are hidden. */
  can: (scope: Scope) => boolean;
  logOut: () => Promise<void>;
}

const SessionContext = createContext<CurrentSession | null>(null);

/** The current session. */
export function useSession(): CurrentSession {
  const current = useContext(SessionContext);
  if (!current) throw new Error('useSession must be used within SessionProvider.');
  return current;
}

/** Starts a session. @throws ApiProblem if the credentials are invalid */
export async function logIn(projectId: string, apiKey: string): Promise<PortalSessionRecord> {
  const response = await fetchOrThrow(sessionPath, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'X-Service-Project-ID': projectId },
  });
  return (await response.json()) as PortalSessionRecord;
}

/** Renders its children with a session, and `login` without one. */
export function SessionProvider(props: {
  children: ComponentChildren;
  login: (onLogin: (session: PortalSessionRecord) => void, hasEnded: boolean) => ComponentChildren;
}) {
  const [session, setSession] = useState<PortalSessionRecord | null | undefined>();
  const [hasEnded, setHasEnded] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();

  const startSession = (next: PortalSessionRecord): void => {
    storeSession(next.csrf_token, () => {
      setHasEnded(true);
      setSession(null);
    });
    setHasEnded(false);
    setSession(next);
  };
  const loadSession = (): void => {
    setProblem(undefined);
    fetchOrThrow(sessionPath).then(
      async (response) => startSession((await response.json()) as PortalSessionRecord),
      (error: unknown) => {
        if (error instanceof ApiProblem && error.status !== 401) setProblem(error);
        else setSession(null);
      },
    );
  };
  useEffect(loadSession, []);

  if (problem) return <ProblemState problem={problem} onRetry={loadSession} />;
  if (session === undefined) return null;
  if (session === null) return <>{props.login(startSession, hasEnded)}</>;
  const current: CurrentSession = {
    session,
    can: (scope) => grants(session.scopes, scope),
    logOut: async () => {
      try {
        await fetchOrThrow(sessionPath, { method: 'DELETE', headers: sessionHeaders() });
        removeAllDrafts();
        // A person is also signed out at the identity provider.
        if (session.user) window.location.assign('/portal/sign-out');
        else setSession(null);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        // 401: the session has already ended. On any other error it is still open.
        if (error.status === 401) {
          removeAllDrafts();
          setSession(null);
        } else toast('bad', `Could not log out. ${error.message}`);
      }
    },
  };
  return <SessionContext.Provider value={current}>{props.children}</SessionContext.Provider>;
}
