import type { ProblemDocument } from '../../contracts/wire/shapes.ts';

export type QueryValue = string | number | boolean | undefined | readonly (string | number)[];

/**
 * A request to the API as a value: what is sent, and what "show the API call" shows. `T` is the type
 * its answer has by the schema that the server answers by.
 */
export interface ApiRequest<T> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the docs: `/v1/…`. */
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Never there; it carries the type. */
  answer?: T;
}

export interface Answer<T> {
  data: T;
  /** For `If-Match`. */
  etag: string | null;
}

/** A refusal of the API (RFC 9457), or a connection that failed (status 0). */
export class ApiProblem extends Error {
  constructor(readonly document: ProblemDocument & Record<string, unknown>) {
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
let onEnd: () => void = () => undefined;

/** The token of the session, and what to do when the session is over. */
export function keepSession(token: string, ended: () => void): void {
  csrfToken = token;
  onEnd = ended;
}

/** The headers that whatever changes something carries; for uploads, which do not go through `send`. */
export function sessionHeaders(): Record<string, string> {
  return { 'X-CSRF-Token': csrfToken };
}

/** Path and query, as the API knows them. */
export function pathOf(request: Pick<ApiRequest<unknown>, 'path' | 'query'>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const text = query.toString();
  return text ? `${request.path}?${text}` : request.path;
}

/** Where the browser reaches it: behind the portal's session. */
export function urlOf(request: Pick<ApiRequest<unknown>, 'path' | 'query'>): string {
  return `/portal/api${pathOf(request)}`;
}

/** @throws ApiProblem for whatever is not a 2xx, and for a connection that fails */
export async function send<T>(request: ApiRequest<T>, signal?: AbortSignal): Promise<Answer<T>> {
  const response = await fetchOrProblem(urlOf(request), {
    method: request.method,
    headers: {
      Accept: 'application/json, application/problem+json',
      ...(request.method === 'GET' ? {} : sessionHeaders()),
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return {
    // The one place where an answer gets its type: the server checks its answers by the same schema.
    data: (text ? JSON.parse(text) : null) as T,
    etag: response.headers.get('ETag'),
  };
}

/** `fetch`, with refusals as ApiProblem. */
export async function fetchOrProblem(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem(unreachable);
  }
  if (response.ok) return response;
  const problem = problemOf(response.status, response.statusText, await response.text());
  if (problem.status === 401) onEnd();
  throw problem;
}

const unreachable: ProblemDocument = {
  type: 'about:blank',
  title: 'No connection',
  status: 0,
  code: 'no_connection',
  detail: 'The service cannot be reached. Check your connection, then try again.',
  request_id: '',
  retryable: true,
};

/** The refusal in an answer's body; a status of 0 is a connection that failed. */
export function problemOf(status: number, title: string, text: string): ApiProblem {
  if (status === 0) return new ApiProblem(unreachable);
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && 'code' in document) {
      return new ApiProblem(document as ProblemDocument & Record<string, unknown>);
    }
  } catch {
    // A proxy's page, say; told below.
  }
  return new ApiProblem({
    ...unreachable,
    title,
    status,
    code: 'unreadable_answer',
    detail: `The service answered ${status} in a form that is not its own.`,
  });
}

/** The same request for a shell, with names in the place of what is secret. */
export function asCurl(request: ApiRequest<unknown>, origin = window.location.origin): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${quote(origin + pathOf(request))}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H "X-Service-Project-ID: $PROJECT_ID"`,
    ...Object.entries(request.headers ?? {}).map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(request.body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d ${quote(JSON.stringify(request.body, null, 2))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}
