import { isJson, ScriptoriumError } from './error.ts';
import { type Bytes, type OperationId, type Operations, operations } from './generated.ts';
import { causeCode, type Repeatable, retryDelay, sleep } from './retry.ts';

/** The options of the client. */
export interface ClientOptions {
  /** The URL of the service: `https://scriptorium.example.com`. */
  baseUrl: string;
  /** The project of all requests: `prj_…`. */
  projectId: string;
  /** A key of that project: `sk_…`. */
  apiKey: string;
  /** The implementation of fetch. Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The maximum number of retries after a temporary failure. Default: 3. */
  maxRetries?: number | undefined;
  /** The timeout of one attempt in milliseconds. Default: 60,000. */
  timeoutMs?: number | undefined;
}

/** The options of one request. */
export interface RequestOptions {
  /** Aborts the request, which throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Your own key, if several processes may send the same request. Default: generated. */
  idempotencyKey?: string | undefined;
  /** The version you read: 412 `etag_mismatch` if it has changed since. */
  ifMatch?: number | string | undefined;
  /** Your own X-Request-Id: 1 to 64 letters, digits, `-` and `_`. */
  requestId?: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
}

export type Input<K extends OperationId> = Operations[K]['input'];
export type ResponseOf<K extends OperationId> = Operations[K]['answer'];

/** A request by its URL, for everything outside the table of operations. */
export interface RawRequest {
  method: string;
  /** The path with its query, from `/v1` on, or an absolute URL of the same service. */
  path: string;
  body?: Bytes;
  headers?: Record<string, string>;
  repeatable: Repeatable;
}

interface RequestParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** POST operations without an Idempotency-Key that only read. */
const readOnlyPosts: readonly OperationId[] = ['evaluatePolicies', 'searchPassages'];

/** Sends requests: URLs, headers, retries and errors. */
export class Transport {
  readonly baseUrl: string;
  readonly projectId: string;
  /** The default of `maxRetries`. */
  readonly maxRetries: number;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    for (const name of ['baseUrl', 'projectId', 'apiKey'] as const) {
      if (!options[name]) throw new TypeError(`${name} is required.`);
    }
    if (!/^https?:\/\//.test(options.baseUrl)) {
      throw new TypeError(
        `baseUrl must start with http:// or https://, but is '${options.baseUrl}'.`,
      );
    }
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.projectId = options.projectId;
    this.maxRetries = options.maxRetries ?? 3;
    this.#options = options;
  }

  /**
   * Runs an operation and returns its response.
   * @throws ScriptoriumError
   */
  async call<K extends OperationId>(
    id: K,
    input: Input<K>,
    options: RequestOptions = {},
  ): Promise<ResponseOf<K>> {
    const response = await this.sendWithRetries(
      buildRequest(id, input, options),
      options,
      readJson,
    );
    // The service validates its responses against the schemas of these types, in tests and in
    // development.
    return response as ResponseOf<K>;
  }

  /** Runs an operation; returns the raw response without reading its body. */
  async send<K extends OperationId>(
    id: K,
    input: Input<K>,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.request(buildRequest(id, input, options), options);
  }

  /**
   * Sends a request, with retries where that is safe.
   * @throws ScriptoriumError, or the reason of the signal
   */
  request(request: RawRequest, options: RequestOptions = {}): Promise<Response> {
    return this.sendWithRetries(request, options, async (response) => response);
  }

  async sendWithRetries<T>(
    request: RawRequest,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const max = options.maxRetries ?? this.maxRetries;
    // A stream can only be read once.
    const isStream = request.body instanceof ReadableStream;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.sendOnce(request, options, read);
      } catch (error) {
        if (!(error instanceof ScriptoriumError) || isStream || attempt > max) throw error;
        const delay = retryDelay(error, attempt, request.repeatable);
        if (delay === null) throw error;
        await sleep(delay, options.signal);
      }
    }
  }

  async sendOnce<T>(
    request: RawRequest,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    signal?.throwIfAborted();
    const url = request.path.startsWith('http') ? request.path : this.baseUrl + request.path;
    if (!url.startsWith(`${this.baseUrl}/`)) {
      throw new TypeError(
        `'${url}' is not a URL of ${this.baseUrl}, so the key is not sent to it.`,
      );
    }
    // Until the response is read, or for a stream until its headers arrive.
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      const response = await (this.#options.fetch ?? globalThis.fetch)(url, {
        method: request.method,
        headers: this.#headers(request, options),
        // A redirect could leak the key to another host.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.body instanceof ReadableStream ? { duplex: 'half' } : {}),
      });
      if (!response.ok && response.status !== 304)
        throw await ScriptoriumError.fromResponse(response);
      return await read(response);
    } catch (error) {
      if (error instanceof ScriptoriumError) throw error;
      signal?.throwIfAborted();
      if (timeout.signal.aborted) {
        const detail = `${this.baseUrl} did not respond within ${timeoutMs / 1_000} s.`;
        throw ScriptoriumError.local('timeout', detail, error);
      }
      throw connectionError(this.baseUrl, error);
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

/** The error for a failed connection, with its cause. */
export function connectionError(baseUrl: string, error: unknown): ScriptoriumError {
  const code = causeCode(error);
  const reason = code || (error instanceof Error ? error.message : String(error));
  return ScriptoriumError.local(
    'connection_failed',
    `${baseUrl} could not be reached, or the connection broke (${reason}).`,
    error,
  );
}

/**
 * Parses the JSON of a response; undefined for an empty response.
 * @throws ScriptoriumError if it is not JSON
 */
async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (!isJson(response.headers)) throw await ScriptoriumError.fromResponse(response);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw ScriptoriumError.local('unexpected_answer', 'The response is not valid JSON.', error);
  }
}

/** The request of an operation. */
function buildRequest<K extends OperationId>(
  id: K,
  input: Input<K>,
  options: RequestOptions,
): RawRequest {
  const { method, path, keyed, commas } = operations[id];
  const { params = {}, query = {}, body } = input as RequestParts;
  const isRaw = body === undefined || isBytes(body);
  const headers: Record<string, string> = {
    ...(keyed ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(isRaw ? {} : { 'Content-Type': 'application/json' }),
  };
  const isIdempotent = keyed || method === 'GET' || method === 'DELETE' || method === 'OPTIONS';
  return {
    method,
    path: fillPath(path, params) + queryString(query, commas),
    headers,
    repeatable: isIdempotent || readOnlyPosts.includes(id) ? 'always' : 'untouched',
    ...(isRaw ? (body === undefined ? {} : { body }) : { body: JSON.stringify(body) }),
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

/** A version as the API's ETag; quoted values are kept. */
function etagOf(version: number | string): string {
  const text = String(version);
  return /^(W\/)?"|^\*$/.test(text) ? text : `"${text}"`;
}

function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty value would produce the URL of another operation.
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`The ${name} of ${path} must be a non-empty string.`);
    }
    return encodeURIComponent(value);
  });
}

/**
 * Encodes arrays as repeated parameters or as a comma-separated list, as the API expects for each.
 */
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
