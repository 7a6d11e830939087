import { Problem } from '@scriptorium/contracts/problems';
import type { Configuration, UserInfoResponse } from 'openid-client';
import type { GroupRoles } from '../../../access/people/groups.ts';
import type { ProviderProfile } from '../../../access/people/sign-in.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import { personOf, requireWebPages } from './claims.ts';
import { signInFailed } from './sign-in-failed.ts';

/** The settings of sign-in by OpenID Connect. */
export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name that is shown to people. */
  name: string;
  /** The time limit of each request to the provider. */
  timeoutSeconds: number;
  /** The claim with a person's groups; null if groups are not used. */
  roleClaim: string | null;
  groupRoles: GroupRoles;
}

/** The values that a sign-in must match when it returns from the provider. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * The URL to which the browser is redirected to sign in.
 * @throws Problem 503 if the provider is unavailable
 */
export async function startSignIn(
  settings: ProviderSettings,
  redirectUri: string,
): Promise<{ url: URL; checks: SignInChecks }> {
  const client = await import('openid-client');
  return withProviderProblems(async () => {
    const provider = await discover(settings);
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  });
}

/**
 * Exchanges the code in the URL to which the provider redirected the browser.
 * @throws Problem 403 if the response is not valid for these checks, 503 if the provider is
 *   unavailable
 */
export async function finishSignIn(
  settings: ProviderSettings,
  callbackUrl: URL,
  checks: SignInChecks,
): Promise<ProviderProfile> {
  const client = await import('openid-client');
  return withProviderProblems(async () => {
    // Runs discovery again without cached keys, because the provider's settings or keys may have
    // changed.
    const provider = await discover(settings);
    const tokens = await client.authorizationCodeGrant(provider, callbackUrl, {
      pkceCodeVerifier: checks.verifier,
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const userInfo: UserInfoResponse | undefined = provider.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : undefined;
    const { iss, sub, iat } = claims;
    return personOf(settings, { ...claims, ...userInfo, iss, sub, iat }, postgresTime());
  });
}

/**
 * The URL to which the browser is redirected to sign out at the provider too (RP-initiated logout);
 * null if the provider does not support this. Tokens are not stored, so the provider may ask for
 * confirmation.
 * @throws Problem 503 if the provider is unavailable
 */
export async function startSignOut(
  settings: ProviderSettings,
  returnTo: string,
): Promise<URL | null> {
  const client = await import('openid-client');
  return withProviderProblems(async () => {
    const provider = await discover(settings);
    if (!provider.serverMetadata().end_session_endpoint) return null;
    return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: returnTo });
  });
}

/**
 * The provider's endpoints and keys, as it publishes them.
 * @throws Problem 503 if it is unavailable, 403 if it does not respond like an identity provider
 */
export function discoverProvider(settings: ProviderSettings): Promise<Configuration> {
  return withProviderProblems(() => discover(settings));
}

async function discover(settings: ProviderSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const issuer = new URL(settings.issuer);
  const execute = [client.enableNonRepudiationChecks];
  // The configuration allows http for providers on the same machine only.
  if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
  const { clientId, clientSecret, timeoutSeconds: timeout } = settings;
  const options = { execute, timeout };
  const configuration = await client.discovery(issuer, clientId, clientSecret, undefined, options);
  requireWebPages(settings.issuer, configuration.serverMetadata());
  return configuration;
}

/** The error codes of a server that does not respond like an identity provider. */
const outageCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** The problem of a request that needs the provider while it is unavailable. */
export function providerUnavailable(): Problem {
  return new Problem(
    'dependency_unavailable',
    'The identity provider is unavailable. Try again in a moment.',
    { headers: { 'Retry-After': '30' } },
  );
}

/** Runs `work`, and converts errors of the provider to problems. */
async function withProviderProblems<T>(work: () => Promise<T>): Promise<T> {
  const client = await import('openid-client');
  try {
    return await work();
  } catch (error) {
    const isOutage =
      (error instanceof client.ClientError && outageCodes.has(error.code ?? '')) ||
      // `fetch` throws this if it cannot connect.
      (error instanceof TypeError && error.message === 'fetch failed') ||
      (error instanceof client.ResponseBodyError && error.status >= 500);
    if (isOutage) throw providerUnavailable();
    if (error instanceof client.AuthorizationResponseError) {
      const isDenied = error.error === 'access_denied';
      throw signInFailed(
        `The identity provider ${isDenied ? 'denied' : 'could not complete'} the sign-in.`,
      );
    }
    if (error instanceof client.ClientError || error instanceof client.ResponseBodyError) {
      throw signInFailed('The response of the identity provider could not be verified.');
    }
    throw error;
  }
}
