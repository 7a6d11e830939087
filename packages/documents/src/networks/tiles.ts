import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';

/** How a network sees pictures: in tiles, whose sides are multiples of a unit. */
export interface TileOptions {
  unit: number;
  /** Maximum side of a tile. Larger tiles need more memory. */
  maxSide: number;
  /** Pixels that adjacent tiles share, so that what is searched for is whole in one of them. */
  overlap: number;
  /** The tone outside of a picture. */
  blankTone: number;
}

/** A part of a picture, with sides that suit the network. */
export interface Tile {
  picture: GreyRaster;
  x: number;
  y: number;
}

/** Splits a picture into tiles, one at a time. */
export function* tilesOf(picture: GreyRaster, options: TileOptions): Generator<Tile> {
  for (const [y, tileHeight] of spans(picture.height, options)) {
    for (const [x, tileWidth] of spans(picture.width, options)) {
      const box: Box = [x, y, x + tileWidth, y + tileHeight];
      yield { picture: cropTo(picture, box, options.blankTone), x, y };
    }
  }
}

/** Returns the starts and lengths of the tiles along a side. All are equally long. */
function spans(length: number, { unit, maxSide, overlap }: TileOptions): [number, number][] {
  const count = Math.max(1, Math.ceil((length - overlap) / (maxSide - overlap)));
  const side = Math.ceil((length + (count - 1) * overlap) / count / unit) * unit;
  return Array.from({ length: count }, (_, at) => [at * (side - overlap), side]);
}

/** Returns a part of a picture, in whole pixels. Parts outside of the picture are blank. */
export function cropTo(
  { data, width, height }: GreyRaster,
  [x0, y0, x1, y1]: Box,
  blankTone: number,
): GreyRaster {
  const part = { data: new Uint8Array((x1 - x0) * (y1 - y0)), width: x1 - x0, height: y1 - y0 };
  part.data.fill(blankTone);
  const right = Math.min(x1, width);
  for (let y = y0; y < Math.min(y1, height); y += 1) {
    part.data.set(data.subarray(y * width + x0, y * width + right), (y - y0) * part.width);
  }
  return part;
}

/** Returns a picture in another size, with tones between those of its pixels. */
export function resize({ data, width, height }: GreyRaster, scale: number): GreyRaster {
  const [columns, rows] = [
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  ];
  const resized = new Uint8Array(columns * rows);
  const near = (at: number, length: number): [before: number, after: number, share: number] => {
    const position = Math.max(0, Math.min(length - 1, (at + 0.5) / scale - 0.5));
    const before = Math.floor(position);
    return [before, Math.min(length - 1, before + 1), position - before];
  };
  const columnsNear = Array.from({ length: columns }, (_, x) => near(x, width));
  for (let y = 0; y < rows; y += 1) {
    const [top, bottom, down] = near(y, height);
    for (let x = 0; x < columns; x += 1) {
      const [left, right, across] = columnsNear[x]!;
      const above = data[top * width + left]! * (1 - across) + data[top * width + right]! * across;
      const below =
        data[bottom * width + left]! * (1 - across) + data[bottom * width + right]! * across;
      resized[y * columns + x] = Math.round(above * (1 - down) + below * down);
    }
  }
  return { data: resized, width: columns, height: rows };
}
