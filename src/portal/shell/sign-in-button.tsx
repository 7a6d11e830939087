import { useEffect, useState } from 'preact/hooks';
import type { SignInOptions } from '../../contracts/wire/portal.ts';
import { ApiProblem, fetchOrProblem } from '../api/request.ts';

/** The name of the identity provider; null without one, undefined until it is known. */
export function useProvider(): string | null | undefined {
  const [name, setName] = useState<string | null | undefined>();
  useEffect(() => {
    fetchOrProblem('/portal/sign-in/options').then(
      async (response) => setName(((await response.json()) as SignInOptions).provider),
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error;
        setName(null);
      },
    );
  }, []);
  return name;
}

/** Leads to the identity provider. A link, since the browser leaves the page. */
export function SignInButton({ provider }: { provider: string }) {
  return (
    <a class="button primary" href="/portal/sign-in">
      Sign in with {provider}
    </a>
  );
}
