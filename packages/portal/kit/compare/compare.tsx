import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { PagePicture } from '../page-picture.tsx';
import './compare.css';

interface PageSize {
  page: number;
  /** In any unit; null if unknown. */
  width: number | null;
  height: number | null;
}

/** A page of the original and of the result, side by side or one over the other with a slider. */
export function Compare(props: {
  original: string;
  result: string;
  /** At least one. */
  pages: readonly PageSize[];
}) {
  const { original, result, pages } = props;
  const [at, setAt] = useState(0);
  const [slides, setSlides] = useState(false);
  const [share, setShare] = useState(50);
  const { page, width, height } = pages[at]!;
  const shape = { aspectRatio: `${width ?? 595} / ${height ?? 842}` };
  return (
    <div class="stack">
      <div class="row">
        <Button small disabled={at === 0} onClick={() => setAt(at - 1)}>
          Previous page
        </Button>
        <span role="status">Page {page}</span>
        <Button small disabled={at === pages.length - 1} onClick={() => setAt(at + 1)}>
          Next page
        </Button>
        <Button small pressed={slides} onClick={() => setSlides(!slides)}>
          Slider
        </Button>
        {slides && (
          <input
            type="range"
            min={0}
            max={100}
            value={share}
            aria-label="How much of the original is shown, in percent"
            onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
          />
        )}
      </div>
      {slides ? (
        <div class="compare one">
          <figure>
            <figcaption>Original on the left, result on the right</figcaption>
            <div class="compare-page" style={shape}>
              <Picture objectId={result} page={page} />
              <div class="compare-over" style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}>
                <Picture objectId={original} page={page} />
              </div>
              <div class="compare-edge" style={{ left: `${share}%` }} />
            </div>
          </figure>
        </div>
      ) : (
        <div class="compare">
          {[
            ['Original', original],
            ['Result', result],
          ].map(([title, objectId]) => (
            <figure key={title}>
              <figcaption>{title}</figcaption>
              <div class="compare-page" style={shape}>
                <Picture objectId={objectId!} page={page} />
              </div>
            </figure>
          ))}
        </div>
      )}
    </div>
  );
}

/** A page as wide as its frame. */
function Picture({ objectId, page }: { objectId: string; page: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => setRoom(frame.current!.clientWidth), []);
  return (
    <div ref={frame} class="compare-fit">
      {room > 0 && (
        <PagePicture key={`${objectId} ${page}`} objectId={objectId} page={page} cssWidth={room} />
      )}
    </div>
  );
}
