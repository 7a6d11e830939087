/**
 * A route is a declaration. The router, validation, the handler's types, the checks of scopes and
 * rates, and the OpenAPI document are derived from it:
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
 *       handler: async ({ resource }) => ok(present(resource), { version: resource.version }),
 *     });
 *
 * The frame (frame/router.ts) runs it in one transaction restricted to the project, after checks in
 * the order of docs/api.md. A `load` that returns null becomes a 404, like a resource of another
 * project. Handlers throw `Problem`. Their result is serialised, stored under the Idempotency-Key
 * if one was sent, and committed before it is sent. A handler runs again if its transaction
 * conflicts with another, so its other side effects must be repeatable.
 *
 * `earlyReads` sends the first reads of a handler together with the login.
 *
 * Slow work without a transaction (a DNS lookup, a request to another service) belongs in
 * `prepare`: the frame runs all checks in a separate transaction, then `prepare` once without a
 * transaction, then the checks again and the handler.
 *
 * `streamRoute` is for bytes and for waiting: uploads, downloads, server-sent events, long polls.
 * Its handler runs without a transaction; `call.inProject` opens one at a time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { IdKind } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import type { ProblemCode } from '@scriptorium/contracts/problems';
import type { Scope } from '@scriptorium/contracts/scopes';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context } from 'koa';
import type { Static, TObject, TSchema } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Reply } from './reply.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';

/** The parameter names in a path. */
type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** The type of a path parameter: a kind of identifier, or a string schema. */
export type ParamRule = IdKind | TSchema;

type Params<Path extends string> = { [Name in ParamName<Path>]: string };

/** The response of each status: a schema, or null for bytes or no body. */
type Responses = Record<number, TSchema | null>;

/** The replies that fit a route's responses. */
type ReplyTo<R extends Responses> = {
  [Status in keyof R & number]: Reply<
    Status,
    R[Status] extends TSchema ? Static<R[Status]> : Readable | null
  >;
}[keyof R & number];

/** The parts of a call that all handlers receive. */
interface BaseCall<Path extends string, Query extends TObject> {
  deps: Deps;
  /** The origin for `record`: project, actor, address and request. */
  origin: Origin;
  key: Identity;
  params: Params<Path>;
  query: Static<Query>;
  path: string;
  /** The raw query string without `?`, which cursors are bound to (requests/cursor.ts). */
  search: string;
  headers: IncomingMessage['headers'];
  requestId: string;
}

export interface LoadCall<Path extends string, Query extends TObject>
  extends BaseCall<Path, Query> {
  tx: Tx;
}

/** The call of `earlyReads`: not validated, and before login. */
export interface EarlyReadsCall {
  tx: Tx;
  projectId: string;
  params: Record<string, string>;
  body: unknown;
}

/** The pending reads that were sent with the login. */
export type EarlyReads = Record<string, Promise<unknown>>;

