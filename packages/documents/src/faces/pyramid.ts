import type { GreyRaster } from '../ink/components.ts';

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
