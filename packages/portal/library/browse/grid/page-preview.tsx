import { previewWidth } from '@scriptorium/contracts/documents/preview';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { fetchPicture } from '../../../kit/page-request.ts';

/**
 * A worker may have to draw each page, so only a few are requested at a time, in order not to delay
 * other requests.
 */
const concurrency = 3;
/** Time that a tile must stay in view before its page is requested, in milliseconds. */
const loadDelayMs = 250;

let activeRequests = 0;
const waiters: (() => void)[] = [];

/** Waits for a request slot. Returns a function that releases it. */
async function acquireSlot(): Promise<() => void> {
  if (activeRequests >= concurrency) await new Promise<void>((resolve) => waiters.push(resolve));
  else activeRequests += 1;
  return () => {
    const next = waiters.shift();
    if (next) next();
    else activeRequests -= 1;
  };
}

async function loadPage(objectId: string, signal: AbortSignal): Promise<Blob | null> {
  const release = await acquireSlot();
  try {
    return signal.aborted ? null : await fetchPicture(objectId, 1, previewWidth, signal);
  } catch (error) {
    // The placeholder card stays, which shows all the information.
    if (signal.aborted || error instanceof ApiProblem) return null;
    throw error;
  } finally {
    release();
  }
}

/** The first page of a document; `children` until it has loaded, and if it cannot be drawn. */
export function PagePreview(props: { objectId: string; children: ComponentChildren }) {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const controller = new AbortController();
    const timer = window.setTimeout(() => {
      void loadPage(props.objectId, controller.signal).then((blob) => {
        if (blob && !controller.signal.aborted) setUrl(URL.createObjectURL(blob));
      });
    }, loadDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [props.objectId]);
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  if (!url) return <>{props.children}</>;
  return (
    <span class="browse-page">
      <img src={url} alt="" draggable={false} />
    </span>
  );
}
