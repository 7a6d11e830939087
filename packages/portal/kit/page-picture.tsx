import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../api/request.ts';
import { Button } from './button.tsx';
import { fetchPicture } from './page-request.ts';

/** Pictures are drawn only in these widths, so that zoom levels and screens share them. */
const widths = [700, 1000, 1400, 2000, 2400];
/** A page that is only scrolled past is not requested. */
const restMs = 120;
interface PagePictureProps {
  objectId: string;
  page: number;
  cssWidth: number;
}

/** The picture of a page, loaded while it is mounted. */
export function PagePicture({ objectId, page, cssWidth }: PagePictureProps) {
  const wanted = cssWidth * window.devicePixelRatio;
  const width = widths.find((one) => one >= wanted * 0.95) ?? 2400;
  const [url, setUrl] = useState<string | undefined>();
  const [fault, setFault] = useState<string | undefined>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const blob = await fetchPicture(objectId, page, width, gone.signal);
        if (!gone.signal.aborted) setUrl(URL.createObjectURL(blob));
      } catch (error) {
        if (gone.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        setFault(error.message);
      }
    };
    const timer = window.setTimeout(() => void load(), url ? 0 : restMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [objectId, page, width, round]);
  // The previous picture is shown until the next one has loaded.
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  if (fault) {
    return (
      <div class="no-picture">
        <p>The page picture cannot be shown. {fault}</p>
        <Button
          small
          onClick={() => {
            setFault(undefined);
            setRound(round + 1);
          }}
        >
          Try again
        </Button>
      </div>
    );
  }
  return url ? <img src={url} alt={`Page ${page}`} draggable={false} /> : null;
}
