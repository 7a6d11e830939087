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

/** A page of the original and of the result, side by side, or superimposed with a slider. */
export function Compare(props: {
  original: string;
  result: string;
  /** At least one. */
  pages: readonly PageSize[];
}) {
  const { original, result, pages } = props;
  const [pageIndex, setPageIndex] = useState(0);
  const [hasSlider, setHasSlider] = useState(false);
  const [sliderPosition, setSliderPosition] = useState(50);
  const { page, width, height } = pages[pageIndex]!;
  const pageStyle = { aspectRatio: `${width ?? 595} / ${height ?? 842}` };
  return (
    <div class="stack">
      <div class="row">
        <Button small disabled={pageIndex === 0} onClick={() => setPageIndex(pageIndex - 1)}>
          Previous page
        </Button>
        <span role="status">Page {page}</span>
        <Button
          small
          disabled={pageIndex === pages.length - 1}
          onClick={() => setPageIndex(pageIndex + 1)}
        >
          Next page
        </Button>
        <Button small pressed={hasSlider} onClick={() => setHasSlider(!hasSlider)}>
          Slider
        </Button>
        {hasSlider && (
          <input
            type="range"
            min={0}
            max={100}
            value={sliderPosition}
            aria-label="How much of the original is shown, in percent"
            onInput={({ currentTarget }) => setSliderPosition(Number(currentTarget.value))}
          />
        )}
      </div>
      {hasSlider ? (
        <div class="compare one">
          <figure>
            <figcaption>Original on the left, result on the right</figcaption>
            <div class="compare-page" style={pageStyle}>
              <FittedPage objectId={result} page={page} />
              <div
                class="compare-over"
                style={{ clipPath: `inset(0 ${100 - sliderPosition}% 0 0)` }}
              >
                <FittedPage objectId={original} page={page} />
              </div>
              <div class="compare-edge" style={{ left: `${sliderPosition}%` }} />
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
              <div class="compare-page" style={pageStyle}>
                <FittedPage objectId={objectId!} page={page} />
              </div>
            </figure>
          ))}
        </div>
      )}
    </div>
  );
}

/** A page as wide as its frame. */
function FittedPage({ objectId, page }: { objectId: string; page: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const [frameWidth, setFrameWidth] = useState(0);
  useLayoutEffect(() => setFrameWidth(frame.current!.clientWidth), []);
  return (
    <div ref={frame} class="compare-fit">
      {frameWidth > 0 && (
        <PagePicture
          key={`${objectId} ${page}`}
          objectId={objectId}
          page={page}
          cssWidth={frameWidth}
        />
      )}
    </div>
  );
}
