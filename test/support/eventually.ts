import { setTimeout as delay } from 'node:timers/promises';

type Question<T> = () => Promise<T | null | undefined | false>;

const firstPauseMs = 20;
const longestPauseMs = 150;
/** For what is over after a moment. */
const shortPauseMs = 50;

/**
 * Asks until there is an answer. For what another process does: the wait between questions is not
 * what the test counts on, and the end comes from the test's own timeout, with the last error told.
 * The wait grows, because each question costs the same machine time that the answer is made with.
 */
export function eventually<T>(ask: Question<T>, limitMs = 200_000): Promise<T> {
  return askUntil(ask, limitMs, longestPauseMs);
}

/** The same for a moment that passes, such as the middle of a step, in which a test strikes. */
export function inPassing<T>(ask: Question<T>): Promise<T> {
  return askUntil(ask, 200_000, shortPauseMs);
}

async function askUntil<T>(ask: Question<T>, limitMs: number, longestMs: number): Promise<T> {
  const end = Date.now() + limitMs;
  let last: unknown;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestMs)) {
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
