import type { Fault, Problem } from './generated.ts';

/** Codes of errors without a response of the API. */
export type LocalCode =
  /** The connection could not be opened, or it broke. */
  | 'connection_failed'
  /** The response did not arrive in time. */
  | 'timeout'
  /** The response is not from the API: a page of a proxy, or invalid JSON. */
  | 'unexpected_answer'
  /** The downloaded or uploaded bytes have the wrong checksum. */
  | 'content_mismatch';

/** The error of the client: a problem document of the API (RFC 9457), or a local error. */
export class ScriptoriumError extends Error {
  override readonly name = 'ScriptoriumError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The error code: `policy_denied`, `not_found`, … or a `LocalCode`. */
  readonly code: string;
  /** A description for people. */
  readonly detail: string;
  /** Include it when you contact support. Null without a response. */
  readonly request_id: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The faults in the request and their places. */
  readonly errors: readonly Fault[];
  /** Seconds to wait before a retry; null if unknown. */
  readonly retry_after: number | null;
  /**
   * The whole problem document, with members of specific codes (`violations`, `required_scopes`,
   * …).
   */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(
    // A newer service may return unknown codes.
    problem: Partial<Omit<Problem, 'code'>> & Pick<Problem, 'status' | 'detail'> & { code: string },
    { retryAfter = null, cause }: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(problem.detail, cause === undefined ? {} : { cause });
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.request_id = problem.request_id ?? null;
    this.retryable = problem.retryable ?? false;
    this.errors = problem.errors ?? [];
    this.retry_after = retryAfter;
    this.problem = { ...problem };
  }

  /** Creates an error without a response of the API. */
  static local(code: LocalCode, detail: string, cause?: unknown): ScriptoriumError {
    const retryable = code === 'connection_failed' || code === 'timeout';
    return new ScriptoriumError({ status: 0, code, detail, retryable }, { cause });
  }

  /** Creates an error from a response, reading its body. */
  static async fromResponse(response: Response): Promise<ScriptoriumError> {
    const { status, headers } = response;
    const retryAfter = readRetryAfter(headers.get('retry-after'));
    const text = await response.text().catch(() => '');
    const document = isJson(headers) ? parseObject(text) : null;
    if (document && typeof document.code === 'string' && typeof document.detail === 'string') {
      const { code, detail } = document;
      const retryable = document.retryable ?? (status === 429 || status >= 500);
      const problem = { ...document, status, code, detail, retryable: retryable === true };
      return new ScriptoriumError(problem, { retryAfter });
    }
    const detail = `The response with status ${status} is not from the API. Check the URL, and whether a proxy is in between.`;
    const request_id = headers.get('x-request-id');
    return new ScriptoriumError(
      {
        status,
        code: 'unexpected_answer',
        detail,
        retryable: status >= 500,
        ...(request_id ? { request_id } : {}),
      },
      { retryAfter },
    );
  }
}

/** Whether a response is JSON, including problem documents. */
export function isJson(headers: Headers): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Parses seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}
