import type { Context } from 'koa';
import { clientAddress } from '../../access/addresses.ts';
import type { Identity } from '../../access/authenticate.ts';
import { askAdmission, authenticate } from '../../access/authenticate.ts';
import {
  claimIdempotency,
  fingerprintOf,
  type IdempotencyClaim,
} from '../../access/idempotency.ts';
import { limits } from '../../contracts/limits.ts';
import { invalid, invalidParameter, notFound, Problem } from '../../contracts/problems.ts';
import { allowConclusion, type Tx } from '../../db/transaction.ts';
import { departure, requirePresence, whenOver } from '../connections/presence.ts';
import { allowBody, type RawBody, requireJson } from '../requests/body.ts';
import type { Faults } from '../requests/check/faults.ts';
import { readJson } from '../requests/json.ts';
import { causeOfRequest } from '../requests/trace.ts';
import { admit, holdAgainst, occupy, requireScopes, settle } from './admit.ts';
import { compileChecks, nounOf } from './checks.ts';
import { planCompression } from './compress.ts';
import { type Exchange, type Frame, originOf } from './exchange.ts';
import { goEarly } from './foresee.ts';
import { claimOf, isReplay, keep, replay, wantedKey } from './idempotent.ts';
import { requireMatch } from './preconditions.ts';
import { receiveBody } from './receive.ts';
import { etagOf, type Reply } from './reply.ts';
import {
  type Ahead,
  type InProject,
  type JsonRoute,
  onlyReads,
  paramNames,
  type Replay,
  type Route,
  type StreamRoute,
  workOf,
} from './route.ts';
import { negotiate, render, send } from './send.ts';
import type { Asked } from './together.ts';

/** How many requests that take long one key may have open at once, for each route. */
const mostForOneKey = 16;
/** How many requests of one route may be preparing at once in this process. */
const mostPreparing = 64;

/** Makes the function that answers a route's requests, in the order of contract §1. */
export function serve(
  route: Route,
  frame: Frame,
): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const checks = compileChecks(route, frame.deps.settings.checkAnswers);
  const running = new Map<string, number>();
  return async (ctx, params) => {
    ctx.state.operation = route.operationId;
    ctx.state.route = route.path;
    planCompression(ctx, route);
    negotiate(ctx, route);
    const address = clientAddress(
      ctx.req.socket.remoteAddress,
      ctx.get('X-Forwarded-For'),
      frame.deps.settings.trustProxy,
    );
    const exchange: Omit<Exchange, 'credentials'> = {
      ctx,
      route,
      frame,
      checks,
      params,
      address,
      requestId: String(ctx.state.requestId),
      cause: causeOfRequest(ctx),
    };
    try {
      const credentials = frame.credentialsOf(ctx);
      const full: Exchange = Object.assign(exchange, { credentials });
      if (route.kind === 'json') await serveJson(full, route, running);
      else await serveStream(full, route, running);
    } catch (error) {
      throw await settle(exchange, error);
    }
  };
}

async function serveJson(
  exchange: Exchange,
  route: JsonRoute,
  running: Map<string, number>,
): Promise<void> {
  const { ctx, frame } = exchange;
  const mayHaveBody = route.method !== 'GET' && route.method !== 'DELETE';
  const raw = mayHaveBody
    ? await receiveBody(exchange, () =>
        frame.turns.read(exchange, 'quick', (tx) => admit(exchange, tx)),
      )
    : null;
  const parse = once(() => ({
    ...readBodyValue(exchange, route, raw),
    query: readQuery(exchange),
  }));

  const request: JsonRequest = { exchange, route, raw, parse };
  let prepared: unknown;
  if (route.prepare) {
    const check = (call: CheckedCall): Promise<CheckedCall> => Promise.resolve(call);
    const ready = await frame.turns[route.writes ? 'transact' : 'read'](
      exchange,
      workOf(route),
      (tx) => during(request, { tx, writes: false }, check),
    );
    if ('stored' in ready) return send(exchange, ready.stored);
    requirePresence(ctx.res);
    const most = route.concurrency ?? mostForOneKey;
    const release = occupy(running, ready.made.key.keyId, most, mostPreparing);
    try {
      prepared = await route.prepare({ ...ready.made, inProject: inProjectOf(exchange) });
    } finally {
      release();
    }
  }
  const reads = onlyReads(route);
  const answer = async (tx: Tx, asked?: Asked): Promise<Reply | Replay> => {
    const ready = await during(request, { tx, asked, writes: !reads }, (call, own, ahead) =>
      route.handler({ ...call, tx: own, prepared, ahead }),
    );
    if ('stored' in ready) return ready.stored;
    const { claim, made } = ready;
    return claim ? keep(exchange, tx, claim, made) : render(exchange, made);
  };
  const alone = (): Promise<Reply | Replay> =>
    frame.turns[reads ? 'read' : 'transact'](exchange, workOf(route), (tx) => answer(tx));
  const reply = route.together
    ? await frame.together.answer({
        ...{ exchange, value: wantedKey(exchange), alone, answer },
        ahead: (tx) => askAhead(exchange, route, tx, parse),
      })
    : await alone();
  if (!reads) frame.deps.wake();
  send(exchange, reply);
}

