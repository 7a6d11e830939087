import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import type { Context } from 'koa';
import { authenticateAndClaim, type Caller, type Identity } from '../../access/authenticate.ts';
import { isWithin } from '../../access/ip-addresses.ts';
import type { RateKind, RateLimitStatus } from '../../access/rate-limits.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';
import { rateOf, workOf } from './route-properties.ts';

/** Authenticates the caller, and checks IP address, scopes and rate. */
export async function admitRequest(exchange: Exchange, tx: Tx): Promise<Identity> {
  const { identity } = await authenticateAndClaim(
    tx,
    exchange.credentials,
    workOf(exchange.route),
    null,
  );
  return admitIdentity(exchange, identity);
}

/** Checks IP address, scopes and rate, in this order, once the key is known. */
export function admitIdentity(exchange: Exchange, identity: Identity): Identity {
  const { ctx, route, frame } = exchange;
  exchange.identity = identity;
  setCaller(ctx, identity.caller);
  ctx.state.projectId = identity.projectId;
  requireAddress(exchange, identity);
  const rate = rateOf(route);
  const { kind, allowance } = rateFor(exchange, identity);
  const { rateLimits } = frame.deps;
  const report = (standing: RateLimitStatus): void => {
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    ctx.set('RateLimit-Policy', `"${kind}";q=${standing.limit};w=60`);
    ctx.set('RateLimit', `"${kind}";r=${standing.remaining};t=${standing.resetSeconds}`);
  };
  try {
    requireScopes(route, identity);
  } catch (error) {
    report(rateLimits.peek(identity.caller.id, kind, allowance));
    throw error;
  }
  // Counted once, even if the transaction is retried.
  exchange.standing ??=
    rate === 'none'
      ? rateLimits.peek(identity.caller.id, kind, allowance)
      : rateLimits.take(identity.caller.id, kind, allowance);
  report(exchange.standing);
  if (rate !== 'none' && !exchange.standing.allowed) {
    throw tooMany(
      `${identity.role ? 'A person' : 'The API key'} is limited to ${allowance} ${kind} requests per minute.`,
      exchange.standing,
    );
  }
  return identity;
}

/** Sets the caller of a request, for its log line and trace. */
export function setCaller({ state }: Context, { type, id }: Caller): void {
  if (type === 'user') state.userId = id;
  else state.keyId = id;
}

/** The origin of changes that a request makes. */
export function requestOrigin(exchange: Omit<Exchange, 'credentials'>, identity: Identity): Origin {
  return {
    projectId: identity.projectId,
    actor: identity.caller,
    address: exchange.address,
    requestId: exchange.requestId,
  };
}

/** The subject of a message about a missing scope. */
function describeHolder({ role }: Identity): string {
  return role ? `Your role \`${role}\`` : 'The API key';
}

/** The rate limit that applies to a request. */
function rateFor({ route }: Exchange, identity: Identity): { kind: RateKind; allowance: number } {
  return rateOf(route) === 'write'
    ? { kind: 'write', allowance: identity.writePerMinute ?? limits.write_requests_per_minute }
    : { kind: 'read', allowance: identity.readPerMinute ?? limits.read_requests_per_minute };
}

/** The rate limit status of the key, without counting the request. */
export function peekRate(exchange: Exchange, identity: Identity): RateLimitStatus {
  const { kind, allowance } = rateFor(exchange, identity);
  return exchange.frame.deps.rateLimits.peek(identity.caller.id, kind, allowance);
}

/** @throws Problem 403 if the key is not allowed from the IP address of the request */
export function requireAddress({ address }: Exchange, { allowedCidrs }: Identity): void {
  if (allowedCidrs.length === 0 || isWithin(address, allowedCidrs)) return;
  throw new Problem('ip_not_allowed', 'The API key is not allowed from this IP address.');
}

/** @throws Problem 403 if the key lacks a scope of the route */
export function requireScopes(route: Route, identity: Identity): void {
  const missing = route.scopes.filter((scope) => !grants(identity.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `${describeHolder(identity)} lacks the ${scopesInWords(missing)}.`,
    {
      extra: { required_scopes: route.scopes },
    },
  );
}

/**
 * Checks scopes beyond those of the route, for example for `include=…`.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireAdditionalScopes(
  identity: Identity,
  purpose: string,
  scopes: readonly Scope[],
): void {
  const missing = scopes.filter((scope) => !grants(identity.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `${describeHolder(identity)} lacks the ${scopesInWords(missing)}, required for ${purpose}.`,
    { extra: { required_scopes: scopes } },
  );
}

/**
 * Takes one of a limited number of slots per holder (by default, a key). Returns an idempotent
 * function that releases it. Slots that are also limited in total are shared among projects
 * (`slots.ts`).
 * @throws Problem 429
 */
export function takeSlot(
  runningCounts: Map<string, number>,
  id: string,
  max: number,
  holder = 'key',
): () => void {
  const current = runningCounts.get(id) ?? 0;
  if (current >= max) {
    throw new Problem(
      'rate_limited',
      `The maximum is ${max} concurrent requests of this kind per ${holder}.`,
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }
  runningCounts.set(id, current + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const remaining = (runningCounts.get(id) ?? 1) - 1;
    if (remaining > 0) runningCounts.set(id, remaining);
    else runningCounts.delete(id);
  };
}

/** Handles the side effects of an error (counts failed logins, records denials); returns the error to send. */
export async function handleRequestError(
  exchange: Omit<Exchange, 'credentials'>,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const { frame, identity, address } = exchange;
  if (error.status === 401) {
    const standing = frame.deps.rateLimits.take(
      `address:${address}`,
      'read',
      limits.failed_authentications_per_minute,
    );
    // Never blocks a valid key. Keys have 190 random bits and cannot be guessed, so this only limits
    // useless requests.
    return standing.allowed
      ? error
      : tooMany('Too many failed authentications from this IP address.', standing);
  }
  if (error.status === 403 && identity) {
    const origin = requestOrigin(exchange, identity);
    await frame.noteDenial(origin, error, exchange.route.operationId).catch((reason) => {
      frame.deps.logger.error({ err: reason }, 'denial could not be recorded');
    });
  }
  return error;
}

function tooMany(detail: string, standing: RateLimitStatus): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}

/** "`a` scope", "`a` and `b` scopes". */
function scopesInWords(scopes: readonly Scope[]): string {
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return `${names} ${scopes.length === 1 ? 'scope' : 'scopes'}`;
}
