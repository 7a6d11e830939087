import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import type { Context } from 'koa';
import { isWithin } from '../../access/addresses.ts';
import { askAdmission, type Caller, type Identity } from '../../access/authenticate.ts';
import type { RateKind, RateStanding } from '../../access/rate-limits.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';
import { rateOf, workOf } from './route-facts.ts';

/** Logs in, and checks IP address, scopes and rate. */
export async function admitRequest(exchange: Exchange, tx: Tx): Promise<Identity> {
  const { identity } = await askAdmission(tx, exchange.credentials, workOf(exchange.route), null);
  return applyRate(exchange, identity);
}

/** Checks IP address, scopes and rate, in this order, once the key is known. */
export function applyRate(exchange: Exchange, identity: Identity): Identity {
  const { ctx, route, frame } = exchange;
  exchange.identity = identity;
  noteCaller(ctx, identity.caller);
  ctx.state.projectId = identity.projectId;
  requireAddress(exchange, identity);
  const rate = rateOf(route);
  const { kind, allowance } = rateFor(exchange, identity);
  const { rateLimits } = frame.deps;
  const report = (standing: RateStanding): void => {
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
export function noteCaller({ state }: Context, { type, id }: Caller): void {
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

/** What lacks a scope. */
function nounOf({ role }: Identity): string {
  return role ? `Your role \`${role}\`` : 'The API key';
}

/** The rate limit that applies to a request. */
function rateFor({ route }: Exchange, identity: Identity): { kind: RateKind; allowance: number } {
  return rateOf(route) === 'write'
    ? { kind: 'write', allowance: identity.writePerMinute ?? limits.write_requests_per_minute }
    : { kind: 'read', allowance: identity.readPerMinute ?? limits.read_requests_per_minute };
}

/** The rate limit status of the key, without counting the request. */
export function peekRate(exchange: Exchange, identity: Identity): RateStanding {
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
    `${nounOf(identity)} lacks the ${scopesInWords(missing)}.`,
    {
      extra: { required_scopes: route.scopes },
    },
  );
}

/**
 * Checks scopes beyond those of the route, for example for `include=…`.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireAlso(identity: Identity, what: string, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !grants(identity.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `${nounOf(identity)} lacks the ${scopesInWords(missing)}, required for ${what}.`,
    { extra: { required_scopes: wanted } },
  );
}

/**
 * Takes one of a limited number of slots per holder (a key by default). Returns the function that
 * releases it, which is idempotent. Slots that are also bounded in total are shared among projects
 * (`slots.ts`).
 * @throws Problem 429
 */
export function occupy(
  running: Map<string, number>,
  id: string,
  max: number,
  holder = 'key',
): () => void {
  const now = running.get(id) ?? 0;
  if (now >= max) {
    throw new Problem(
      'rate_limited',
      `The maximum is ${max} concurrent requests of this kind per ${holder}.`,
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }
  running.set(id, now + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = (running.get(id) ?? 1) - 1;
    if (left > 0) running.set(id, left);
    else running.delete(id);
  };
}

/** Handles the side effects of an error: counts failed logins, records denials. */
export async function settleError(
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
    // Never blocks a valid key: 190 random bits cannot be guessed, so this only limits useless
    // requests.
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

function tooMany(detail: string, standing: RateStanding): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}

/** "`a` scope", "`a` and `b` scopes". */
function scopesInWords(scopes: readonly Scope[]): string {
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return `${names} ${scopes.length === 1 ? 'scope' : 'scopes'}`;
}