/** A request of a route that takes and gives JSON, with its body as it came. */
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

type CheckedCall = ReturnType<typeof callOf> & { body: never; resource: unknown };

/**
 * Does `work` in a transaction, behind all that is held against a request, in the order of contract
 * §1. Where it is likely that the request is let in, `work` begins in the packet that logs in.
 */
async function during<T>(
  request: JsonRequest,
  { tx, asked, writes }: { tx: Tx; asked?: Asked | undefined; writes: boolean },
  work: (call: CheckedCall, tx: Tx, ahead: Ahead | null) => Promise<T>,
): Promise<{ stored: Replay } | { claim: IdempotencyClaim | null; made: T }> {
  const { exchange, route, raw, parse } = request;
  const { admission, ahead } = asked ?? ask(exchange, route, tx, parse);
  const go = async (identity: Identity, own: Tx, granted?: Promise<void>): Promise<T> => {
    const call = await check(request, identity, own);
    // A handler that writes is not even begun for a request that is refused or answered again.
    if (writes) await granted;
    return work(call, own, ahead);
  };
  // What was read ahead already is all that such a route reads first.
  const early = asked || ahead ? null : goEarly(exchange, tx, go);
  try {
    const { identity, key } = await admission;
    holdAgainst(exchange, identity);
    parse();
    const claim = claimOf(exchange, identity, () =>
      fingerprintOf(exchange.ctx.path, exchange.ctx.querystring, raw?.bytes ?? ''),
    );
    if (claim) {
      const stored = replay(exchange, writes ? tx : null, claim, key!);
      if (stored) return { stored };
    } else if (writes && !asked) {
      // No answer is stored behind what the handler writes.
      allowConclusion(tx);
    }
    return { claim, made: await (early?.goOn(identity) ?? go(identity, tx)) };
  } finally {
    early?.giveUp();
  }
}

/** What is in the path, what was sent, and whether they fit. */
async function check(
  { exchange, route, parse }: JsonRequest,
  identity: Identity,
  tx: Tx,
): Promise<CheckedCall> {
  const { query, body, faults } = parse();
  const call = callOf(exchange, identity, query);
  const resource = await loadResource(exchange, route.load && (() => route.load!({ ...call, tx })));
  checkPrecondition(exchange, route, resource);
  const wrong = exchange.checks.body(body, faults);
  if (wrong.length > 0) throw invalid(wrong);
  // What stood in this call was checked against the schemas its types come from.
  return { ...call, body: body as never, resource };
}

/** Logs in, claims the Idempotency-Key and reads ahead, in one packet. */
function ask(exchange: Exchange, route: JsonRoute, tx: Tx, parse: () => { body: unknown }): Asked {
  const value = wantedKey(exchange);
  const wanted = value === null ? null : { route: route.operationId, values: [value] };
  const asked = askAdmission(tx, exchange.credentials, workOf(route), wanted);
  const ahead = askAhead(exchange, route, tx, parse);
  const admission = asked.then(({ identity, keys: [key = null] }) => ({ identity, key }));
  return { admission, ahead };
}

/** What a route reads ahead, in the packet that logs in. */
function askAhead(
  { credentials, params }: Exchange,
  route: JsonRoute,
  tx: Tx,
  parse: () => { body: unknown },
): Ahead | null {
  const { projectId } = credentials;
  if (!route.ahead || projectId === null) return null;
  let body: unknown;
  try {
    body = parse().body;
  } catch {
    // It is told in its turn, after login.
    return null;
  }
  const ahead = route.ahead({ tx, projectId, params, body });
  // A request that is refused never looks at them.
  for (const answer of Object.values(ahead ?? {})) answer.catch(() => undefined);
  return ahead;
}

/** What every handler is given. */
function callOf(exchange: Exchange, identity: Identity, query: Record<string, unknown>) {
  const { ctx, frame } = exchange;
  return {
    deps: frame.deps,
    origin: originOf(exchange, identity),
    key: identity,
    params: exchange.params,
    query,
    path: ctx.path,
    search: ctx.querystring,
    headers: ctx.req.headers,
    requestId: exchange.requestId,
  };
}

