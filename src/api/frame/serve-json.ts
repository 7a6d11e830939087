import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem, validationFailed } from '@scriptorium/contracts/problems';
import { authenticateAndClaim, type Identity } from '../../access/authenticate.ts';
import { fingerprintOf, type IdempotencyClaim } from '../../access/idempotency.ts';
import { allowCommitWithLast, type Tx } from '../../db/transaction.ts';
import { disconnectSignal, requireConnected } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { type RawBody, requireJson } from '../requests/body.ts';
import type { Faults } from '../requests/check/faults.ts';
import { readJson } from '../requests/json.ts';
import { admitIdentity, admitRequest } from './admit.ts';
import {
  createHandlerCall,
  type Exchange,
  inProjectOf,
  type LoginQueries,
  loadResource,
  readQuery,
  receiveBody,
} from './exchange.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import { etagOf, type Reply } from './reply.ts';
import {
  claimOf,
  findStoredReply,
  readIdempotencyKey,
  storeReply,
} from './responses/idempotency.ts';
import { requireMatch } from './responses/preconditions.ts';
import { sendRouteReply, serialise } from './responses/send.ts';
import type { EarlyReads, JsonRoute, ReplayedReply } from './route.ts';
import { isReadOnlyRoute, mayHaveBody, workOf } from './route-properties.ts';
import type { Slots } from './slots.ts';

/** Serves a JSON route: body, checks, `prepare` and handler. */
export async function serveJson(
  exchange: Exchange,
  route: JsonRoute,
  prepareSlots: Slots,
): Promise<void> {
  const { ctx, frame } = exchange;
  const raw = mayHaveBody(route)
    ? await receiveBody(exchange, () =>
        frame.transactions.read(exchange, 'quick', (tx) => admitRequest(exchange, tx)),
      )
    : null;
  const parse = once(() => ({
    ...readBodyValue(exchange, route, raw),
    query: readQuery(exchange),
  }));

  const request: JsonRequest = { exchange, route, raw, parse };
  let prepared: unknown;
  if (route.prepare && needsPreparing(route, parse, frame.deps)) {
    const returnCall = (call: CheckedCall): Promise<CheckedCall> => Promise.resolve(call);
    const checked = await frame.transactions[route.writes ? 'transact' : 'read'](
      exchange,
      workOf(route),
      (tx) => runChecked(request, { tx, writes: false }, returnCall),
    );
    if ('stored' in checked) return sendRouteReply(exchange, checked.stored);
    requireConnected(ctx.res);
    const { projectId, caller } = checked.made.key;
    const release = prepareSlots.take(projectId, caller.id);
    try {
      prepared = await route.prepare({
        ...checked.made,
        inProject: inProjectOf(exchange),
        signal: disconnectSignal(ctx.res),
      });
    } finally {
      release();
    }
  }
  const isReadOnly = isReadOnlyRoute(route);
  const run = async (tx: Tx, loginQueries?: LoginQueries): Promise<Reply | ReplayedReply> => {
    const checked = await runChecked(
      request,
      { tx, asked: loginQueries, writes: !isReadOnly },
      (call, ownTx, ahead) => route.handler({ ...call, tx: ownTx, prepared, earlyReads: ahead }),
    );
    if ('stored' in checked) return checked.stored;
    const { claim, made } = checked;
    return claim ? storeReply(exchange, tx, claim, made) : serialise(exchange, made);
  };
  const runAlone = (): Promise<Reply | ReplayedReply> =>
    frame.transactions[isReadOnly ? 'read' : 'transact'](exchange, workOf(route), (tx) => run(tx));
  const reply = route.batched
    ? await frame.batches.run({
        exchange,
        idempotencyKey: readIdempotencyKey(exchange),
        runAlone,
        run,
        sendEarlyReads: (tx) => sendEarlyReads(exchange, route, tx, parse),
      })
    : await runAlone();
  if (!isReadOnly) frame.deps.wake();
  sendRouteReply(exchange, reply);
}

/**
 * Whether `prepare` must run for a request. If the body cannot be parsed, the request is rejected
 * later, after login.
 */
function needsPreparing(
  { prepareWith, prepareIf }: JsonRoute,
  parse: () => Parsed,
  deps: Deps,
): boolean {
  if (prepareIf && !prepareIf(deps)) return false;
  if (prepareWith === undefined) return true;
  try {
    const { body } = parse();
    return typeof body === 'object' && body !== null && prepareWith in body;
  } catch {
    return false;
  }
}

/** A request of a JSON route with its raw body. */
interface JsonRequest {
  exchange: Exchange;
  route: JsonRoute;
  raw: RawBody | null;
  parse: () => Parsed;
}

interface Parsed {
  query: Record<string, unknown>;
  body: unknown;
  faults?: Faults;
}

type CheckedCall = ReturnType<typeof createHandlerCall> & { body: never; resource: unknown };

/**
 * Runs all checks of a request, in the order of docs/api.md, then `work` in the transaction. If the
 * login is likely to succeed, `work` starts in its packet.
 */
