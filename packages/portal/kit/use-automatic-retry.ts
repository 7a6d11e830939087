import { useEffect, useRef } from 'preact/hooks';

/** The delays before each retry, in milliseconds; the last one repeats. */
const delaysMs = [2_000, 5_000, 10_000, 30_000];

/**
 * Calls `retry` when the browser is online again, and after growing delays, while the component is
 * mounted. Null does nothing.
 */
export function useAutomaticRetry(retry: (() => void) | null): void {
  const latestRetry = useRef(retry);
  latestRetry.current = retry;
  const isActive = retry !== null;
  useEffect(() => {
    if (!isActive) return;
    let count = 0;
    let timer: number | undefined;
    const schedule = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(run, delaysMs[Math.min(count, delaysMs.length - 1)]);
      count += 1;
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
  }, [isActive]);
}
