import { isJson, ScriptoriumError } from './error.ts';
import { type Bytes, type OperationId, type Operations, operations } from './generated.ts';
import { causeCode, delayBefore, pause, type Repeatable } from './retry.ts';

/** How the client reaches the service. */
export interface ClientOptions {
  /** Where the service is: `https://scriptorium.example.com`. */
  baseUrl: string;
  /** The project all requests are made in: `prj_…`. */
  projectId: string;
  /** A key of that project: `sk_…`. */
  apiKey: string;
  /** Another implementation of fetch; the global one unless said. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is sent again after a failure that may pass; 3 unless said. */
  maxRetries?: number | undefined;
  /** How long one try may take until its answer is there, in milliseconds; 60,000 unless said. */
  timeoutMs?: number | undefined;
}

/** What can be said of one request. */
export interface RequestOptions {
  /** Ends it; what it throws is the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Of your own, where the same request may come from two processes; made here otherwise. */
  idempotencyKey?: string | undefined;
  /** The version that was read: 412 `etag_mismatch` when it has changed since. */
  ifMatch?: number | string | undefined;
  /** Your own X-Request-Id: 1 to 64 letters, digits, `-` and `_`. */
  requestId?: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
}

export type Input<K extends OperationId> = Operations[K]['input'];
export type Answer<K extends OperationId> = Operations[K]['answer'];

/** A request by its address, for what the table of operations does not tell. */
export interface RawRequest {
  method: string;
  /** With its query, from `/v1` on; or an absolute URL of the same service. */
  path: string;
  body?: Bytes;
  headers?: Record<string, string>;
  repeatable: Repeatable;
}

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Operations that read, though they are POST and take no key. */
const readingPosts: readonly OperationId[] = ['evaluatePolicies'];

/** Sends requests: addresses, headers, retries and errors, for all resources alike. */
export class Transport {
  readonly baseUrl: string;
  readonly projectId: string;
  /** How often a request is sent again unless it says otherwise. */
  readonly maxRetries: number;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    for (const name of ['baseUrl', 'projectId', 'apiKey'] as const) {
      if (!options[name]) throw new TypeError(`The client needs ${name}.`);
    }
    if (!/^https?:\/\//.test(options.baseUrl)) {
      throw new TypeError(`baseUrl must begin with http:// or https://, not '${options.baseUrl}'.`);
    }
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.projectId = options.projectId;
    this.maxRetries = options.maxRetries ?? 3;
    this.#options = options;
  }

  /**
   * Carries an operation out, and reads its answer.
   * @throws ScriptoriumError
   */
  async call<K extends OperationId>(
    id: K,
    input: Input<K>,
    options: RequestOptions = {},
  ): Promise<Answer<K>> {
    const answer = await this.#exchange(describe(id, input, options), options, readAnswer);
    // What the service answers is held against these schemas there, by its tests and in development.
    return answer as Answer<K>;
  }

  /** Carries an operation out; its answer as it came, its body not read. */
  async send<K extends OperationId>(
    id: K,
    input: Input<K>,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.request(describe(id, input, options), options);
  }

  /**
   * Sends a request, again where that is safe and may help, until there is a good answer.
   * @throws ScriptoriumError; the signal's reason when that ends it
   */
  request(request: RawRequest, options: RequestOptions = {}): Promise<Response> {
    return this.#exchange(request, options, async (response) => response);
  }

  async #exchange<T>(
    request: RawRequest,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const most = options.maxRetries ?? this.maxRetries;
    // A stream can be read once only.
    const once = request.body instanceof ReadableStream;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#try(request, options, read);
      } catch (error) {
        if (!(error instanceof ScriptoriumError) || once || tries > most) throw error;
        const delay = delayBefore(error, tries, request.repeatable);
        if (delay === null) throw error;
        await pause(delay, options.signal);
      }
    }
  }

  async #try<T>(
    request: RawRequest,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    signal?.throwIfAborted();
    const url = request.path.startsWith('http') ? request.path : this.baseUrl + request.path;
    if (!url.startsWith(`${this.baseUrl}/`)) {
      throw new TypeError(`'${url}' is not of ${this.baseUrl}: it would be told the key.`);
    }
    // Until the answer is read; of one that is streamed, until its headers are there.
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const response = await (this.#options.fetch ?? globalThis.fetch)(url, {
        method: request.method,
        headers: this.#headers(request, options),
        // A redirect would take the key along to wherever it leads.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.body instanceof ReadableStream ? { duplex: 'half' } : {}),
      });
      if (!response.ok && response.status !== 304) throw await ScriptoriumError.of(response);
      return await read(response);
    } catch (error) {
      if (error instanceof ScriptoriumError) throw error;
      signal?.throwIfAborted();
      if (late.signal.aborted) {
        const detail = `${this.baseUrl} did not answer within ${timeoutMs / 1_000} s.`;
        throw ScriptoriumError.local('timeout', detail, error);
      }
      throw connectionFailed(this.baseUrl, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #headers(request: RawRequest, options: RequestOptions): Record<string, string> {
    const { ifMatch, requestId } = options;
    return {
      Accept: 'application/json',
      ...request.headers,
      ...(ifMatch === undefined ? {} : { 'If-Match': etagOf(ifMatch) }),
      ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
      ...options.headers,
      Authorization: `Bearer ${this.#options.apiKey}`,
      'X-Service-Project-ID': this.#options.projectId,
    };
  }
}

