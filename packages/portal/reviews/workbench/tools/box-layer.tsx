import { useEffect, useRef, useState } from 'preact/hooks';
import type { Sheet } from '../pages/layout.ts';
import { useToolKeys } from './use-tool-keys.ts';

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Boxes smaller than this, in points, are accidental. */
const minSide = 3;
/** Distance that a key press moves the box, in points. */
const step = 4;

/** Draws a box over a page, with a pointer or, on the current page, with keys. */
export function BoxLayer(props: {
  sheet: Sheet;
  scale: number;
  isCurrent: boolean;
  onAdd: (page: number, box: number[]) => void;
}) {
  const { sheet, scale, isCurrent, onAdd } = props;
  const { size, page } = sheet;
  const [box, setBox] = useState<Box | undefined>();
  const start = useRef<{ x: number; y: number } | null>(null);
  // With the keyboard, the box starts in the middle of the page.
  const begin = (): void => setBox(isCurrent ? middleOf(size) : undefined);
  useEffect(begin, [isCurrent, page]);

  const at = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = (currentTarget as Element).getBoundingClientRect();
    return {
      x: within((clientX - left) / scale, size.width),
      y: within((clientY - top) / scale, size.height),
    };
  };
  const end = (): void => {
    if (!start.current) return;
    start.current = null;
    if (box && box[2] - box[0] >= minSide && box[3] - box[1] >= minSide) onAdd(page, [...box]);
    begin();
  };
  useToolKeys(isCurrent, (key, isShifted) => {
    const [dx, dy] = moves[key] ?? [0, 0];
    if (key === 'Enter' && box) onAdd(page, [...box]);
    else if (dx !== 0 || dy !== 0) {
      setBox((now) => now && moved(now, dx * step, dy * step, isShifted, size));
    } else return false;
    return true;
  });
  return (
    <svg
      class="bench-layer"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Drawing area of page ${page}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = at(event);
        setBox(undefined);
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        const { x, y } = at(event);
        const from = start.current;
        setBox([
          Math.min(from.x, x),
          Math.min(from.y, y),
          Math.max(from.x, x),
          Math.max(from.y, y),
        ]);
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        start.current = null;
        begin();
      }}
    >
      {box && <rect x={box[0]} y={box[1]} width={box[2] - box[0]} height={box[3] - box[1]} />}
    </svg>
  );
}

function middleOf({ width, height }: Sheet['size']): Box {
  return [width / 2 - 40, height / 2 - 8, width / 2 + 40, height / 2 + 8];
}

const moves: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const within = (value: number, max: number): number => Math.min(max, Math.max(0, value));

/** Returns a box moved or, with `resizes`, with its lower right corner moved. */
function moved(
  [left, top, right, bottom]: Box,
  dx: number,
  dy: number,
  resizes: boolean,
  { width, height }: Sheet['size'],
): Box {
  if (resizes) {
    return [
      left,
      top,
      within(Math.max(left + minSide, right + dx), width),
      within(Math.max(top + minSide, bottom + dy), height),
    ];
  }
  const x = Math.min(width - right, Math.max(-left, dx));
  const y = Math.min(height - bottom, Math.max(-top, dy));
  return [left + x, top + y, right + x, bottom + y];
}
