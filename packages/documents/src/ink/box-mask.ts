import type { Box } from '../results.ts';
import type { GreyRaster } from './components.ts';

/** Margin around known boxes, in pixels. Boxes of recognised words are rarely exact. */
const boxMargin = 3;

interface Mask {
  width: number;
  height: number;
  /** 1 for each pixel in a box or its margin. */
  covered: Uint8Array;
}

/** The last mask of each list of boxes, because several searches of a page use the same list. */
const lastMasks = new WeakMap<readonly Box[], Mask>();

/**
 * Whether a pixel of a picture is in a known box or its margin. The list of boxes must not change
 * afterwards.
 */
export function boxMask(
  { width, height }: Pick<GreyRaster, 'width' | 'height'>,
  known: readonly Box[],
): (x: number, y: number) => boolean {
  const last = lastMasks.get(known);
  const isSameSize = last?.width === width && last.height === height;
  const covered = isSameSize ? last.covered : coveredPixels(width, height, known);
  if (!isSameSize) lastMasks.set(known, { width, height, covered });
  return (x, y) => covered[y * width + x] === 1;
}

function coveredPixels(width: number, height: number, known: readonly Box[]): Uint8Array {
  const covered = new Uint8Array(width * height);
  for (const [x0, y0, x1, y1] of known) {
    const left = Math.max(0, Math.floor(x0 - boxMargin));
    const right = Math.min(width, Math.ceil(x1 + boxMargin));
    const bottom = Math.min(height, Math.ceil(y1 + boxMargin));
    for (let y = Math.max(0, Math.floor(y0 - boxMargin)); y < bottom && left < right; y += 1) {
      covered.fill(1, y * width + left, y * width + right);
    }
  }
  return covered;
}