async function runChecked<T>(
  request: JsonRequest,
  { tx, asked, writes }: { tx: Tx; asked?: LoginQueries | undefined; writes: boolean },
  work: (call: CheckedCall, tx: Tx, ahead: EarlyReads | null) => Promise<T>,
): Promise<{ stored: ReplayedReply } | { claim: IdempotencyClaim | null; made: T }> {
  const { exchange, route, raw, parse } = request;
  const { admission, earlyReads } = asked ?? sendLoginQueries(exchange, route, tx, parse);
  const checkAndRun = async (
    identity: Identity,
    ownTx: Tx,
    granted?: Promise<void>,
  ): Promise<T> => {
    const call = await checkRequest(request, identity, ownTx);
    // A handler that writes must not start for a request that is rejected or replayed.
    if (writes) await granted;
    return work(call, ownTx, earlyReads);
  };
  // `earlyReads` of a route replace the prefetch.
  const prefetched = asked || earlyReads ? null : prefetch(exchange, tx, checkAndRun);
  try {
    const { identity, key } = await admission;
    admitIdentity(exchange, identity);
    parse();
    const claim = claimOf(exchange, identity, () =>
      fingerprintRequest(exchange, route, raw?.bytes ?? ''),
    );
    if (claim) {
      const stored = findStoredReply(exchange, writes ? tx : null, claim, key!);
      if (stored) return { stored };
    } else if (writes && !asked) {
      // No response is stored together with the writes of the handler.
      allowCommitWithLast(tx);
    }
    return { claim, made: await (prefetched?.resume(identity) ?? checkAndRun(identity, tx)) };
  } finally {
    prefetched?.cancel();
  }
}

/** Loads the resource, and checks the precondition and the body. */
async function checkRequest(
  { exchange, route, parse }: JsonRequest,
  identity: Identity,
  tx: Tx,
): Promise<CheckedCall> {
  const { query, body, faults } = parse();
  const call = createHandlerCall(exchange, identity, query);
  const resource = await loadResource(exchange, route.load && (() => route.load!({ ...call, tx })));
  checkPrecondition(exchange, route, resource);
  const bodyFaults = exchange.checks.body(body, faults);
  if (bodyFaults.length > 0) throw validationFailed(bodyFaults);
  // The body was validated against the schema that its type is derived from.
  return { ...call, body: body as never, resource };
}

/** Sends the login, the claim of the Idempotency-Key and the first reads in one packet. */
function sendLoginQueries(
  exchange: Exchange,
  route: JsonRoute,
  tx: Tx,
  parse: () => { body: unknown },
): LoginQueries {
  const value = readIdempotencyKey(exchange);
  const claim = value === null ? null : { route: route.operationId, values: [value] };
  const login = authenticateAndClaim(tx, exchange.credentials, workOf(route), claim);
  const earlyReads = sendEarlyReads(exchange, route, tx, parse);
  const admission = login.then(({ identity, idempotencyKeys: [key = null] }) => ({
    identity,
    key,
  }));
  return { admission, earlyReads };
}

/** Sends a route's first reads in the packet of the login. */
function sendEarlyReads(
  { credentials, params }: Exchange,
  route: JsonRoute,
  tx: Tx,
  parse: () => { body: unknown },
): EarlyReads | null {
  const { projectId } = credentials;
  if (!route.earlyReads || projectId === null) return null;
  // Before the login, only a body of up to `smallBodyBytes` is available to be parsed
  // (`receiveBody`).
  let body: unknown;
  try {
    body = parse().body;
  } catch {
    // Reported later, after login.
    return null;
  }
  const earlyReads = route.earlyReads({ tx, projectId, params, body });
  // The reads are not awaited if the request is rejected.
  for (const answer of Object.values(earlyReads ?? {})) answer.catch(() => undefined);
  return earlyReads;
}

function readBodyValue(
  exchange: Exchange,
  route: JsonRoute,
  raw: RawBody | null,
): { body: unknown; faults?: Faults } {
  if (raw === null) return { body: {} };
  if (raw.tooLarge) {
    const detail = `The body must have at most ${pluralise(limits.json_body_bytes, 'byte')}.`;
    throw new Problem('payload_too_large', detail);
  }
  if (raw.bytes.length === 0 && exchange.checks.bodyMayBeEmpty) return { body: {} };
  if (raw.bytes.length > 0) requireJson(exchange.ctx.req, route.method);
  const { value, faults } = readJson(raw.bytes);
  return { body: value, faults };
}

/**
 * The fingerprint of a request. It is stored with the response, so the fingerprint of a body with a
 * password is keyed: otherwise the password could be guessed from the fingerprint, which is faster
 * to compute than the password hash.
 */
function fingerprintRequest({ ctx, frame }: Exchange, route: JsonRoute, body: Buffer | ''): Buffer {
  const plain = fingerprintOf(ctx.path, ctx.querystring, body);
  if (!route.secretBody) return plain;
  return fingerprintOf(frame.deps.signer.sign('fingerprint', plain.toString('base64url')));
}

/** Checks If-Match against the version of the resource in the path. */
function checkPrecondition(exchange: Exchange, route: JsonRoute, resource: unknown): void {
  const isVersioned = typeof resource === 'object' && resource !== null && 'version' in resource;
  if (!isVersioned || typeof resource.version !== 'number') return;
  const isRequired = route.precondition === 'required';
  requireMatch(exchange.ctx.req.headers['if-match'], etagOf(resource.version), isRequired);
}

/** Calls a function once. All calls return the same result, or throw the same error. */
export function once<T>(make: () => T): () => T {
  let outcome: { value: T } | { error: unknown } | undefined;
  return () => {
    outcome ??= attempt(make);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function attempt<T>(make: () => T): { value: T } | { error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