/** The call of `prepare`: a request that has passed all checks, without a transaction. */
interface PrepareCall<Path extends string, Query extends TObject, Body extends TSchema, Resource>
  extends BaseCall<Path, Query> {
  body: Static<Body>;
  resource: Resource;
  /**
   * Runs `work` in a separate transaction. Splitting long work lets other requests run in between.
   */
  inProject: InProject;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Runs `work` in a separate transaction, restricted to the project. The key is checked again, since
 * it may have been revoked, and its current state is passed to `work`. Runs `work` again if the
 * transaction conflicts with another.
 */
export type InProject = <T>(work: (tx: Tx, key: Identity) => Promise<T>) => Promise<T>;

interface Call<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Resource,
  Prepared,
  Early,
> extends Omit<PrepareCall<Path, Query, Body, Resource>, 'inProject' | 'signal'> {
  tx: Tx;
  /** The result of the route's `earlyReads`, or null. */
  earlyReads: Early | null;
  /** The result of the route's `prepare`. */
  prepared: Prepared;
}

export interface StreamCall<Path extends string, Query extends TObject, Resource>
  extends BaseCall<Path, Query> {
  resource: Resource;
  ctx: Context;
  req: IncomingMessage;
  res: ServerResponse;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The bytes of the request. Call it after all checks that do not need them. */
  readable(): IncomingMessage;
  inProject: InProject;
  /**
   * The last step inside `inProject`: returns the stored reply of the Idempotency-Key, or runs
   * `effect` and stores its reply. The fingerprint identifies the request (`fingerprintOf`).
   * Without the header it just runs `effect`.
   */
  idempotently<R extends Reply>(
    tx: Tx,
    fingerprint: Buffer,
    effect: () => Promise<R>,
  ): Promise<R | ReplayedReply>;
}

/** A stored reply that is sent again. */
export interface ReplayedReply extends Reply<number, string> {
  replayed: true;
}

/** A header that a route reads, for the OpenAPI document. */
export interface RequestHeader {
  name: string;
  required?: boolean;
  schema: object;
  description: string;
}

/** The declaration shared by both kinds of routes. */
interface Declaration<
  Path extends string,
  Query extends TObject,
  DeclaredResponses extends Responses,
> {
  method: Method;
  path: Path;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The required scopes; empty means any key. */
  scopes: readonly Scope[];
  /** The rate limit that applies. Default: by the method. */
  rate?: 'read' | 'write' | 'none';
  /** The type of each path parameter. Other values are 404. */
  params?: { [Name in ParamName<Path>]: ParamRule };
  query?: Query;
  headers?: readonly RequestHeader[];
  responses: DeclaredResponses;
  /** Error codes in addition to those of the frame. */
  problems?: readonly ProblemCode[];
  /** The media types of responses. Default: JSON. */
  produces?: readonly string[];
  /** Whether it accepts an Idempotency-Key. Default: for POST. */
  idempotent?: boolean;
  /**
   * The response may contain a secret or personal data: it is stored encrypted and never
   * compressed.
   */
  secretResponse?: boolean;
  /** The request contains a password: the fingerprint for its Idempotency-Key is keyed. */
  secretBody?: true;
  /** Whether its streams are compressed. For text, not for the bytes of objects. */
  compressStream?: boolean;
  /** The response has an ETag although it does not contain a version. */
  hasEtag?: true;
  /**
   * The response can change while the version stays the same (such as a lag), so it is never a 304.
   */
  volatile?: boolean;
  /** The class of its database work. Default: `quick`. */
  work?: WorkClass;
  /**
   * Its `load`, or the handler of a GET, writes: for example an event of a policy in audit mode.
   * Without this they run without a commit (db/statements/read-only-statements).
   */
  writes?: true;
  /** The maximum number of concurrent long requests per key (429). Default: 16. */
  concurrency?: number;
}

interface RouteDeclaration<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  DeclaredResponses extends Responses,
  Resource,
  Prepared,
  Early,
> extends Declaration<Path, Query, DeclaredResponses> {
  body?: Body;
  /**
   * Sends the first reads of the handler in the packet of the login. If the login fails they return
   * nothing. Must not lock; returns null if the body does not determine what to read.
   */
  earlyReads?: (call: EarlyReadsCall) => Early | null;
  /**
   * Concurrent requests of one project share a transaction (frame/request-batching). For handlers
   * that read without locks and write only with `send`, so that a handler that throws has written
   * nothing.
   */
  batched?: true;
  /** Loads the resource in the path; null is a 404. */
  load?: (call: LoadCall<Path, Query>) => Promise<Resource | null>;
  /**
   * A loaded resource with a `version` always honours If-Match. `required` makes the header
   * mandatory (428).
   */
  precondition?: 'required';
  /** `prepare` only runs if the body has this field. Default: it always runs. */
  prepareWith?: string & keyof Static<Body>;
  /** `prepare` only runs if this returns true, for a service that it requires. */
  prepareIf?: (deps: Deps) => boolean;
  /** Runs once before the handler's transaction, while no transaction is open. */
  prepare?: (call: PrepareCall<Path, Query, Body, Resource>) => Promise<Prepared>;
  handler: (
    call: Call<Path, Query, Body, Resource, Prepared, Early>,
  ) => Promise<ReplyTo<DeclaredResponses>>;
}

interface StreamDeclaration<
  Path extends string,
  Query extends TObject,
  DeclaredResponses extends Responses,
  Resource,
> extends Declaration<Path, Query, DeclaredResponses> {
  /** The media types of the request body, for the OpenAPI document. */
  consumes?: readonly string[];
  bodyOptional?: boolean;
  load?: (call: LoadCall<Path, Query>) => Promise<Resource | null>;
  handler: (
    call: StreamCall<Path, Query, Resource>,
  ) => Promise<ReplyTo<DeclaredResponses> | Reply<number, Readable> | ReplayedReply>;
}

type Erased = RouteDeclaration<string, TObject, TSchema, Responses, unknown, unknown, EarlyReads>;
type ErasedStream = StreamDeclaration<string, TObject, Responses, unknown>;

/** A declared route with erased types. */
export type Route = ({ kind: 'json' } & Erased) | ({ kind: 'stream' } & ErasedStream);
export type JsonRoute = Extract<Route, { kind: 'json' }>;
export type StreamRoute = Extract<Route, { kind: 'stream' }>;

/** Declares a JSON route that runs in one transaction. */
export function route<
  const Path extends string,
  const DeclaredResponses extends Responses,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Resource = undefined,
  Prepared = undefined,
  Early extends EarlyReads = EarlyReads,
>(
  declaration: RouteDeclaration<Path, Query, Body, DeclaredResponses, Resource, Prepared, Early>,
): Route {
  // The handler receives exactly the values that the schemas validated.
  return { kind: 'json', ...(declaration as unknown as Erased) };
}

/** Declares a route that streams or waits, which does not fit into one transaction. */
export function streamRoute<
  const Path extends string,
  const DeclaredResponses extends Responses,
  Query extends TObject = TObject<Record<never, never>>,
  Resource = undefined,
>(declaration: StreamDeclaration<Path, Query, DeclaredResponses, Resource>): Route {
  return { kind: 'stream', ...(declaration as unknown as ErasedStream) };
}
