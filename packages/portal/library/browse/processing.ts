import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { send } from '../../api/request.ts';
import type { Item } from './item.ts';
import { imagesOf, objectsOf, pageSize } from './list/pages.ts';
import type { Results } from './results.ts';

const firstMs = 2_000;
const longestMs = 30_000;

/** Polls the visible items until all are processed. */
export function useProcessing(
  shown: readonly Item[],
  { put, putObjects }: Pick<Results, 'put' | 'putObjects'>,
): void {
  const waiting = shown.filter(({ processing }) => processing);
  const isImage = ({ kind, picture }: Item): boolean => kind === 'image' || picture !== null;
  const idsOf = (items: readonly Item[]): string =>
    items
      .slice(0, pageSize)
      .map(({ objectId }) => objectId)
      .join(',');
  usePolled(idsOf(waiting.filter(isImage)), async (ids, signal) => {
    const { data } = await send(imagesOf(ids), signal);
    put(data.data.filter(({ processing }) => !processing));
  });
  const others = waiting.filter((item) => !isImage(item));
  usePolled(idsOf(others), async (ids, signal) => {
    const { data } = await send(objectsOf(ids), signal);
    putObjects(data.data);
  });
}

/** Requests these repeatedly, at growing intervals. */
function usePolled(
  key: string,
  ask: (ids: readonly string[], signal: AbortSignal) => Promise<void>,
): void {
  const [look, setLook] = useState({ key, waitMs: firstMs });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === '') return;
    const gone = new AbortController();
    const waitMs = look.key === key ? look.waitMs : firstMs;
    const again = (): void => setLook({ key, waitMs: Math.min(waitMs * 1.5, longestMs) });
    const timer = window.setTimeout(() => {
      // The tab is in the background.
      if (document.hidden) return again();
      latest.current(key.split(','), gone.signal).then(again, (error: unknown) => {
        if (gone.signal.aborted) return;
        // The list has already reported errors that a retry does not fix.
        if (asProblem(error).document.retryable) again();
      });
    }, waitMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [key, look]);
}
