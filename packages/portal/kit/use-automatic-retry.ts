import { useEffect, useRef } from 'preact/hooks';

/** The delays before each retry, in milliseconds; the last one repeats. */
const delaysMs = [2_000, 5_000, 10_000, 30_000];

/**
 * Calls `retry` when the browser is online again, and after growing delays, while the component is
 * mounted. Null does nothing.
 * @param retryAfter the minimum delay that the service asks for, in seconds
 */
export function useAutomaticRetry(
  retry: (() => void) | null,
  retryAfter: number | null = null,
): void {
  const latestRetry = useRef(retry);
  latestRetry.current = retry;
  const isActive = retry !== null;
  // Survives retries that clear the problem until they fail again.
  const attempts = useRef({ count: 0, lastAt: 0 });
  useEffect(() => {
    if (!isActive) return;
    if (performance.now() - attempts.current.lastAt > 2 * delaysMs.at(-1)!)
      attempts.current.count = 0;
    let timer: number | undefined;
    const schedule = (): void => {
      window.clearTimeout(timer);
      const { count } = attempts.current;
      const delay = delaysMs[Math.min(count, delaysMs.length - 1)] ?? 0;
      timer = window.setTimeout(run, Math.max(delay, 1_000 * (retryAfter ?? 0)));
      attempts.current = { count: count + 1, lastAt: performance.now() };
    };
    const run = (): void => {
      latestRetry.current?.();
      schedule();
    };
    schedule();
    window.addEventListener('online', run);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', run);
    };
  }, [isActive, retryAfter]);
}
