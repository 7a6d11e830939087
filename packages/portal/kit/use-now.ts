import { useEffect, useState } from 'preact/hooks';

/** How often a time is rendered again, by its distance from now; in milliseconds. */
const intervals = [
  [60_000, 1_000],
  [3_600_000, 30_000],
  [Number.POSITIVE_INFINITY, 300_000],
] as const;

/**
 * Returns the current time in milliseconds, and renders the component again while it changes what
 * there is to say about the time `at`.
 */
export function useNow(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const distance = Math.abs(at - Date.now());
    const [, delay] = intervals.find(([limit]) => distance < limit) ?? intervals[2];
    const timer = window.setTimeout(() => setNow(Date.now()), delay);
    return () => window.clearTimeout(timer);
  }, [at, now]);
  return Date.now();
}
