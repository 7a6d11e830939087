import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { invalid, Problem } from '@scriptorium/contracts/problems';
import { askAdmission, type Identity } from '../../access/authenticate.ts';
import { fingerprintOf, type IdempotencyClaim } from '../../access/idempotency.ts';
import { allowCommitWithLast, type Tx } from '../../db/transaction.ts';
import { departure, requirePresence } from '../connections/responses.ts';
import { type RawBody, requireJson } from '../requests/body.ts';
import type { Faults } from '../requests/check/faults.ts';
import { readJson } from '../requests/json.ts';
import { admitRequest, applyRate } from './admit.ts';
import { claimOf, keep, replay, wantedKey } from './answers/idempotent.ts';
import { requireMatch } from './answers/preconditions.ts';
import { render, sendAnswer } from './answers/send.ts';
import {
  type Asked,
  type Exchange,
  handlerCall,
  inProjectOf,
  loadResource,
  readQuery,
  receiveBody,
} from './exchange.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Ahead, JsonRoute, ReplayedReply } from './route.ts';
import { onlyReads, workOf } from './route-facts.ts';
import type { Slots } from './slots.ts';

/** Serves a JSON route: body, checks, `prepare` and handler. */
export async function serveJson(
  exchange: Exchange,
  route: JsonRoute,
  preparing: Slots,
): Promise<void> {
  const { ctx, frame } = exchange;
  const mayHaveBody = route.method !== 'GET' && route.method !== 'DELETE';
  const raw = mayHaveBody
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
  if (route.prepare && needsPreparing(route, parse)) {
    const check = (call: CheckedCall): Promise<CheckedCall> => Promise.resolve(call);
    const ready = await frame.transactions[route.writes ? 'transact' : 'read'](
      exchange,
      workOf(route),
      (tx) => during(request, { tx, writes: false }, check),
    );
    if ('stored' in ready) return sendAnswer(exchange, ready.stored);
    requirePresence(ctx.res);
    const { projectId, caller } = ready.made.key;
    const release = preparing.take(projectId, caller.id);
    try {
      prepared = await route.prepare({
        ...ready.made,
        inProject: inProjectOf(exchange),
        signal: departure(ctx.res),
      });
    } finally {
      release();
    }
  }
  const reads = onlyReads(route);
  const answer = async (tx: Tx, asked?: Asked): Promise<Reply | ReplayedReply> => {
    const ready = await during(request, { tx, asked, writes: !reads }, (call, own, ahead) =>
      route.handler({ ...call, tx: own, prepared, ahead }),
    );
    if ('stored' in ready) return ready.stored;
    const { claim, made } = ready;
    return claim ? keep(exchange, tx, claim, made) : render(exchange, made);
  };
  const alone = (): Promise<Reply | ReplayedReply> =>
    frame.transactions[reads ? 'read' : 'transact'](exchange, workOf(route), (tx) => answer(tx));
  const reply = route.batched
    ? await frame.batches.answer({
        ...{ exchange, value: wantedKey(exchange), alone, answer },
        ahead: (tx) => askAhead(exchange, route, tx, parse),
      })
    : await alone();
  if (!reads) frame.deps.wake();
  sendAnswer(exchange, reply);
}

/**
 * Whether `prepare` must run for a request. A request whose body cannot be read is rejected later,
 * after login.
 */
