import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scopes } from '@scriptorium/contracts/scopes';
import { type Context, Provider } from 'oidc-provider';
import type { ProviderSettings } from '../../src/api/portal/sign-in/provider.ts';

/** The provider's claims about a person. */
interface Claims {
  sub: string;
  name?: string;
  email?: string;
  groups?: string[];
  [claim: string]: unknown;
}

/** A real identity provider on loopback, at which one person is signed in at a time. */
export interface IdentityProvider {
  settings: ProviderSettings;
  /** Who signs in next; null denies. */
  person: Claims | null;
  /** Answers nothing until it is set back. */
  isSilent: boolean;
  /** Goes on with other keys, and forgets everything. */
  changeKeys(): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** Starts the provider for a service at `serviceUrl`, which may be known later. */
export async function startIdentityProvider(serviceUrl: () => string): Promise<IdentityProvider> {
  const server = createServer((request, response) => {
    if (provider.isSilent) return;
    // Some browsers request it, and report a 404 as an error of the page.
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    if (request.url?.startsWith('/interaction/')) {
      const result = provider.person
        ? { login: { accountId: provider.person.sub } }
        : { error: 'access_denied' };
      void current.interactionFinished(request, response, result);
      return;
    }
    void callback(request, response);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const createProvider = (): Provider =>
    new Provider(
      issuer,
      configuration(serviceUrl, () => provider.person),
    );
  const settings = {
    issuer,
    clientId: 'scriptorium',
    clientSecret: 'a secret of the tests',
    name: 'Example Login',
    // Only a test of a silent provider lowers it.
    timeoutSeconds: 60,
    roleClaim: null,
    groupRoles: new Map(),
  };
  let current: Provider;
  let callback: ReturnType<Provider['callback']>;
  const provider: IdentityProvider = {
    settings,
    person: null,
    isSilent: false,
    changeKeys() {
      current = createProvider();
      callback = current.callback();
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
    restart: () => listen(port),
  };
  provider.changeKeys();
  return provider;
}

function configuration(serviceUrl: () => string, person: () => Claims | null): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomUUID(),
    use: 'sig',
    alg: 'RS256',
  };
  return {
    clients: [
      {
        client_id: 'scriptorium',
        client_secret: 'a secret of the tests',
        redirect_uris: [`${serviceUrl()}/portal/sign-in/callback`],
        post_logout_redirect_uris: [`${serviceUrl()}/portal/`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
      // A client of the Model Context Protocol, such as a program on a person's machine.
      {
        client_id: 'model-client',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${serviceUrl()}/model-client`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        // Unlike the provider's own page, it loads no fonts from elsewhere.
        logoutSource: (context: { body: string }, form: string) => {
          context.body = `<!doctype html><html lang="en"><title>Sign out</title>
            <main><h1>Do you want to sign out?</h1>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></main>`;
        },
      },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    claims: {
      openid: ['sub', 'groups'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => person() ?? { sub: accountId },
    }),
    // Everyone consents.
    loadExistingGrant: async ({ oidc }: Context) => {
      const { client, session, provider, params } = oidc;
      const { clientId } = client;
      const grant = new provider.Grant({ clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email');
      const { resource } = params;
      if (typeof resource === 'string') grant.addResourceScope(resource, scopes.join(' '));
      await grant.save();
      return grant;
    },
  };
}
