import type { Box } from '../results.ts';
import type { GreyRaster } from './components.ts';

/** Margin around known boxes, in pixels. Boxes of recognised words are rarely exact. */
const boxMargin = 3;

/** Whether a pixel of a picture is in a known box or its margin. */
export function boxMask(
  { width, height }: GreyRaster,
  known: readonly Box[],
): (x: number, y: number) => boolean {
  const covered = new Uint8Array(width * height);
  for (const [x0, y0, x1, y1] of known) {
    const left = Math.max(0, Math.floor(x0 - boxMargin));
    const right = Math.min(width, Math.ceil(x1 + boxMargin));
    const bottom = Math.min(height, Math.ceil(y1 + boxMargin));
    for (let y = Math.max(0, Math.floor(y0 - boxMargin)); y < bottom && left < right; y += 1) {
      covered.fill(1, y * width + left, y * width + right);
    }
  }
  return (x, y) => covered[y * width + x] === 1;
}