function needsPreparing({ prepareWith }: JsonRoute, parse: () => Parsed): boolean {
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

type CheckedCall = ReturnType<typeof handlerCall> & { body: never; resource: unknown };

/**
 * Runs all checks of a request, in the order of docs/api.md, then `work` in the transaction. If the
 * login is likely to succeed, `work` starts in its packet.
 */
async function during<T>(
  request: JsonRequest,
  { tx, asked, writes }: { tx: Tx; asked?: Asked | undefined; writes: boolean },
  work: (call: CheckedCall, tx: Tx, ahead: Ahead | null) => Promise<T>,
): Promise<{ stored: ReplayedReply } | { claim: IdempotencyClaim | null; made: T }> {
  const { exchange, route, raw, parse } = request;
  const { admission, ahead } = asked ?? ask(exchange, route, tx, parse);
  const go = async (identity: Identity, own: Tx, granted?: Promise<void>): Promise<T> => {
    const call = await check(request, identity, own);
    // A handler that writes does not start for a request that is rejected or replayed.
    if (writes) await granted;
    return work(call, own, ahead);
  };
  // Routes with `ahead` have no other first reads.
  const early = asked || ahead ? null : prefetch(exchange, tx, go);
  try {
    const { identity, key } = await admission;
    applyRate(exchange, identity);
    parse();
    const claim = claimOf(exchange, identity, () =>
      fingerprintIn(exchange, route, raw?.bytes ?? ''),
    );
    if (claim) {
      const stored = replay(exchange, writes ? tx : null, claim, key!);
      if (stored) return { stored };
    } else if (writes && !asked) {
      // No response is stored together with the writes of the handler.
      allowCommitWithLast(tx);
    }
    return { claim, made: await (early?.resume(identity) ?? go(identity, tx)) };
  } finally {
    early?.cancel();
  }
}

/** Loads the resource, and checks the precondition and the body. */
async function check(
  { exchange, route, parse }: JsonRequest,
  identity: Identity,
  tx: Tx,
): Promise<CheckedCall> {
  const { query, body, faults } = parse();
  const call = handlerCall(exchange, identity, query);
  const resource = await loadResource(exchange, route.load && (() => route.load!({ ...call, tx })));
  checkPrecondition(exchange, route, resource);
  const wrong = exchange.checks.body(body, faults);
  if (wrong.length > 0) throw invalid(wrong);
  // The body was validated against the schema that its type is derived from.
  return { ...call, body: body as never, resource };
}

/** Sends the login, the claim of the Idempotency-Key and the first reads in one packet. */
function ask(exchange: Exchange, route: JsonRoute, tx: Tx, parse: () => { body: unknown }): Asked {
  const value = wantedKey(exchange);
  const wanted = value === null ? null : { route: route.operationId, values: [value] };
  const asked = askAdmission(tx, exchange.credentials, workOf(route), wanted);
  const ahead = askAhead(exchange, route, tx, parse);
  const admission = asked.then(({ identity, keys: [key = null] }) => ({ identity, key }));
  return { admission, ahead };
}

/** Sends a route's first reads in the packet of the login. */
function askAhead(
  { credentials, params }: Exchange,
  route: JsonRoute,
  tx: Tx,
  parse: () => { body: unknown },
): Ahead | null {
  const { projectId } = credentials;
  if (!route.ahead || projectId === null) return null;
  // Before the login, only a body of up to `smallBodyBytes` is available to be parsed
  // (`receiveBody`).
  let body: unknown;
  try {
    body = parse().body;
  } catch {
    // Reported later, after login.
    return null;
  }
  const ahead = route.ahead({ tx, projectId, params, body });
  // They are not awaited if the request is rejected.
  for (const answer of Object.values(ahead ?? {})) answer.catch(() => undefined);
  return ahead;
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
 * password is keyed: otherwise the password could be guessed from it, however well the password's
 * own hash is protected.
 */
function fingerprintIn({ ctx, frame }: Exchange, route: JsonRoute, body: Buffer | ''): Buffer {
  const plain = fingerprintOf(ctx.path, ctx.querystring, body);
  if (!route.secretBody) return plain;
  return fingerprintOf(frame.deps.signer.sign('fingerprint', plain.toString('base64url')));
}

/** Checks If-Match against the version of the resource in the path. */
function checkPrecondition(exchange: Exchange, route: JsonRoute, resource: unknown): void {
  const versioned = typeof resource === 'object' && resource !== null && 'version' in resource;
  if (!versioned || typeof resource.version !== 'number') return;
  const required = route.precondition === 'required';
  requireMatch(exchange.ctx.req.headers['if-match'], etagOf(resource.version), required);
}

/** Calls a function once; each call returns or throws the same result. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | { error: unknown } | undefined;
  return () => {
    made ??= attempt(make);
    if ('error' in made) throw made.error;
    return made.value;
  };
}

function attempt<T>(make: () => T): { value: T } | { error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