async function serveStream(
  exchange: Exchange,
  route: StreamRoute,
  running: Map<string, number>,
): Promise<void> {
  const { ctx, frame } = exchange;
  const start = await frame.turns[route.writes ? 'transact' : 'read'](
    exchange,
    workOf(route),
    async (tx) => {
      const go = async (identity: Identity, own: Tx) => {
        const base = callOf(exchange, identity, readQuery(exchange));
        const load = route.load && (() => route.load!({ ...base, tx: own }));
        return { base, resource: await loadResource(exchange, load) };
      };
      const admission = admit(exchange, tx);
      const early = goEarly(exchange, tx, go);
      try {
        const identity = await admission;
        return await (early?.goOn(identity) ?? go(identity, tx));
      } finally {
        early?.giveUp();
      }
    },
  );
  const inProject = inProjectOf(exchange);
  requirePresence(ctx.res);
  const release = occupy(running, start.base.key.keyId, route.concurrency ?? mostForOneKey);
  whenOver(ctx.res, release);
  let signal: AbortSignal | undefined;
  // What spreads into a literal and adds to it costs seven times as much.
  const own: Omit<Parameters<StreamRoute['handler']>[0], keyof typeof start.base> = {
    resource: start.resource,
    ctx,
    req: ctx.req,
    res: ctx.res,
    // Most never look at it.
    get signal() {
      signal ??= departure(ctx.res);
      return signal;
    },
    readable: () => {
      allowBody(ctx.req, ctx.res);
      return ctx.req;
    },
    inProject: async (work) => {
      const result = await inProject(work);
      if (route.method !== 'GET') frame.deps.wake();
      return result;
    },
    idempotently: async (tx, fingerprint, effect) => {
      const claim = claimOf(exchange, start.base.key, () =>
        fingerprintOf(ctx.path, ctx.querystring, fingerprint),
      );
      if (!claim) return effect();
      const stored = replay(exchange, tx, claim, await claimIdempotency(tx, claim));
      if (stored) return stored;
      const answer = await effect();
      await keep(exchange, tx, claim, answer);
      return answer;
    },
  };
  const reply = await route.handler(Object.assign(own, start.base));
  // A handler that wrote to the response itself has nothing more to send.
  if (ctx.respond === false) return;
  send(exchange, isReplay(reply) ? reply : render(exchange, reply));
}

/** Opens one transaction after the other for a request that needs several. */
function inProjectOf(exchange: Exchange): InProject {
  const { route, frame, credentials } = exchange;
  return (work) =>
    frame.turns[onlyReads(route) ? 'read' : 'transact'](exchange, workOf(route), async (tx) => {
      const admission = authenticate(tx, credentials, workOf(route));
      const begin = (identity: Identity, own: Tx) => work(own, identity);
      const early = onlyReads(route) ? goEarly(exchange, tx, begin) : null;
      try {
        const identity = await admission;
        requireScopes(route, identity);
        return await (early?.goOn(identity) ?? work(tx, identity));
      } finally {
        early?.giveUp();
      }
    });
}

function readQuery(exchange: Exchange): Record<string, unknown> {
  const { query, faults } = exchange.checks.query(exchange.ctx.querystring);
  if (!faults) return query;
  throw invalidParameter(...faults);
}

function readBodyValue(
  exchange: Exchange,
  route: JsonRoute,
  raw: RawBody | null,
): { body: unknown; faults?: Faults } {
  if (raw === null) return { body: {} };
  if (raw.tooLarge) {
    const detail = `The body is larger than ${limits.json_body_bytes} bytes.`;
    throw new Problem('payload_too_large', detail);
  }
  if (raw.bytes.length === 0 && exchange.checks.bodyMayBeEmpty) return { body: {} };
  if (raw.bytes.length > 0) requireJson(exchange.ctx.req, route.method);
  const { value, faults } = readJson(raw.bytes);
  return { body: value, faults };
}

async function loadResource(
  exchange: Exchange,
  load: (() => Promise<unknown>) | undefined,
): Promise<unknown> {
  exchange.checks.params(exchange.params);
  if (!load) return undefined;
  const resource = await load();
  if (resource !== null && resource !== undefined) return resource;
  const last = paramNames(exchange.route.path).at(-1) ?? '';
  throw notFound(nounOf(exchange.route, last), exchange.params[last] ?? '');
}

/** If-Match against the version of the resource in the path. */
function checkPrecondition(exchange: Exchange, route: JsonRoute, resource: unknown): void {
  const versioned = typeof resource === 'object' && resource !== null && 'version' in resource;
  if (!versioned || typeof resource.version !== 'number') return;
  const required = route.precondition === 'required';
  requireMatch(exchange.ctx.req.headers['if-match'], etagOf(resource.version), required);
}

/** Remembers what a function came to; one that threw is tried again. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
