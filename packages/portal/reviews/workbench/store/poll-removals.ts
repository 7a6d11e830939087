import { allPages } from '../../../api/all-pages.ts';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import type { FindingStore } from './finding-store.ts';

/**
 * Minimum and maximum number of requests for a page, and the delays in between, in milliseconds.
 */
const minTries = 3;
const maxTries = 12;
const initialDelayMs = 400;
const maxDelayMs = 5_000;

/**
 * The service recomputes the boxes of a page after decisions and additions. The returned function
 * reloads the findings of a page until their boxes are known.
 */
export function createRemovalPoller(
  reviewId: string,
  findings: FindingStore,
  signal: AbortSignal,
  onChange: () => void,
): (page: number) => void {
  const polls = new Map<number, { triesLeft: number }>();
  const pollPage = async (page: number, poll: { triesLeft: number }): Promise<void> => {
    try {
      for (; poll.triesLeft > 0; poll.triesLeft -= 1) {
        await pause(
          Math.min(maxDelayMs, initialDelayMs * 2 ** (maxTries - poll.triesLeft)),
          signal,
        );
        let areBoxesKnown = true;
        for await (const batch of allPages(
          requestFor('listFindings', { id: reviewId, page }),
          signal,
        )) {
          findings.put(batch);
          areBoxesKnown &&= batch.every(({ removal }) => removal !== null);
        }
        onChange();
        // A decision may also change the boxes of neighbouring findings, which are already known.
        if (areBoxesKnown && poll.triesLeft <= maxTries - minTries + 1) break;
      }
    } catch (error) {
      // After a failure, the words are shown without boxes until the next change of the page.
      if (!signal.aborted) asProblem(error);
    } finally {
      polls.delete(page);
    }
  };
  return (page) => {
    const runningPoll = polls.get(page);
    if (runningPoll) {
      runningPoll.triesLeft = maxTries;
      return;
    }
    const poll = { triesLeft: maxTries };
    polls.set(page, poll);
    void pollPage(page, poll);
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, ms);
    const stop = (): void => {
      window.clearTimeout(timer);
      reject(new DOMException('The review was closed.', 'AbortError'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
