import { shellQuote } from '@scriptorium/contracts/helpers/shell-quote';
import type { ProblemDocument } from '@scriptorium/contracts/wire/shapes';
import type { OperationId, Operations } from '../../client/src/generated.ts';
import { operations } from './operations.ts';

export type QueryValue = string | number | boolean | undefined | readonly (string | number)[];

/**
 * A request to the API as a value, to be sent or shown as a curl command. `T` is the type of the
 * response.
 */
export interface ApiRequest<T> {
  method: (typeof operations)[OperationId][0];
  /** As documented: `/v1/…`. */
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Never set; it only carries the type. */
  response?: T;
}

type Input<K extends OperationId> = Operations[K]['input'];

/** A response body: optional members may be missing, but are never undefined. */
type ResponseBody<T> = T extends object
  ? { [N in keyof T]: ResponseBody<Exclude<T[N], undefined>> }
  : T;

/** The response of an operation. */
export type ResponseOf<K extends OperationId> = ResponseBody<Operations[K]['answer']>;

/** The body of an operation. */
export type BodyOf<K extends OperationId> = Input<K> extends { body: infer B } ? B : never;

/** The parameters of an operation by name, whether in its path or query, its body and headers. */
type RequestInput<I> = {
  /** The version that was read, so that a later change is not overwritten. */
  version?: number | undefined;
  headers?: Record<string, string>;
} & (I extends Record<string, never>
  ? unknown
  : (I extends { params: infer P } ? Record<keyof P, string | number> : unknown) &
      (I extends { query?: infer Q }
        ? Partial<Record<keyof NonNullable<Q>, QueryValue>>
        : unknown) &
      (I extends { body: infer B } ? { body: B } : unknown));

interface UntypedInput {
  body?: unknown;
  version?: number | undefined;
  headers?: Record<string, string>;
  [parameter: string]: unknown;
}

/** Returns the request of an operation, by its operationId. */
export function requestFor<K extends OperationId>(
  operation: K,
  ...input: object extends RequestInput<Input<K>>
    ? [RequestInput<Input<K>>?]
    : [RequestInput<Input<K>>]
): ApiRequest<ResponseOf<K>>;
export function requestFor(
  operation: OperationId,
  { body, version, headers, ...parameters }: UntypedInput = {},
): ApiRequest<unknown> {
  const [method, template] = operations[operation];
  const query = parameters as Record<string, QueryValue>;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(query[name]);
    delete query[name];
    return value;
  });
  return {
    method,
    path,
    query,
    body,
    headers: version === undefined ? { ...headers } : { ...headers, 'If-Match': `"${version}"` },
  };
}

export interface ApiResponse<T> {
  data: T;
  /** For `If-Match`. */
  etag: string | null;
}

/** A problem returned by the API (RFC 9457), or a failed connection (status 0). */
export class ApiProblem extends Error {
  constructor(
    readonly document: ProblemDocument & Record<string, unknown>,
    /** From `Retry-After`, in seconds; null without. */
    readonly retryAfter: number | null = null,
  ) {
    super(document.detail);
    this.name = 'ApiProblem';
  }
  get status(): number {
    return this.document.status;
  }
  get code(): string {
    return this.document.code;
  }
}

let csrfToken = '';
let onSessionEnd: () => void = () => undefined;

/** Stores the session's CSRF token, and the callback for when the session ends. */
export function storeSession(token: string, handleEnd: () => void): void {
  csrfToken = token;
  onSessionEnd = handleEnd;
}

/** Returns the headers required for changes; exported for uploads, which do not use `send`. */
export function sessionHeaders(): Record<string, string> {
  return { 'X-CSRF-Token': csrfToken };
}

/** Returns the path with the query, as in the API. */
export function pathOf(request: Pick<ApiRequest<unknown>, 'path' | 'query'>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const text = query.toString();
  return text ? `${request.path}?${text}` : request.path;
}

/** Returns the URL that the browser requests, authenticated by the portal's session. */
export function urlOf(request: Pick<ApiRequest<unknown>, 'path' | 'query'>): string {
  return `/portal/api${pathOf(request)}`;
}

/** Bodies of more characters take milliseconds to parse. */
const largeBodyLength = 50_000;

/** @throws ApiProblem if the status is not 2xx or the connection fails */
export async function send<T>(
  request: ApiRequest<T>,
  signal?: AbortSignal,
): Promise<ApiResponse<T>> {
  const response = await fetchRequest(
    request,
    'application/json, application/problem+json',
    signal,
  );
  const text = await response.text();
  // The only place where a response gets its type: the server validates it against the same schema.
  const data = (text ? JSON.parse(text) : null) as T;
  if (text.length > largeBodyLength) {
    // Separates parsing from rendering, which would otherwise be one long task.
    await new Promise((resolve) => window.setTimeout(resolve));
    signal?.throwIfAborted();
  }
  return { data, etag: response.headers.get('ETag') };
}

/** Fetches the response to a request. @throws ApiProblem for an error status or a failed connection */
export function fetchRequest(
  request: ApiRequest<unknown>,
  accept: string,
  signal?: AbortSignal,
): Promise<Response> {
  return fetchOrThrow(urlOf(request), {
    method: request.method,
    headers: {
      Accept: accept,
      ...(request.method === 'GET' ? {} : sessionHeaders()),
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(signal ? { signal } : {}),
  });
}

/** Calls `fetch`. @throws ApiProblem for an error status or a failed connection */
export async function fetchOrThrow(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem(connectionProblem);
  }
  if (response.ok) return response;
  const problem = problemOf(
    response.status,
    response.statusText,
    await response.text(),
    response.headers.get('Retry-After'),
  );
  if (problem.status === 401) onSessionEnd();
  throw problem;
}

/** The problem of a request that did not reach the service. */
export const connectionProblem: ProblemDocument = {
  type: 'about:blank',
  title: 'No connection',
  status: 0,
  code: 'no_connection',
  detail: 'Could not reach the service. Check your connection and try again.',
  request_id: '',
  retryable: true,
};

/** Parses the problem in a response. Status 0 means that the connection failed. */
export function problemOf(
  status: number,
  title: string,
  text: string,
  retryAfterHeader: string | null = null,
): ApiProblem {
  if (status === 0) return new ApiProblem(connectionProblem);
  // A proxy may send a date instead of seconds.
  const retryAfter = /^\d+$/.test(retryAfterHeader ?? '') ? Number(retryAfterHeader) : null;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && 'code' in document) {
      return new ApiProblem(document as ProblemDocument & Record<string, unknown>, retryAfter);
    }
  } catch {
    // Not JSON, for example a proxy's error page: reported below.
  }
  const detail = `The service returned an unexpected response with status ${status}.`;
  return new ApiProblem(
    { ...connectionProblem, title, status, code: 'unreadable_answer', detail },
    retryAfter,
  );
}

/** Returns the request as a curl command, with variables in place of secrets. */
export function asCurl(request: ApiRequest<unknown>, origin = window.location.origin): string {
  const lines = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${shellQuote(origin + pathOf(request))}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H "X-Service-Project-ID: $PROJECT_ID"`,
    ...Object.entries(request.headers ?? {}).map(
      ([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`,
    ),
    ...(request.body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d ${shellQuote(JSON.stringify(request.body, null, 2))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}
