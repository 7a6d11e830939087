import { useEffect, useRef, useState } from 'preact/hooks';
import type { PagePosition } from '../pages/layout.ts';
import { useToolKeys } from './use-tool-keys.ts';

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Boxes smaller than this, in points, are ignored as accidental. */
const minSide = 3;
/** Distance that a key press moves the box, in points. */
const keyStep = 4;

/** Draws a box over a page, with a pointer or, on the current page, with keys. */
export function BoxLayer(props: {
  position: PagePosition;
  scale: number;
  isCurrent: boolean;
  onAdd: (page: number, box: number[]) => void;
}) {
  const { position, scale, isCurrent, onAdd } = props;
  const { size, page } = position;
  const [box, setBox] = useState<Box | undefined>();
  const dragStart = useRef<{ x: number; y: number } | null>(null);
  // With the keyboard, the box starts in the middle of the page.
  const reset = (): void => setBox(isCurrent ? centredBox(size) : undefined);
  useEffect(reset, [isCurrent, page]);

  const pointAt = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = (currentTarget as Element).getBoundingClientRect();
    return {
      x: clamp((clientX - left) / scale, size.width),
      y: clamp((clientY - top) / scale, size.height),
    };
  };
  const end = (): void => {
    if (!dragStart.current) return;
    dragStart.current = null;
    if (box && box[2] - box[0] >= minSide && box[3] - box[1] >= minSide) onAdd(page, [...box]);
    reset();
  };
  useToolKeys(isCurrent, (key, isShifted) => {
    const [dx, dy] = directions[key] ?? [0, 0];
    if (key === 'Enter' && box) onAdd(page, [...box]);
    else if (dx !== 0 || dy !== 0) {
      setBox((now) => now && moveBox(now, dx * keyStep, dy * keyStep, isShifted, size));
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
        dragStart.current = pointAt(event);
        setBox(undefined);
      }}
      onPointerMove={(event) => {
        if (!dragStart.current) return;
        const { x, y } = pointAt(event);
        const origin = dragStart.current;
        setBox([
          Math.min(origin.x, x),
          Math.min(origin.y, y),
          Math.max(origin.x, x),
          Math.max(origin.y, y),
        ]);
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        dragStart.current = null;
        reset();
      }}
    >
      {box && <rect x={box[0]} y={box[1]} width={box[2] - box[0]} height={box[3] - box[1]} />}
    </svg>
  );
}

function centredBox({ width, height }: PagePosition['size']): Box {
  return [width / 2 - 40, height / 2 - 8, width / 2 + 40, height / 2 + 8];
}

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));

/** Moves a box or, with `isResize`, only its lower right corner. */
function moveBox(
  [left, top, right, bottom]: Box,
  dx: number,
  dy: number,
  isResize: boolean,
  { width, height }: PagePosition['size'],
): Box {
  if (isResize) {
    return [
      left,
      top,
      clamp(Math.max(left + minSide, right + dx), width),
      clamp(Math.max(top + minSide, bottom + dy), height),
    ];
  }
  const x = Math.min(width - right, Math.max(-left, dx));
  const y = Math.min(height - bottom, Math.max(-top, dy));
  return [left + x, top + y, right + x, bottom + y];
}
