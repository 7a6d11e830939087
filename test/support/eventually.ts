import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 20;
const longestPauseMs = 150;

/**
 * Asks until there is an answer. For what another process does: the wait between questions is not
 * what the test counts on, and the end comes from the test's own timeout, with the last error told.
 * The wait grows, because each question costs the same machine time that the answer is made with.
 */
export async function eventually<T>(
  ask: () => Promise<T | null | undefined | false>,
  limitMs = 500_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  let last: unknown;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw last ?? new Error('It did not happen in time.');
    await delay(pauseMs);
  }
}
