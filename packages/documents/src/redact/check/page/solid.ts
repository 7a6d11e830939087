import { crop, type GreyTile, medianTone, tonesOf } from './tiles.ts';

/** Maximum difference between tones in a box without lossy compression. */
const exact = 2;
/**
 * Maximum difference between tones in the inner part of a JPEG, more than one block of 16 pixels
 * away from the edges.
 */
const inner = 10;
/**
 * Maximum ringing of a JPEG beside the edge of a black box on white. Text has a larger difference.
 */
const ringing = 80;
const block = 16;

/**
 * Whether a tile is uniform.
 * @param lossy whether to allow for JPEG artefacts at the edges
 * @param pixel size of an original pixel, in pixels of the tile
 */
export function isSolid(tile: GreyTile, lossy: boolean, pixel = 1): boolean {
  if (tile.width === 0 || tile.height === 0) return true;
  const [low, high] = tonesOf(tile);
  if (high - low <= exact) return true;
  if (!lossy) return false;
  const edge = block * pixel;
  const middle = crop(tile, [edge, edge, tile.width - edge, tile.height - edge]);
  const [innerLow, innerHigh] = tonesOf(middle);
  const hasMiddle = middle.data.length > 0;
  if (hasMiddle && innerHigh - innerLow > inner) return false;
  const usual = medianTone(tile);
  return high - usual <= ringing && usual - low <= ringing;
}
