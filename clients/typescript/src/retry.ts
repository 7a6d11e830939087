import { ScriptoriumError } from './error.ts';

const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** Who is told to wait longer than this is told so, instead of seeming to hang. */
const longestWaitSeconds = 60;

/** How a request may be sent again. */
export type Repeatable =
  /** Once more changes nothing more: reads, what has an Idempotency-Key, DELETE. */
  | 'always'
  /** Only where it is certain that nothing was done. */
  | 'untouched';

/**
 * How long to wait before a request is sent again: exponential backoff with jitter, or what
 * `Retry-After` says.
 * @param tries how often it was sent so far
 * @returns milliseconds; null when it must not be sent again
 */
export function delayBefore(
  error: ScriptoriumError,
  tries: number,
  repeatable: Repeatable,
): number | null {
  if (!mayRepeat(error, repeatable)) return null;
  if (error.retry_after !== null) {
    return error.retry_after > longestWaitSeconds ? null : error.retry_after * 1_000;
  }
  return backoff(tries);
}

/** Half a second, one, two, … eight; of each between a half and the whole. */
export function backoff(tries: number): number {
  const most = Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs);
  return most * (0.5 + Math.random() / 2);
}

function mayRepeat(error: ScriptoriumError, repeatable: Repeatable): boolean {
  const { status, code, retryable } = error;
  // Refused before anything was done.
  if (status === 429 || neverConnected(error)) return true;
  // The same request under the same key is at work, or what it needs is being made.
  if (status === 409) return code === 'idempotency_in_progress' || retryable;
  if (repeatable === 'untouched') return false;
  return status === 408 || status >= 500 || code === 'connection_failed' || code === 'timeout';
}

/** No connection came about, so nothing can have been sent. */
function neverConnected({ cause }: ScriptoriumError): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(
    causeCode(cause),
  );
}

/** How long whoever follows something stays at it while nobody answers. */
const patienceMs = 300_000;

/**
 * What follows something over breaks: tells how long to rest before it is taken up again, and when it
 * is time to give up.
 */
export class Patience {
  readonly #onBreak: ((error: ScriptoriumError) => void) | undefined;
  #failures = 0;
  /** When there was an answer last; null as long as there was none. */
  #answeredAt: number | null = null;

  /** @param onBreak told of each break that is got over */
  constructor(onBreak?: (error: ScriptoriumError) => void) {
    this.#onBreak = onBreak;
  }

  /** There was an answer. */
  answered(): void {
    this.#failures = 0;
    this.#answeredAt = performance.now();
  }

  /** Whether there has been an answer. */
  get begun(): boolean {
    return this.#answeredAt !== null;
  }

  /**
   * How long to rest after an error, in milliseconds.
   * @throws the error, when it does not pass, when nothing was answered so far, or for too long
   */
  rest(error: unknown): number {
    const late = performance.now() - (this.#answeredAt ?? Number.NEGATIVE_INFINITY) > patienceMs;
    if (!(error instanceof ScriptoriumError) || !error.retryable || late) throw error;
    this.#failures += 1;
    this.#onBreak?.(error);
    return error.retry_after === null ? backoff(this.#failures) : error.retry_after * 1_000;
  }
}

/** The system's code of what went wrong, however deep it is. */
export function causeCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error)
      return causeCode(at.errors[0]);
  }
  return '';
}

/** Waits; throws the signal's reason when it is aborted meanwhile. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
