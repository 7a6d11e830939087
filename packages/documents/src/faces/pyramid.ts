import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';
import { sideUnit } from './network.ts';

/** Maximum side of a tile. Larger tiles need more memory. */
const maxTile = 12 * sideUnit;
/** Pixels that adjacent tiles share, so that each face is whole in one of them. */
const overlap = 2 * sideUnit;
/** The tone outside of a picture, which the network reads as 0. */
const blankTone = 127;

/** A part of a picture, with sides that suit the network. */
export interface Tile {
  picture: GreyRaster;
  x: number;
  y: number;
}

/** Splits a picture into tiles, one at a time. */
export function* tilesOf(picture: GreyRaster): Generator<Tile> {
  for (const [y, tileHeight] of spans(picture.height)) {
    for (const [x, tileWidth] of spans(picture.width)) {
      yield { picture: cropTo(picture, [x, y, x + tileWidth, y + tileHeight]), x, y };
    }
  }
}

/** Returns the starts and lengths of the tiles along a side. */
function spans(length: number): [start: number, length: number][] {
  if (length <= maxTile) return [[0, Math.ceil(length / sideUnit) * sideUnit]];
  const step = maxTile - overlap;
  const count = Math.ceil((length - overlap) / step);
  return Array.from({ length: count }, (_, at) => [at * step, maxTile]);
}

/** Returns a part of a picture, in whole pixels. Parts outside of the picture are blank. */
export function cropTo({ data, width, height }: GreyRaster, [x0, y0, x1, y1]: Box): GreyRaster {
  const part = { data: new Uint8Array((x1 - x0) * (y1 - y0)), width: x1 - x0, height: y1 - y0 };
  part.data.fill(blankTone);
  const right = Math.min(x1, width);
  for (let y = y0; y < Math.min(y1, height); y += 1) {
    part.data.set(data.subarray(y * width + x0, y * width + right), (y - y0) * part.width);
  }
  return part;
}

/** Returns a picture of half the size, with the mean tones. */
export function halve({ data, width, height }: GreyRaster): GreyRaster {
  const [columns, rows] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const half = new Uint8Array(columns * rows);
  const [right, below] = [width > 1 ? 1 : 0, height > 1 ? width : 0];
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0, at = 2 * y * width; x < columns; x += 1, at += 2) {
      const sum = data[at]! + data[at + right]! + data[at + below]! + data[at + right + below]!;
      half[y * columns + x] = (sum + 2) >> 2;
    }
  }
  return { data: half, width: columns, height: rows };
}

/** Turns a picture clockwise by a quarter. */
export function turnQuarter({ data, width, height }: GreyRaster): GreyRaster {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) turned[x * height + height - 1 - y] = data[y * width + x]!;
  }
  return { data: turned, width: height, height: width };
}
