import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../api/request.ts';
import { Button } from './button.tsx';
import { fetchPicture } from './page-request.ts';
import { PageWaiting } from './page-waiting.tsx';
import { useAutomaticRetry } from './use-automatic-retry.ts';

/** The widths of pictures, in pixels. Zoom levels and screens share pictures of the same width. */
const widths = [700, 1000, 1400, 2000, 2400];
/** Time that a page must be shown before its picture is requested, in milliseconds. */
const requestDelayMs = 120;
interface PagePictureProps {
  objectId: string;
  page: number;
  cssWidth: number;
}

/** The picture of a page, loaded while it is mounted. */
export function PagePicture({ objectId, page, cssWidth }: PagePictureProps) {
  const targetWidth = cssWidth * window.devicePixelRatio;
  const width = widths.find((one) => one >= targetWidth * 0.95) ?? 2400;
  const [url, setUrl] = useState<string | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const blob = await fetchPicture(objectId, page, width, controller.signal);
        if (!controller.signal.aborted) setUrl(URL.createObjectURL(blob));
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
  }, [objectId, page, width, attempt]);
  // The previous picture is shown until the next one has loaded.
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  const retry = (): void => {
    setProblem(undefined);
    setAttempt(attempt + 1);
  };
  useAutomaticRetry(problem?.status === 0 ? retry : null);
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
  if (!url) return <PageWaiting page={page} />;
  return <img src={url} alt={`Page ${page}`} draggable={false} />;
}
