import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../api/request.ts';
import { Button } from './button.tsx';
import { fetchPicture } from './page-request.ts';
import { PageWaiting } from './page-waiting.tsx';
import type { PictureCache } from './picture-cache.ts';
import { useAutomaticRetry } from './use-automatic-retry.ts';

/** The widths of pictures, in pixels. Zoom levels and screens share pictures of the same width. */
const widths = [700, 1000, 1400, 2000, 2400];
/** Time that a page must be shown before its picture is requested, in milliseconds. */
const requestDelayMs = 120;
interface PagePictureProps {
  objectId: string;
  page: number;
  cssWidth: number;
  /** Contains pictures that are already loaded. */
  pictures?: PictureCache;
  /** Shown until there is a picture. Default: that the page is being drawn. */
  placeholder?: ComponentChildren;
}

/** Returns the width of the picture to load for a page of a width in CSS pixels. */
export function pictureWidth(cssWidth: number): number {
  const targetWidth = cssWidth * window.devicePixelRatio;
  return widths.find((one) => one >= targetWidth * 0.95) ?? 2400;
}

/** The picture of a page, loaded while it is mounted. */
export function PagePicture(props: PagePictureProps) {
  const { objectId, page, cssWidth, pictures, placeholder } = props;
  const width = pictureWidth(cssWidth);
  const key = `${objectId} ${page} ${width}`;
  const [picture, setPicture] = useState(() => {
    const blob = pictures?.get({ objectId, page, width });
    return blob && { key, url: URL.createObjectURL(blob) };
  });
  const url = picture?.url;
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (picture?.key === key) return;
    setProblem(undefined);
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const blob = await (pictures
          ? pictures.load({ objectId, page, width }, controller.signal)
          : fetchPicture(objectId, page, width, controller.signal));
        if (!controller.signal.aborted) setPicture({ key, url: URL.createObjectURL(blob) });
      } catch (error) {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        setProblem(error);
      }
    };
    const timer = window.setTimeout(() => void load(), url ? 0 : requestDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt]);
  // The previous picture is shown until the next one has loaded.
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  const retry = (): void => {
    setProblem(undefined);
    setAttempt(attempt + 1);
  };
  useAutomaticRetry(problem?.status === 0 ? problem : null, retry);
  if (problem) {
    return (
      <div class="no-picture">
        <p>The page picture cannot be shown. {problem.message}</p>
        <Button small onClick={retry}>
          Try again
        </Button>
      </div>
    );
  }
  if (!url) return <>{placeholder ?? <PageWaiting page={page} />}</>;
  // Decoded before the page is painted, which would be blank otherwise.
  return <img src={url} alt={`Page ${page}`} draggable={false} decoding="sync" />;
}
