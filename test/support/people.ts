import { createRateLimits } from '../../src/access/rate-limits.ts';
import { startApi, type Tenant, type TestApi } from './api.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

/** The API with an identity provider that its people sign in with. */
export interface PeopleApi {
  api: TestApi;
  /** Its settings are those of the API: changes take effect at the next sign-in. */
  provider: IdentityProvider;
  /** Signs in a person whom the provider does not know yet, from now on. */
  newPerson(claims?: object): { sub: string; name: string; email: string };
  /** Creates an invitation and returns its link. */
  invite(role: string, tenant?: Partial<Tenant>): Promise<string>;
  close(): Promise<void>;
}

export async function startPeopleApi(): Promise<PeopleApi> {
  let url = '';
  const provider = await startIdentityProvider(() => url);
  const api = await startApi({
    settings: { signIn: provider.settings },
    // Minutes of which each takes 60 ms: many people sign in from one address here.
    deps: () => ({ rateLimits: createRateLimits(null, () => Date.now() * 1_000) }),
  });
  url = api.url;
  // Learns where to send people back to.
  provider.changeKeys();
  let personCount = 0;
  return {
    api,
    provider,
    newPerson(claims = {}) {
      personCount += 1;
      const sub = `person-${personCount}`;
      const person = { sub, name: `Person ${personCount}`, email: `${sub}@example.com`, ...claims };
      provider.person = person;
      return person;
    },
    async invite(role, tenant = {}) {
      const response = await api.call('POST', '/v1/members/invitations', {
        ...tenant,
        body: { role },
      });
      if (response.status !== 201)
        throw new Error(`Invitation: ${response.status} ${response.text}`);
      return response.json.url;
    },
    close: async () => {
      await api.close();
      await provider.stop();
    },
  };
}
