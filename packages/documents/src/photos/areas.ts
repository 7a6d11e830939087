import { grow, intersection, mergeIntersecting } from '../geometry.ts';
import { measureBackground } from '../ink/background.ts';
import { boxMask } from '../ink/box-mask.ts';
import type { GreyRaster } from '../ink/components.ts';
import { oncePerPicture } from '../ink/per-picture.ts';
import { toneOfPaper } from '../ocr/pictures/picture.ts';
import type { Box } from '../results.ts';

/** Side of the squares whose mean tones are compared, in pixels. Dots of a raster disappear. */
const square = 4;
/** Minimum difference of a tone from paper. */
const minTone = 14;
/** Maximum difference of adjacent parts of paper, and the minimum share of the picture they have. */
const maxRelief = 8;
const minPaperShare = 0.2;
/** Minimum difference of tones within a part of a photograph. */
const minContrast = 20;
/** Half of the side of the smallest part without paper, in squares. Lines of text are narrower. */
const reach = 2;
/** Minimum sides of an area, in pixels. */
const minSide = 20;
/** Margin for the context of faces, in pixels. */
const margin = 24;
/** Only one in this many pixels is examined for the tone of the paper. */
const paperStep = 7;
/** Side of the squares in which the tone of paper in the shade is measured, in pixels. */
const groundSide = 32;
/** Minimum tone of paper in the shade, maximum difference from it, and minimum share of the area. */
const shade = { minTone: 110, maxDifference: 8, minShare: 0.86 } as const;

const groundOf = oncePerPicture((picture) => measureBackground(picture, groundSide, 0.5));

/**
 * Returns the areas of a page that may show photographs: continuous tone that varies. Pages of text
 * have none, and need no further search.
 * @param picture the page at about 150 dpi
 * @param known boxes of text that was read, in pixels
 */
export function photoAreas(picture: GreyRaster, known: readonly Box[]): Box[] {
  const tones = meanTones(picture);
  const isKnown = boxMask(picture, known);
  const paper = paperOf(picture, tones);
  const { data, width, height } = tones;
  const isToned = new Uint8Array(data.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const isPaper = paper !== null && Math.abs(data[at]! - paper) < minTone;
      if (!isPaper && !isKnown(square * x, square * y)) isToned[at] = 1;
    }
  }
  return clustersOf(tones, isToned, picture);
}

/** Whether an area is paper in the shade, with little on it that was not read. */
export function isPaperInShade(
  picture: GreyRaster,
  [x0, y0, x1, y1]: Box,
  known: readonly Box[],
): boolean {
  const { data, width } = meanTones(picture);
  const ground = groundOf(picture);
  const isKnown = boxMask(picture, known);
  let [ofPaper, squares] = [0, 0];
  for (let y = Math.ceil(y0 / square); (y + 1) * square <= y1; y += 1) {
    for (let x = Math.ceil(x0 / square); (x + 1) * square <= x1; x += 1) {
      const [left, top] = [x * square, y * square];
      if (isKnown(left, top)) continue;
      const row = Math.floor(top / groundSide) * ground.columns;
      const tone = ground.tones[row + Math.floor(left / groundSide)]!;
      const difference = Math.abs(data[y * width + x]! - tone);
      if (tone >= shade.minTone && difference <= shade.maxDifference) ofPaper += 1;
      squares += 1;
    }
  }
  return ofPaper >= shade.minShare * squares;
}

/** Returns the tone of the paper; null if hardly any part of the picture is as smooth as paper. */
function paperOf(picture: GreyRaster, { data, width }: GreyRaster): number | null {
  const paper = toneOfPaper(picture, paperStep);
  let smooth = 0;
  data.forEach((tone, at) => {
    const isAlike = (other: number): boolean => Math.abs((data[other] ?? tone) - tone) <= maxRelief;
    if (Math.abs(tone - paper) < minTone && isAlike(at + 1) && isAlike(at + width)) smooth += 1;
  });
  return smooth < minPaperShare * data.length ? null : paper;
}

/** Returns a picture reduced by `square`. */
const meanTones = oncePerPicture(({ data, width, height }): GreyRaster => {
  const [columns, rows] = [Math.floor(width / square), Math.floor(height / square)];
  const means = new Uint8Array(columns * rows);
  for (let row = 0, to = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, to += 1) {
      let sum = 0;
      for (let y = 0, at = row * square * width + column * square; y < square; y += 1) {
        sum += data[at]! + data[at + 1]! + data[at + 2]! + data[at + 3]!;
        at += width;
      }
      means[to] = sum / (square * square);
    }
  }
  return { data: means, width: columns, height: rows };
});

/** Returns the boxes around parts of a photograph, in pixels of the page. */
function clustersOf(tones: GreyRaster, isToned: Uint8Array, page: GreyRaster): Box[] {
  const { width, height } = tones;
  const bounds: Box = [0, 0, page.width, page.height];
  const parts: Box[] = [];
  for (let y = reach; y < height - reach; y += 1) {
    for (let x = reach; x < width - reach; x += 1) {
      if (isToned[y * width + x] === 0 || !isPhoto(tones, isToned, x, y)) continue;
      const last = parts.at(-1);
      const part: Box = [x - reach, y - reach, x + reach + 1, y + reach + 1];
      // Parts in a row form one box.
      if (last && last[1] === part[1] && last[2] >= part[0]) last[2] = part[2];
      else parts.push(part);
    }
  }
  const areas = mergeIntersecting(mergeRows(parts)).map(
    ([x0, y0, x1, y1]): Box => [x0 * square, y0 * square, x1 * square, y1 * square],
  );
  return mergeIntersecting(
    areas
      .filter(([x0, y0, x1, y1]) => Math.min(x1 - x0, y1 - y0) >= minSide)
      .flatMap((box) => {
        const onPage = intersection(grow(box, margin), bounds);
        return onPage ? [onPage] : [];
      }),
  );
}

/** Merges boxes with those of the rows above, from top to bottom. */
function mergeRows(parts: readonly Box[]): Box[] {
  let open: Box[] = [];
  const closed: Box[] = [];
  for (const part of parts) {
    let merged = part;
    const apart: Box[] = [];
    for (const box of open) {
      if (box[3] < part[1]) closed.push(box);
      else if (box[0] <= merged[2] && box[2] >= merged[0]) {
        merged = [
          Math.min(box[0], merged[0]),
          Math.min(box[1], merged[1]),
          Math.max(box[2], merged[2]),
          Math.max(box[3], merged[3]),
        ];
      } else apart.push(box);
    }
    open = [...apart, merged];
  }
  return [...closed, ...open];
}

/** Whether the tones around a point are all toned, and vary. */
function isPhoto({ data, width }: GreyRaster, isToned: Uint8Array, x: number, y: number): boolean {
  let [darkest, lightest] = [255, 0];
  for (let row = y - reach; row <= y + reach; row += 1) {
    for (let at = row * width + x - reach; at <= row * width + x + reach; at += 1) {
      if (isToned[at] === 0) return false;
      const tone = data[at]!;
      if (tone < darkest) darkest = tone;
      if (tone > lightest) lightest = tone;
    }
  }
  return lightest - darkest >= minContrast;
}
