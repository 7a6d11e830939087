import { useEffect, useState } from 'preact/hooks';
import type { ListedImage } from '../../../contracts/wire/library/images.ts';
import { asProblem } from '../../api/hooks.ts';
import { send } from '../../api/request.ts';
import type { Item } from './item.ts';
import { imagesOf, pageSize } from './requests.ts';

const firstMs = 2_000;
const longestMs = 30_000;

/**
 * Polls the visible images that are still processing, in one request and at growing intervals, until
 * none is left.
 */
export function useProcessing(
  shown: readonly Item[],
  put: (images: readonly ListedImage[]) => void,
): void {
  const ids = shown.filter(({ processing }) => processing).map(({ objectId }) => objectId);
  const key = ids.slice(0, pageSize).join(',');
  const [look, setLook] = useState({ key, waitMs: firstMs });
  useEffect(() => {
    if (key === '') return;
    const gone = new AbortController();
    const waitMs = look.key === key ? look.waitMs : firstMs;
    const again = (): void => setLook({ key, waitMs: Math.min(waitMs * 1.5, longestMs) });
    const timer = window.setTimeout(() => {
      // The tab is in the background.
      if (document.hidden) return again();
      send(imagesOf(key.split(',')), gone.signal).then(
        ({ data }) => {
          put(data.data.filter(({ processing }) => !processing));
          again();
        },
        (error: unknown) => {
          if (gone.signal.aborted) return;
          // The list has already reported errors that a retry does not fix.
          if (asProblem(error).document.retryable) again();
        },
      );
    }, waitMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [key, look, put]);
}
