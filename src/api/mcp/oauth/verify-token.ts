import { type Scope, scopes } from '@scriptorium/contracts/scopes';
import type { TokenCredentials } from '../../../access/authenticate.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import {
  discoverProvider,
  type ProviderSettings,
  providerUnavailable,
} from '../../portal/sign-in/provider.ts';
import { defaultTokenScopes } from './resource.ts';

/** A person, as an access token names them, and the scopes that it grants. */
type TokenHolder = Omit<TokenCredentials, 'projectId'>;

/** An access token is invalid. The message says why, without any part of it. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Signatures of a public key only: a shared secret would let its other holders make tokens. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];
const clockToleranceSeconds = 10;
/** The time after which the keys and endpoints of the provider are read again. */
const providerMs = 600_000;
/** How often an unknown key makes the keys be read again. */
const unknownKeyMs = 30_000;

/** Verifies the access token for an audience. */
export type VerifyToken = (token: string, audience: string) => Promise<TokenHolder>;

/**
 * Creates the verification of JWT access tokens (RFC 9068) of the identity provider. Only tokens with
 * the requested audience pass (RFC 8707): one that was issued for another service is of no use here.
 * It throws InvalidToken, and Problem 503 if the provider is unavailable.
 */
export function createTokenVerifier(settings: ProviderSettings): VerifyToken {
  let provider: Promise<Provider> | null = null;
  let readAgainAt = 0;
  const currentProvider = (): Promise<Provider> => {
    if (!provider || performance.now() > readAgainAt) {
      readAgainAt = performance.now() + providerMs;
      provider = readProvider(settings);
      provider.catch(() => {
        provider = null;
      });
    }
    return provider;
  };
  return async (token, audience) => {
    const { errors, jwtVerify } = await import('jose');
    const { issuer, keys } = await currentProvider();
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        issuer,
        audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(postgresTime()),
      });
      return { issuer, subject: payload.sub!, scopes: scopesOfToken(payload.scope) };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new InvalidToken('The access token has expired.');
      if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
        throw new InvalidToken(`The audience of the access token must be ${audience}.`);
      }
      const isOutage =
        error instanceof errors.JWKSTimeout ||
        error instanceof TypeError ||
        (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC');
      if (isOutage) throw providerUnavailable();
      if (error instanceof errors.JOSEError) throw new InvalidToken('The access token is invalid.');
      throw error;
    }
  };
}

interface Provider {
  issuer: string;
  keys: import('jose').JWTVerifyGetKey;
}

async function readProvider(settings: ProviderSettings): Promise<Provider> {
  const { createRemoteJWKSet } = await import('jose');
  const { issuer, jwks_uri: url } = (await discoverProvider(settings)).serverMetadata();
  if (!url) throw new InvalidToken('The identity provider has no keys.');
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: settings.timeoutSeconds * 1_000,
    cooldownDuration: unknownKeyMs,
  });
  return { issuer, keys };
}

/** The scopes of this service in a token; those for reading if it has none. */
function scopesOfToken(claim: unknown): readonly Scope[] {
  const names = typeof claim === 'string' ? claim.split(' ') : [];
  const granted = scopes.filter((scope) => scope !== '*' && names.includes(scope));
  return granted.length > 0 ? granted : defaultTokenScopes;
}
