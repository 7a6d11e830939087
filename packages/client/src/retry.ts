import { ScriptoriumError } from './error.ts';

const initialDelayMs = 500;
const maxDelayMs = 8_000;
/** A longer Retry-After is reported as an error instead of waiting. */
const maxRetryAfterSeconds = 60;

/** When a request may be retried. */
export type Repeatable =
  /** The request is idempotent: reads, requests with an Idempotency-Key, DELETE. */
  | 'always'
  /** Only if the request certainly had no effect. */
  | 'untouched';

/**
 * The delay before a retry: exponential backoff with jitter, or `Retry-After`.
 * @param attempts the number of attempts so far
 * @returns milliseconds; null if the request must not be retried
 */
export function retryDelay(
  error: ScriptoriumError,
  attempts: number,
  repeatable: Repeatable,
): number | null {
  if (!canRetry(error, repeatable)) return null;
  if (error.retry_after !== null) {
    return error.retry_after > maxRetryAfterSeconds ? null : error.retry_after * 1_000;
  }
  return backoff(attempts);
}

/** Exponential backoff from 0.5 to 8 seconds, with 50 to 100 % of each. */
export function backoff(attempts: number): number {
  const max = Math.min(initialDelayMs * 2 ** (attempts - 1), maxDelayMs);
  return max * (0.5 + Math.random() / 2);
}

function canRetry(error: ScriptoriumError, repeatable: Repeatable): boolean {
  const { status, code, retryable } = error;
  // Rejected without an effect.
  if (status === 429 || neverConnected(error)) return true;
  // The same request is in progress, or a dependency is being prepared.
  if (status === 409) return code === 'idempotency_in_progress' || retryable;
  if (repeatable === 'untouched') return false;
  return status === 408 || status >= 500 || code === 'connection_failed' || code === 'timeout';
}

/** Whether no connection was established, so nothing was sent. */
function neverConnected({ cause }: ScriptoriumError): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(
    causeCode(cause),
  );
}

/** How long to keep trying without a response, in milliseconds. */
const maxSilenceMs = 300_000;

/** Decides how long to wait before reconnecting after a failure, and when to give up. */
export class ReconnectPolicy {
  readonly #onBreak: ((error: ScriptoriumError) => void) | undefined;
  #failures = 0;
  /** The time of the last response, or null. */
  lastResponseAt: number | null = null;

  /** @param onBreak called for each failure that is retried */
  constructor(onBreak?: (error: ScriptoriumError) => void) {
    this.#onBreak = onBreak;
  }

  /** Records a response. */
  recordResponse(): void {
    this.#failures = 0;
    this.lastResponseAt = performance.now();
  }

  /** Whether there has been a response. */
  get hasResponded(): boolean {
    return this.lastResponseAt !== null;
  }

  /**
   * The delay after an error, in milliseconds.
   * @throws the error, if it is permanent, or if there has been no response yet or for too long
   */
  delayAfter(error: unknown): number {
    const isTooLate =
      performance.now() - (this.lastResponseAt ?? Number.NEGATIVE_INFINITY) > maxSilenceMs;
    if (!(error instanceof ScriptoriumError) || !error.retryable || isTooLate) throw error;
    this.#failures += 1;
    this.#onBreak?.(error);
    return error.retry_after === null ? backoff(this.#failures) : error.retry_after * 1_000;
  }
}

/** The system error code in the chain of causes, or ''. */
export function causeCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error)
      return causeCode(at.errors[0]);
  }
  return '';
}

/** Waits; throws the reason of the signal if it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
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
