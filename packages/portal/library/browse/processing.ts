import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { send } from '../../api/request.ts';
import type { Item } from './item.ts';
import { imagesOf, objectsOf, pageSize } from './list/requests.ts';
import type { Results } from './results.ts';

const initialDelayMs = 2_000;
const maxDelayMs = 30_000;

/** Polls the visible items until all are processed. */
export function useProcessing(
  visibleItems: readonly Item[],
  { putImages, putObjects }: Pick<Results, 'putImages' | 'putObjects'>,
): void {
  const processingItems = visibleItems.filter(({ processing }) => processing);
  const isImage = ({ kind, picture }: Item): boolean => kind === 'image' || picture !== null;
  const idsOf = (items: readonly Item[]): string =>
    items
      .slice(0, pageSize)
      .map(({ objectId }) => objectId)
      .join(',');
  usePolling(idsOf(processingItems.filter(isImage)), async (ids, signal) => {
    const { data } = await send(imagesOf(ids), signal);
    putImages(data.data.filter(({ processing }) => !processing));
  });
  const others = processingItems.filter((item) => !isImage(item));
  usePolling(idsOf(others), async (ids, signal) => {
    const { data } = await send(objectsOf(ids), signal);
    putObjects(data.data);
  });
}

/** Polls the identifiers in `joinedIds`, separated by commas, at growing intervals. */
function usePolling(
  joinedIds: string,
  poll: (ids: readonly string[], signal: AbortSignal) => Promise<void>,
): void {
  const [nextPoll, setNextPoll] = useState({ key: joinedIds, waitMs: initialDelayMs });
  const latestPoll = useRef(poll);
  latestPoll.current = poll;
  useEffect(() => {
    if (joinedIds === '') return;
    const controller = new AbortController();
    const waitMs = nextPoll.key === joinedIds ? nextPoll.waitMs : initialDelayMs;
    const scheduleNext = (): void =>
      setNextPoll({ key: joinedIds, waitMs: Math.min(waitMs * 1.5, maxDelayMs) });
    const timer = window.setTimeout(() => {
      // A tab in the background does not poll.
      if (document.hidden) return scheduleNext();
      latestPoll
        .current(joinedIds.split(','), controller.signal)
        .then(scheduleNext, (error: unknown) => {
          if (controller.signal.aborted) return;
          // The list has already reported errors that a retry does not fix.
          if (asProblem(error).document.retryable) scheduleNext();
        });
    }, waitMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [joinedIds, nextPoll]);
}
