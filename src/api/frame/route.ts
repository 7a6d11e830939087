/**
 * A route is one declaration that reads as a sentence. The router, validation, the handler's types,
 * the checks of scope and rate, and the OpenAPI document all come from it:
 *
 *     export const getObject = route({
 *       method: 'GET',
 *       path: '/v1/objects/{id}',
 *       operationId: 'getObject',
 *       tag: 'Objects',
 *       summary: 'Get an object.',
 *       scopes: ['objects:read'],
 *       params: { id: 'object' },
 *       responses: { 200: objectSchema },
 *       load: (call) => findObject(call.tx, call.params.id),
 *       handler: async (call) => ok(presentObject(call.resource), { version: call.resource.version }),
 *     });
 *
 * The frame (frame/serve.ts) runs it inside one transaction behind the project's wall, in the order of
 * contract §1. `load` answering null is 404, told like the identifier of a stranger's resource. A
 * handler throws `Problem`; what it returns is rendered, stored under the Idempotency-Key if one was
 * sent, and committed before it is sent. A handler may run again when its transaction lost a race:
 * whatever it does outside the transaction must bear that.
 *
 * What the handler reads first of all can be asked for together with login: the route's `ahead`.
 *
 * What takes long and needs no transaction (a look-up, a request to somebody else) is the route's
 * `prepare`: the frame first goes through all its checks in a transaction of their own, then runs
 * `prepare` once with none open, then the handler, behind the same checks again.
 *
 * `streamRoute` is for bytes and for waiting: uploads, downloads, server-sent events, long polls. No
 * transaction is open while its handler runs; `call.inProject` opens one at a time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Static, TObject, TSchema } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import type { IdKind } from '../../contracts/ids.ts';
import type { Origin } from '../../contracts/origin.ts';
import type { ProblemCode } from '../../contracts/problems.ts';
import type { Scope } from '../../contracts/scopes.ts';
import type { WorkClass } from '../../contracts/work.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Reply } from './reply.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';

/** The names in braces of a path. */
type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** What a path parameter is: the kind of identifier, or a schema of a string. */
type ParamRule = IdKind | TSchema;

type Params<Path extends string> = { [Name in ParamName<Path>]: string };

/** A status and what is answered with it: a schema, or null for no body or bytes. */
type Responses = Record<number, TSchema | null>;

/** The replies that fit a route's responses. */
type ReplyTo<R extends Responses> = {
  [Status in keyof R & number]: Reply<
    Status,
    R[Status] extends TSchema ? Static<R[Status]> : Readable | null
  >;
}[keyof R & number];

/** What every handler is given. */
interface AnyCall<Path extends string, Query extends TObject> {
  deps: Deps;
  /** Project, actor, address and request: `record` takes it as it is. */
  origin: Origin;
  key: Identity;
  params: Params<Path>;
  query: Static<Query>;
  path: string;
  /** The query string as it came, without `?`: cursors are bound to path and query (requests/cursor.ts). */
  search: string;
  headers: IncomingMessage['headers'];
  requestId: string;
}

export interface LoadCall<Path extends string, Query extends TObject> extends AnyCall<Path, Query> {
  tx: Tx;
}

/** What `ahead` is given: nothing of it was checked, and nobody is logged in yet. */
export interface AheadCall {
  tx: Tx;
  projectId: string;
  params: Record<string, string>;
  body: unknown;
}

/** Answers that were asked for together with login. */
export type Ahead = Record<string, Promise<unknown>>;

/** What `prepare` is given: a request that has passed all checks, and no transaction open. */
interface PrepareCall<Path extends string, Query extends TObject, Body extends TSchema, Resource>
  extends AnyCall<Path, Query> {
  body: Static<Body>;
  resource: Resource;
  /**
   * Runs `work` in a transaction of its own, as `inProject` of a stream does: long work in several of
   * these lets others pass in between.
   */
  inProject: InProject;
}

/**
 * Runs `work` in a transaction of its own behind the project's wall. The key is checked again, since
 * it may have been revoked meanwhile, and given to `work` as it is now. May run `work` again when it
 * lost a race.
 */
export type InProject = <T>(work: (tx: Tx, key: Identity) => Promise<T>) => Promise<T>;

export interface Call<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Resource,
  Prepared,
  Early,
> extends Omit<PrepareCall<Path, Query, Body, Resource>, 'inProject'> {
  tx: Tx;
  /** What the route's `ahead` asked for; null when it asked for nothing. */
  ahead: Early | null;
  /** What the route's `prepare` came to. */
  prepared: Prepared;
}

export interface StreamCall<Path extends string, Query extends TObject, Resource>
  extends AnyCall<Path, Query> {
  resource: Resource;
  ctx: Context;
  req: IncomingMessage;
  res: ServerResponse;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
  /** The request's bytes. Ask for it after what can be refused without them. */
  readable(): IncomingMessage;
  inProject: InProject;
  /**
   * Inside `inProject`, as the last thing: answers from the Idempotency-Key's store, or does
   * `effect` and stores its reply. The fingerprint says what was asked (`fingerprintOf`). Without
   * the header it only does `effect`.
   */
  idempotently<R extends Reply>(
    tx: Tx,
    fingerprint: Buffer,
    effect: () => Promise<R>,
  ): Promise<R | Replay>;
}

/** A stored reply that is sent again. */
export interface Replay extends Reply<number, string> {
  replayed: true;
}

/** A header that a route reads by itself, for the OpenAPI document. */
export interface RequestHeader {
  name: string;
  required?: boolean;
  schema: object;
  description: string;
}

