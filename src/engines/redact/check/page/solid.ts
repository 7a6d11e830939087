import { crop, median, rangeOf, type Tile } from './tiles.ts';

/** How even a painted box is where nothing was compressed with loss. */
const exact = 2;
/** How even it is in the inner part of a JPEG, more than a block of 16 pixels from its edges. */
const inner = 10;
/** What JPEG adds next to the edge of a black box on white; text stands out by more. */
const ringing = 80;
const block = 16;

/**
 * Whether a tile is of one colour. `lossy` allows for what JPEG does at the edges, `pixel` is the
 * size of one of its pixels in those of the tile.
 */
export function isSolid(tile: Tile, lossy: boolean, pixel = 1): boolean {
  if (tile.width === 0 || tile.height === 0) return true;
  const [low, high] = rangeOf(tile);
  if (high - low <= exact) return true;
  if (!lossy) return false;
  const edge = block * pixel;
  const middle = crop(tile, [edge, edge, tile.width - edge, tile.height - edge]);
  const [innerLow, innerHigh] = rangeOf(middle);
  const hasMiddle = middle.data.length > 0;
  if (hasMiddle && innerHigh - innerLow > inner) return false;
  const usual = median(tile);
  return high - usual <= ringing && usual - low <= ringing;
}
