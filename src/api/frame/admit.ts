import { isWithin } from '../../access/addresses.ts';
import { askAdmission, type Identity } from '../../access/authenticate.ts';
import type { RateKind, Standing } from '../../access/rate-limits.ts';
import { limits } from '../../contracts/limits.ts';
import { Problem } from '../../contracts/problems.ts';
import { grants, type Scope } from '../../contracts/scopes.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Exchange, originOf } from './exchange.ts';
import { type Route, rateOf, workOf } from './route.ts';

/** Credential, project header, address, scope, rate: who may go on. */
export async function admit(exchange: Exchange, tx: Tx): Promise<Identity> {
  const { identity } = await askAdmission(tx, exchange.credentials, workOf(exchange.route), null);
  return holdAgainst(exchange, identity);
}

/** What is held against a request once its key is known: address, scope and rate, in this order. */
export function holdAgainst(exchange: Exchange, identity: Identity): Identity {
  const { ctx, route, frame } = exchange;
  exchange.identity = identity;
  ctx.state.keyId = identity.keyId;
  ctx.state.projectId = identity.projectId;
  if (identity.allowedCidrs.length > 0 && !isWithin(exchange.address, identity.allowedCidrs)) {
    throw new Problem('ip_not_allowed', 'The API key may not be used from this address.');
  }
  const rate = rateOf(route);
  const { kind, allowance } = rateFor(exchange, identity);
  const { rateLimits } = frame.deps;
  const tell = (standing: Standing): void => {
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    ctx.set('RateLimit-Policy', `"${kind}";q=${standing.limit};w=60`);
    ctx.set('RateLimit', `"${kind}";r=${standing.remaining};t=${standing.resetSeconds}`);
  };
  try {
    requireScopes(route, identity);
  } catch (error) {
    tell(rateLimits.peek(identity.keyId, kind, allowance));
    throw error;
  }
  // Counted once, however often the transaction is tried.
  exchange.standing ??=
    rate === 'none'
      ? rateLimits.peek(identity.keyId, kind, allowance)
      : rateLimits.take(identity.keyId, kind, allowance);
  tell(exchange.standing);
  if (rate !== 'none' && !exchange.standing.allowed) {
    throw tooMany(`This key may make ${allowance} ${kind} requests a minute.`, exchange.standing);
  }
  return identity;
}

/** What a request counts as, and how many of these its key may make. */
function rateFor({ route }: Exchange, identity: Identity): { kind: RateKind; allowance: number } {
  return rateOf(route) === 'write'
    ? { kind: 'write', allowance: identity.writePerMinute ?? limits.write_requests_per_minute }
    : { kind: 'read', allowance: identity.readPerMinute ?? limits.read_requests_per_minute };
}

/** How the key of a request stands, without counting. */
export function peekRate(exchange: Exchange, identity: Identity): Standing {
  const { kind, allowance } = rateFor(exchange, identity);
  return exchange.frame.deps.rateLimits.peek(identity.keyId, kind, allowance);
}

/** @throws Problem 403 when the key lacks a scope that the route needs */
export function requireScopes(route: Route, identity: Identity): void {
  const missing = route.scopes.filter((scope) => !grants(identity.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `The API key needs the scope ${missing.join(' and ')} for this.`,
    { extra: { required_scopes: route.scopes } },
  );
}

/**
 * Holds a key to the scopes of what it asks for beyond the route's own: `include=…`, a query.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireAlso(identity: Identity, what: string, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !grants(identity.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `The API key needs the scope ${missing.join(' and ')} for ${what}.`,
    { extra: { required_scopes: wanted } },
  );
}

/**
 * At most so many at once for each holder (a key, unless said), and in all. Returns what gives the place back, which has no
 * effect the second time.
 * @throws Problem 429
 */
export function occupy(
  running: Map<string, number>,
  id: string,
  most: number,
  mostInAll = Number.POSITIVE_INFINITY,
  holder = 'key',
): () => void {
  let inAll = 0;
  for (const count of running.values()) inAll += count;
  if (inAll >= mostInAll) {
    throw new Problem('rate_limited', 'Too many of these are under way; ask again in a moment.', {
      headers: { 'Retry-After': '1' },
    });
  }
  const now = running.get(id) ?? 0;
  if (now >= most) {
    throw new Problem('rate_limited', `This ${holder} may have ${most} of these open at once.`, {
      headers: { 'Retry-After': '1' },
    });
  }
  running.set(id, now + 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (running.get(id) ?? 1) - 1;
    if (left > 0) running.set(id, left);
    else running.delete(id);
  };
}

/** What an error means beyond its answer: failed logins are counted, refusals are recorded. */
export async function settle(
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
    // Never in the way of a good key: 190 random bits are not guessed, this only damps the noise.
    return standing.allowed
      ? error
      : tooMany('Too many failed authentications from this address.', standing);
  }
  if (error.status === 403 && identity) {
    const origin = originOf(exchange, identity);
    await frame.noteDenial(origin, error, exchange.route.operationId).catch((reason) => {
      frame.deps.logger.error({ err: reason }, 'a refusal could not be recorded');
    });
  }
  return error;
}

function tooMany(detail: string, standing: Standing): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}