/** What both kinds of routes declare. */
interface Declaration<Path extends string, Query extends TObject, Answers extends Responses> {
  method: Method;
  path: Path;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** All of them are needed; none means any key. */
  scopes: readonly Scope[];
  /** What the request counts as; by default by its method. */
  rate?: 'read' | 'write' | 'none';
  /** Each path parameter: the kind of identifier it is, or a schema of a string. Otherwise 404. */
  params?: { [Name in ParamName<Path>]: ParamRule };
  query?: Query;
  headers?: readonly RequestHeader[];
  responses: Answers;
  /** Codes of its own, besides those the frame gives every route. */
  problems?: readonly ProblemCode[];
  /** Media types it answers with; JSON unless said. */
  produces?: readonly string[];
  /** Takes an Idempotency-Key: by default every POST does. */
  idempotent?: boolean;
  /** The answer may show a secret, or what is personal: stored encrypted, and never compressed. */
  secretResponse?: boolean;
  /** Its streams are text made here, worth compressing; bytes of objects never are. */
  compressStream?: boolean;
  /** What it shows changes without the version (a lag, say): never answered with 304. */
  volatile?: boolean;
  /** What it asks of the database; `quick` unless said. */
  work?: WorkClass;
  /**
   * Its `load`, or its handler although it is a GET, writes: what a policy in audit mode would refuse,
   * say. Without this they run where nothing commits (db/reading).
   */
  writes?: true;
  /** Of those that take long, at most so many at once for each key (429); 16 unless said. */
  concurrency?: number;
}

interface RouteDeclaration<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Answers extends Responses,
  Resource,
  Prepared,
  Early,
> extends Declaration<Path, Query, Answers> {
  body?: Body;
  /**
   * Asks for what the handler reads first, in the same packet as login and behind the same wall: for
   * whoever is refused there is nothing to see. Never a read that locks; null for a body that does
   * not say what to read.
   */
  ahead?: (call: AheadCall) => Early | null;
  /**
   * Requests of one project that wait at the same time share a transaction (frame/together). For handlers
   * that read without locks and write by `send` alone: one that throws has written nothing.
   */
  together?: true;
  /** Finds the resource in the path; null is 404. */
  load?: (call: LoadCall<Path, Query>) => Promise<Resource | null>;
  /**
   * If-Match against the resource's version. A loaded resource with a `version` always honours it;
   * `required` also demands it (428).
   */
  precondition?: 'required';
  /** What is done before the handler's transaction, once, and with no other open. */
  prepare?: (call: PrepareCall<Path, Query, Body, Resource>) => Promise<Prepared>;
  handler: (call: Call<Path, Query, Body, Resource, Prepared, Early>) => Promise<ReplyTo<Answers>>;
}

interface StreamDeclaration<
  Path extends string,
  Query extends TObject,
  Answers extends Responses,
  Resource,
> extends Declaration<Path, Query, Answers> {
  /** Media types of the request body, for the OpenAPI document. */
  consumes?: readonly string[];
  bodyOptional?: boolean;
  load?: (call: LoadCall<Path, Query>) => Promise<Resource | null>;
  handler: (
    call: StreamCall<Path, Query, Resource>,
  ) => Promise<ReplyTo<Answers> | Reply<number, Readable> | Replay>;
}

type Erased = RouteDeclaration<string, TObject, TSchema, Responses, unknown, unknown, Ahead>;
type ErasedStream = StreamDeclaration<string, TObject, Responses, unknown>;

/** A declared route, its types forgotten. */
export type Route = ({ kind: 'json' } & Erased) | ({ kind: 'stream' } & ErasedStream);
export type JsonRoute = Extract<Route, { kind: 'json' }>;
export type StreamRoute = Extract<Route, { kind: 'stream' }>;

/** Declares a route that takes and gives JSON, in one transaction. */
export function route<
  const Path extends string,
  const Answers extends Responses,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Resource = undefined,
  Prepared = undefined,
  Early extends Ahead = Ahead,
>(declaration: RouteDeclaration<Path, Query, Body, Answers, Resource, Prepared, Early>): Route {
  // The frame gives the handler exactly what the schemas checked; the types meet again there.
  return { kind: 'json', ...(declaration as unknown as Erased) };
}

/** Declares a route whose bytes or time do not fit one transaction. */
export function streamRoute<
  const Path extends string,
  const Answers extends Responses,
  Query extends TObject = TObject<Record<never, never>>,
  Resource = undefined,
>(declaration: StreamDeclaration<Path, Query, Answers, Resource>): Route {
  return { kind: 'stream', ...(declaration as unknown as ErasedStream) };
}

/** Whether a rule names a kind of identifier; otherwise it is a schema. */
export function isIdKind(rule: ParamRule): rule is IdKind {
  return typeof rule === 'string';
}

/** What a parameter of a route's path is. */
export function paramRule(declared: Route, name: string): ParamRule | undefined {
  const rules: Record<string, ParamRule> | undefined = declared.params;
  return rules?.[name];
}

/** The names of a path's parameters, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
}

/** Whether a route takes an Idempotency-Key. */
export function takesIdempotencyKey(declared: Route): boolean {
  return declared.idempotent ?? declared.method === 'POST';
}

/** What a request of a route asks of the database. */
export function workOf(declared: Route): WorkClass {
  return declared.work ?? 'quick';
}

/** Whether a route changes nothing in the database. */
export function onlyReads(declared: Route): boolean {
  return declared.method === 'GET' && !declared.writes;
}

/** What a request of a route counts as. */
export function rateOf(declared: Route): 'read' | 'write' | 'none' {
  return declared.rate ?? (declared.method === 'GET' ? 'read' : 'write');
}