/** Why nobody answered, with what to look at. */
export function connectionFailed(baseUrl: string, error: unknown): ScriptoriumError {
  const code = causeCode(error);
  const why = code || (error instanceof Error ? error.message : String(error));
  return ScriptoriumError.local(
    'connection_failed',
    `${baseUrl} could not be reached, or the connection broke (${why}).`,
    error,
  );
}

/**
 * The JSON of an answer; undefined where there is none.
 * @throws ScriptoriumError when it is something else
 */
async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (!isJson(response.headers)) throw await ScriptoriumError.of(response);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw ScriptoriumError.local('unexpected_answer', 'The answer is not JSON.', error);
  }
}

/** An operation as the request that it is. */
function describe<K extends OperationId>(
  id: K,
  input: Input<K>,
  options: RequestOptions,
): RawRequest {
  const { method, path, keyed, commas } = operations[id];
  const { params = {}, query = {}, body } = input as Parts;
  const bytes = body === undefined || isBytes(body);
  const headers: Record<string, string> = {
    ...(keyed ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(bytes ? {} : { 'Content-Type': 'application/json' }),
  };
  const safe = keyed || method === 'GET' || method === 'DELETE' || method === 'OPTIONS';
  return {
    method,
    path: fill(path, params) + queryString(query, commas),
    headers,
    repeatable: safe || readingPosts.includes(id) ? 'always' : 'untouched',
    ...(bytes ? (body === undefined ? {} : { body }) : { body: JSON.stringify(body) }),
  };
}

function isBytes(body: unknown): body is Exclude<Bytes, string> {
  return (
    body instanceof Blob ||
    body instanceof ReadableStream ||
    body instanceof ArrayBuffer ||
    body instanceof Uint8Array
  );
}

/** A version as the API's ETag has it; what is quoted already stays. */
function etagOf(version: number | string): string {
  const text = String(version);
  return /^(W\/)?"|^\*$/.test(text) ? text : `"${text}"`;
}

function fill(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty one would be another operation's address.
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`The ${name} of ${path} must be a string that is not empty.`);
    }
    return encodeURIComponent(value);
  });
}

/** Arrays are repeated, or one list with commas, as the API reads each. */
function queryString(query: Record<string, unknown>, commas: readonly string[]): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (!Array.isArray(value)) search.append(name, String(value));
    else if (commas.includes(name)) search.append(name, value.join(','));
    else for (const item of value) search.append(name, String(item));
  }
  const text = search.toString();
  return text && `?${text}`;
}
