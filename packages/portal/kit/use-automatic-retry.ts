import { useEffect, useRef } from 'preact/hooks';

/** The delays before each retry, in milliseconds; the last one repeats. */
const delaysMs = [2_000, 5_000, 10_000, 30_000];

/** A failed attempt: each attempt that fails gives another one. */
interface FailedAttempt {
  /** The minimum delay that the service asks for, in seconds. */
  retryAfter: number | null;
}

/**
 * Calls `retry` once after each failed attempt, while the component is mounted: after a delay that
 * grows, or when the browser is online again. A retry that is still running is not repeated. Null does
 * nothing.
 */
export function useAutomaticRetry(failed: FailedAttempt | null, retry: () => void): void {
  const latestRetry = useRef(retry);
  latestRetry.current = retry;
  // Survives retries that clear the problem until they fail again.
  const attempts = useRef({ count: 0, lastAt: 0 });
  useEffect(() => {
    if (!failed) return;
    if (performance.now() - attempts.current.lastAt > 2 * delaysMs.at(-1)!)
      attempts.current.count = 0;
    const { count } = attempts.current;
    const delay = delaysMs[Math.min(count, delaysMs.length - 1)] ?? 0;
    const run = (): void => {
      stop();
      attempts.current = { count: count + 1, lastAt: performance.now() };
      latestRetry.current();
    };
    const timer = window.setTimeout(run, Math.max(delay, 1_000 * (failed.retryAfter ?? 0)));
    window.addEventListener('online', run);
    const stop = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', run);
    };
    return stop;
  }, [failed]);
}
