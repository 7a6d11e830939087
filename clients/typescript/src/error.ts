import type { Fault, Problem } from './generated.ts';

/** What went wrong where no answer of the API says it. */
export type LocalCode =
  /** Nobody answered: no connection, or it broke. */
  | 'connection_failed'
  /** No answer in time. */
  | 'timeout'
  /** An answer that is not the API's: a proxy's page, or broken JSON. */
  | 'unexpected_answer'
  /** What was downloaded or uploaded is not what it should be. */
  | 'content_mismatch';

/** The one error of the client: a problem document of the API (RFC 9457), or why there is none. */
export class ScriptoriumError extends Error {
  override readonly name = 'ScriptoriumError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** One code, one thing to do: `policy_denied`, `not_found`, … or a `LocalCode`. */
  readonly code: string;
  /** In words, for people. */
  readonly detail: string;
  /** Tell it when you ask for help; null when there was no answer. */
  readonly request_id: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Where in the request the faults are. */
  readonly errors: readonly Fault[];
  /** Seconds to wait before another try; null when nothing was said. */
  readonly retry_after: number | null;
  /** The whole document, with members that only some codes have (`violations`, `required_scopes`, …). */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(
    // A newer service may have codes that this client does not know.
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

  /** An error that no answer of the API says. */
  static local(code: LocalCode, detail: string, cause?: unknown): ScriptoriumError {
    const retryable = code === 'connection_failed' || code === 'timeout';
    return new ScriptoriumError({ status: 0, code, detail, retryable }, { cause });
  }

  /** The error that an answer is; its body is read. */
  static async of(response: Response): Promise<ScriptoriumError> {
    const { status, headers } = response;
    const retryAfter = readRetryAfter(headers.get('retry-after'));
    const text = await response.text().catch(() => '');
    const given = isJson(headers) ? parseObject(text) : null;
    if (given && typeof given.code === 'string' && typeof given.detail === 'string') {
      const { code, detail } = given;
      const retryable = given.retryable ?? (status === 429 || status >= 500);
      const problem = { ...given, status, code, detail, retryable: retryable === true };
      return new ScriptoriumError(problem, { retryAfter });
    }
    const detail = `The answer ${status} is not one of the API's: is the address right, and is there a proxy in between?`;
    const request_id = headers.get('x-request-id');
    return new ScriptoriumError(
      {
        ...{ status, code: 'unexpected_answer', detail, retryable: status >= 500 },
        ...(request_id ? { request_id } : {}),
      },
      { retryAfter },
    );
  }
}

/** Whether an answer is JSON, a problem document included. */
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

/** Seconds, or until a date (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}
