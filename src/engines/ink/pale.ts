import type { Box } from '../results.ts';
import type { Grey } from './components.ts';
import { coveredBy } from './covered.ts';
import { byGround, groundOf } from './ground.ts';
import { inkOf, unreadInk } from './unread.ts';

/** The tone of the ground is measured in squares of so many pixels, higher than a line of print. */
const squarePixels = 36;
/** Half of the pixels of a square are at least as dark as its ground, and half as light: ink may be either. */
const half = 0.5;
/** Ink that differs more from its ground is seen in the picture as it is. */
const mostPale = 24;
/** Ink that differs less cannot be told from rounding. */
const leastPale = 2;
/** With more grain, ink so pale is not legible. */
const mostGrain = 1;
/** Of how many pixels one is looked at to tell the grain; no divisor of usual widths. */
const sampled = 7;
/** Strong ink has edges this wide, in pixels, whose tones are in between. */
const edge = 3;
/** Fewer pixels of pale ink are no word. */
const leastPixels = 40;

/** How much most pixels differ from the next one. */
function grainOf({ data }: Grey): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let at = 0; at + 1 < data.length; at += sampled) {
    counts[Math.abs(data[at]! - data[at + 1]!)]! += 1;
    all += 1;
  }
  let [grain, seen] = [0, counts[0]!];
  while (seen * 2 < all) seen += counts[++grain]!;
  return grain;
}

/** How much darker or lighter than its ground each pixel is, with black for all that is not pale. */
function stretched(picture: Grey): Uint8Array {
  const ground = groundOf(picture, squarePixels, half);
  const by = 255 / mostPale;
  return byGround(
    picture,
    ground,
    (tone) => tone,
    (tone, level) => 255 - Math.abs(tone - level) * by,
  );
}

/** Whether a stretched picture has pale ink outside of known boxes, apart from the edges of strong ink. */
function hasPale({ data, width, height }: Grey, known: readonly Box[]): boolean {
  const isKnown = coveredBy({ data, width, height }, known);
  const most = 255 - (leastPale * 255) / mostPale;
  let found = 0;
  for (let y = edge; y < height - edge; y += 1) {
    for (let x = edge, at = y * width + edge; x < width - edge; x += 1, at += 1) {
      if (data[at]! > most || data[at] === 0 || isKnown(x, y)) continue;
      if (data[at - edge] === 0 || data[at + edge] === 0) continue;
      if (data[at - edge * width] === 0 || data[at + edge * width] === 0) continue;
      found += 1;
      if (found >= leastPixels) return true;
    }
  }
  return false;
}

/**
 * A picture of about 150 dpi in which pale ink is black; null if outside of known boxes, in pixels, it has nothing
 * that looks like writing in such ink. What is hardly darker than its ground, or lighter, is seen on it.
 */
export function withPaleInk<Picture extends Grey>(
  picture: Picture,
  known: readonly Box[],
): Picture | null {
  if (grainOf(picture) > mostGrain) return null;
  const view = paleInkOf(picture);
  if (!hasPale(view, known)) return null;
  return unreadInk(inkOf(view), known).lines.length > 0 ? view : null;
}

/** A picture in which pale ink is black, whether or not there is any. */
export const paleInkOf = <Picture extends Grey>(picture: Picture): Picture => ({
  ...picture,
  data: stretched(picture),
});
