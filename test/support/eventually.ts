import { setTimeout as delay } from 'node:timers/promises';

type Probe<T> = () => Promise<T | null | undefined | false>;

const firstPauseMs = 20;
const maxPauseMs = 150;
/** For what is over after a moment. */
const maxFrequentPauseMs = 50;

/**
 * Asks until there is an answer. For what another process does: the wait between questions is not
 * what the test counts on, and the end comes from the test's own timeout, with the last error told.
 * The wait grows, because each question costs the same machine time that the answer is made with.
 */
export function eventually<T>(probe: Probe<T>, limitMs = 200_000): Promise<T> {
  return poll(probe, limitMs, maxPauseMs);
}

/** The same for a moment that passes, such as the middle of a step, in which a test strikes. */
export function pollFrequently<T>(probe: Probe<T>): Promise<T> {
  return poll(probe, 200_000, maxFrequentPauseMs);
}

async function poll<T>(probe: Probe<T>, limitMs: number, maxIntervalMs: number): Promise<T> {
  const end = Date.now() + limitMs;
  let lastError: unknown;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxIntervalMs)) {
    try {
      const result = await probe();
      if (result) return result;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() > end) throw lastError ?? new Error('It did not happen in time.');
    await delay(pauseMs);
  }
}
