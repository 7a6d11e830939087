import { crop, type GreyTile, medianTone, toneRange } from './tiles.ts';

/** Maximum difference between tones in a box without lossy compression. */
const maxExactDifference = 2;
/**
 * Maximum difference between tones in the inner part of a JPEG, more than one block of 16 pixels
 * away from the edges.
 */
const maxInnerDifference = 10;
/**
 * Maximum ringing of a JPEG beside the edge of a black box on white. Text has a larger difference.
 */
const maxRinging = 80;
const blockPixels = 16;

/**
 * Whether a tile is uniform.
 * @param isLossy whether to allow for JPEG artefacts at the edges
 * @param pixel size of an original pixel, in pixels of the tile
 */
export function isSolid(tile: GreyTile, isLossy: boolean, pixel = 1): boolean {
  if (tile.width === 0 || tile.height === 0) return true;
  const [low, high] = toneRange(tile);
  if (high - low <= maxExactDifference) return true;
  if (!isLossy) return false;
  const edge = blockPixels * pixel;
  const middle = crop(tile, [edge, edge, tile.width - edge, tile.height - edge]);
  const [innerLow, innerHigh] = toneRange(middle);
  const hasMiddle = middle.data.length > 0;
  if (hasMiddle && innerHigh - innerLow > maxInnerDifference) return false;
  const typical = medianTone(tile);
  return high - typical <= maxRinging && typical - low <= maxRinging;
}
