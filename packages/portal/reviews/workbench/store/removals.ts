import { everything } from '../../../api/everything.ts';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import type { HeldFindings } from './findings.ts';

/**
 * Minimum and maximum number of requests for a page, and the delays in between, in milliseconds.
 */
const minTries = 3;
const tries = 12;
const firstMs = 400;
const longestMs = 5_000;

/**
 * After decisions and additions, the service computes the boxes of a page again. The returned
 * function loads a page's findings until the boxes are known.
 */
export function followRemovals(
  reviewId: string,
  findings: HeldFindings,
  signal: AbortSignal,
  changed: () => void,
): (page: number) => void {
  const followed = new Map<number, { left: number }>();
  const run = async (page: number, follow: { left: number }): Promise<void> => {
    try {
      for (; follow.left > 0; follow.left -= 1) {
        await pause(Math.min(longestMs, firstMs * 2 ** (tries - follow.left)), signal);
        let isKnown = true;
        for await (const batch of everything(
          requestFor('listFindings', { id: reviewId, page }),
          signal,
        )) {
          findings.put(batch);
          isKnown &&= batch.every(({ removal }) => removal !== null);
        }
        changed();
        // A decision may also change the boxes of its neighbours, although these are known.
        if (isKnown && follow.left <= tries - minTries + 1) break;
      }
    } catch (error) {
      // On failure, the words are shown; the next change of the page requests it again.
      if (!signal.aborted) asProblem(error);
    } finally {
      followed.delete(page);
    }
  };
  return (page) => {
    const already = followed.get(page);
    if (already) {
      already.left = tries;
      return;
    }
    const follow = { left: tries };
    followed.set(page, follow);
    void run(page, follow);
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, ms);
    const stop = (): void => {
      window.clearTimeout(timer);
      reject(new DOMException('The page was left.', 'AbortError'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
