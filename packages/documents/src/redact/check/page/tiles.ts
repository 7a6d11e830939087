import type { Tesseract } from '../../../ocr/tesseract/recogniser.ts';

/** A small greyscale picture. */
export interface GreyTile {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A word that was read in a tile. Its box is in pixels. */
export interface ReadWord {
  text: string;
  box: [number, number, number, number];
  confidence: number;
}

const tileGap = 24;
const maxPixels = 16e6;
const tileDpi = 300;

/**
 * Reads tiles of 300 dpi and returns the words of each. Many tiles are read in one picture, because
 * starting the recogniser costs more than reading a line. Dark tiles are read separately, because
 * the recogniser mistakes light tiles beside them for pictures.
 */
export async function readTiles(
  tesseract: Tesseract,
  tiles: readonly GreyTile[],
  isolation: string,
): Promise<ReadWord[][]> {
  const isDark = tiles.map((tile) => medianTone(tile) < 128);
  const light = await readStrips(
    tesseract,
    tiles.filter((_, at) => !isDark[at]),
    isolation,
  );
  const dark = await readStrips(
    tesseract,
    tiles.filter((_, at) => isDark[at]),
    isolation,
  );
  return isDark.map((one) => (one ? dark : light).shift() ?? []);
}

async function readStrips(
  tesseract: Tesseract,
  tiles: readonly GreyTile[],
  isolation: string,
): Promise<ReadWord[][]> {
  const words: ReadWord[][] = tiles.map(() => []);
  let from = 0;
  while (from < tiles.length) {
    let to = from + 1;
    const width = (end: number): number =>
      Math.max(...tiles.slice(from, end).map((tile) => tile.width)) + 2 * tileGap;
    const height = (end: number): number =>
      tiles.slice(from, end).reduce((sum, tile) => sum + tile.height + tileGap, tileGap);
    while (to < tiles.length && width(to + 1) * height(to + 1) <= maxPixels) to += 1;
    const strip = {
      data: new Uint8Array(width(to) * height(to)).fill(255),
      width: width(to),
      height: height(to),
      dpi: tileDpi,
    };
    const tops: number[] = [];
    let y = tileGap;
    for (const tile of tiles.slice(from, to)) {
      tops.push(y);
      for (let row = 0; row < tile.height; row += 1) {
        const line = tile.data.subarray(row * tile.width, (row + 1) * tile.width);
        strip.data.set(line, (y + row) * strip.width + tileGap);
      }
      y += tile.height + tileGap;
    }
    const { words: read } = await tesseract.recognise(strip, ['eng'], isolation);
    for (const { text, box, confidence } of read) {
      const middle = (box[1] + box[3]) / 2;
      const index = Math.max(
        0,
        tops.findLastIndex((top) => top - tileGap / 2 <= middle),
      );
      const top = tops[index] ?? 0;
      words[from + index]?.push({
        text,
        confidence,
        box: [box[0] - tileGap, box[1] - top, box[2] - tileGap, box[3] - top],
      });
    }
    from = to;
  }
  return words;
}

/** Distance from the edge of a tile within which words may be cut off, in pixels. */
const cutOffMargin = 8;

/**
 * Returns the words of a tile that are certainly not cut off at its edges. The remains of "any" may
 * be read as "allt", which says nothing about the letters that the font draws.
 */
export function wholeWords(words: readonly ReadWord[], tile: GreyTile): ReadWord[] {
  return words.filter(
    ({ box: [x0, y0, x1, y1] }) =>
      x0 > cutOffMargin &&
      y0 > cutOffMargin &&
      x1 < tile.width - cutOffMargin &&
      y1 < tile.height - cutOffMargin,
  );
}

/** Returns the lowest and the highest tone of a tile. */
export function toneRange({ data }: GreyTile): [number, number] {
  let [low, high] = [255, 0];
  for (let at = 0; at < data.length; at += 1) {
    const tone = data[at]!;
    if (tone < low) low = tone;
    if (tone > high) high = tone;
  }
  return [low, high];
}

/** Minimum contrast of text. */
const minContrast = 24;

/** Whether a tile has enough contrast to contain text. */
export function hasContrast(tile: GreyTile): boolean {
  const [low, high] = toneRange(tile);
  return high - low > minContrast;
}

/** Stretches the tones of a tile to the range from black to white. */
export function stretch(tile: GreyTile): GreyTile {
  const [low, high] = toneRange(tile);
  if (high <= low) return tile;
  const scale = 255 / (high - low);
  const tones = Uint8Array.from({ length: 256 }, (_, tone) =>
    Math.round(Math.max(0, tone - low) * scale),
  );
  return { ...tile, data: tile.data.map((tone) => tones[tone] ?? 0) };
}

/**
 * Width of the paper around the content, in pixels. Both much narrower and much wider margins
 * impair recognition.
 */
const paperMargin = 20;
/** Minimum difference from the paper. Smaller differences are noise. */
const minContentContrast = 64;

/**
 * Removes most of the paper around the content of a stretched tile, because a word at the end of a
 * long box is often misread.
 */
export function trim(tile: GreyTile): GreyTile {
  const { data, width, height } = tile;
  const tone = medianTone(tile);
  let [left, top, right, bottom] = [width, height, 0, 0];
  data.forEach((value, at) => {
    if (Math.abs(value - tone) < minContentContrast) return;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  });
  if (right <= left) return tile;
  const ink = crop(tile, [left, top, right, bottom]);
  const out: GreyTile = {
    data: new Uint8Array((ink.width + 2 * paperMargin) * (ink.height + 2 * paperMargin)).fill(tone),
    width: ink.width + 2 * paperMargin,
    height: ink.height + 2 * paperMargin,
  };
  for (let row = 0; row < ink.height; row += 1) {
    const line = ink.data.subarray(row * ink.width, (row + 1) * ink.width);
    out.data.set(line, (row + paperMargin) * out.width + paperMargin);
  }
  return out;
}

/** Returns the median tone of a tile. */
export function medianTone({ data }: GreyTile): number {
  const counts = new Uint32Array(256);
  // An iterator would take several times as long.
  for (let at = 0; at < data.length; at += 1) counts[data[at]!]! += 1;
  let counted = 0;
  return counts.findIndex((count) => {
    counted += count;
    return counted * 2 >= data.length;
  });
}

export function invertTones(tile: GreyTile): GreyTile {
  return { ...tile, data: tile.data.map((tone) => 255 - tone) };
}

/** Cuts out part of a picture. */
export function crop(
  { data, width, height }: GreyTile,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): GreyTile {
  const [left, top] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))];
  const [right, bottom] = [Math.min(width, Math.ceil(x1)), Math.min(height, Math.ceil(y1))];
  const part: GreyTile = {
    data: new Uint8Array(Math.max(0, right - left) * Math.max(0, bottom - top)),
    width: Math.max(0, right - left),
    height: Math.max(0, bottom - top),
  };
  for (let row = 0; row < part.height; row += 1) {
    const from = (top + row) * width + left;
    part.data.set(data.subarray(from, from + part.width), row * part.width);
  }
  return part;
}

/** Rotates a tile clockwise by quarter turns. */
export function turnTile(tile: GreyTile, quarters: number): GreyTile {
  if (quarters === 0) return tile;
  const { data, width, height } = tile;
  const isHalf = quarters === 2;
  const [outWidth, outHeight] = isHalf ? [width, height] : [height, width];
  const out: GreyTile = { data: new Uint8Array(data.length), width: outWidth, height: outHeight };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const tone = data[y * width + x] ?? 0;
      if (isHalf) out.data[(height - 1 - y) * outWidth + (width - 1 - x)] = tone;
      else if (quarters === 1) out.data[x * outWidth + (height - 1 - y)] = tone;
      else out.data[(width - 1 - x) * outWidth + y] = tone;
    }
  }
  return out;
}

/**
 * Returns the possible directions of text in part of a page, in quarter turns, judging by its
 * shape.
 */
export function turnsOf({ width, height }: { width: number; height: number }): number[] {
  if (width > height * 1.5) return [0, 2];
  return height > width * 1.5 ? [1, 3] : [0, 1, 2, 3];
}
