import { applyToBox, invert, median } from '../../geometry.ts';
import type { AngledWord } from '../../model/words/word.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import type { Box } from '../../results.ts';

/**
 * The resolution at which strokes are about two pixels wide. At a lower resolution, the stroke
 * widths of bold and regular letters are not distinguishable.
 */
export const boldDpi = 170;
/**
 * The minimum ratio of bold strokes to the strokes of most lines. On scans of three typefaces,
 * strokes of regular lines varied by a factor of up to 1.06, and bold strokes were at least 1.33
 * times as wide.
 */
const minBoldRatio = 1.22;
/** The maximum angle of measured lines, in degrees. */
const maxAngle = 5;
/** The minimum number of letters to measure a line, and of lines to measure a page. */
const minLetters = 3;
const minLines = 4;
/** The maximum ink that counts as grain, as a share of the darkest ink. */
const maxGrain = 0.2;

/** The ink of some words, and the sum of its changes along each row of pixels. */
type InkMeasurement = { ink: number; edges: number };

/** Measures the ink of a word, from 0 (paper) to 1 (the darkest ink of the word). */
function measure({ data, width, height }: PagePicture, box: Box): InkMeasurement {
  const [x0, y0] = [Math.max(0, Math.floor(box[0])), Math.max(0, Math.floor(box[1]))];
  const [x1, y1] = [Math.min(width, Math.ceil(box[2])), Math.min(height, Math.ceil(box[3]))];
  const measurement: InkMeasurement = { ink: 0, edges: 0 };
  if (x1 - x0 < 4 || y1 - y0 < 4) return measurement;
  const tones: number[] = [];
  for (let y = y0; y < y1; y += 1) {
    for (let at = y * width + x0; at < y * width + x1; at += 1) tones.push(data[at] ?? 255);
  }
  tones.sort((a, b) => a - b);
  const darkest = tones[Math.floor(0.03 * tones.length)] ?? 0;
  const paper = tones[Math.floor(0.9 * tones.length)] ?? 255;
  if (paper - darkest < 20) return measurement;
  for (let y = y0; y < y1; y += 1) {
    let last = 0;
    for (let x = x0; x < x1; x += 1) {
      const share = (paper - (data[y * width + x] ?? 255)) / (paper - darkest);
      const ink = share < maxGrain ? 0 : Math.min(1, share);
      measurement.ink += ink;
      measurement.edges += Math.abs(ink - last);
      last = ink;
    }
    measurement.edges += last;
  }
  return measurement;
}

type Line = { mark: number; letters: number; strokeWidth: number };

/** Measures the stroke width of each recognised line, relative to its letter size. */
function strokeWidthsOf(words: readonly AngledWord[], picture: PagePicture): Line[] {
  const toPixels = invert(pictureToDisplay(picture));
  const lines = new Map<number, InkMeasurement & { letters: number; size: number }>();
  for (const { text, box, base, size, angle, mark, source } of words) {
    if (source !== 'ocr' || Math.abs(angle) > maxAngle) continue;
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const letterBox: Box = [box[0], base - 0.8 * size, box[2], base + 0.25 * size];
    const { ink, edges } = measure(picture, applyToBox(toPixels, letterBox));
    const line = lines.get(mark) ?? { ink: 0, edges: 0, letters: 0, size };
    line.ink += ink;
    line.edges += edges;
    line.letters += letters;
    lines.set(mark, line);
  }
  const scale = Math.abs(toPixels[0]);
  return [...lines].flatMap(([mark, { ink, edges, letters, size }]) =>
    letters < minLetters || edges === 0
      ? []
      : [{ mark, letters, strokeWidth: (2 * ink) / edges / scale / size }],
  );
}

/** Returns the stroke width of most letters. */
function usualStrokeWidth(lines: readonly Line[]): number {
  return median(
    lines.flatMap(({ strokeWidth, letters }) => new Array<number>(letters).fill(strokeWidth)),
  );
}

/**
 * Returns the recognised words, with bold set on the words of lines whose strokes are wider than
 * those of most lines.
 */
export function markBold(words: readonly AngledWord[], picture: PagePicture): AngledWord[] {
  const lines = strokeWidthsOf(words, picture);
  if (lines.length < minLines) return [...words];
  const usualWidth = usualStrokeWidth(lines);
  const bold = new Set(
    lines
      .filter(({ strokeWidth }) => strokeWidth > minBoldRatio * usualWidth)
      .map(({ mark }) => mark),
  );
  return words.map((word) =>
    word.source === 'ocr' && bold.has(word.mark) ? { ...word, bold: true } : word,
  );
}
