import { previewWidth } from '@scriptorium/contracts/documents/preview';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { fetchPicture } from '../../../kit/page-request.ts';

/**
 * A worker may have to draw each page, so only a few are requested at a time, in order not to delay
 * other requests.
 */
const atOnce = 3;
/** How long undrawn content may be in view while scrolling, in milliseconds. */
const stayMs = 250;

let running = 0;
const waiting: (() => void)[] = [];

/** Waits for one of a few slots; returns a function that passes it on. */
async function takePlace(): Promise<() => void> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  return () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
}

async function loadPage(objectId: string, signal: AbortSignal): Promise<Blob | null> {
  const leave = await takePlace();
  try {
    return signal.aborted ? null : await fetchPicture(objectId, 1, previewWidth, signal);
  } catch (error) {
    // The placeholder card already contains all the information.
    if (signal.aborted || error instanceof ApiProblem) return null;
    throw error;
  } finally {
    leave();
  }
}

/** The first page of a document; `children` until it has loaded, and if it cannot be drawn. */
export function PagePreview(props: { objectId: string; children: ComponentChildren }) {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const gone = new AbortController();
    const timer = window.setTimeout(() => {
      void loadPage(props.objectId, gone.signal).then((blob) => {
        if (blob && !gone.signal.aborted) setUrl(URL.createObjectURL(blob));
      });
    }, stayMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
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
