import { displaySize } from '../../../geometry.ts';
import type { PdfDocument } from '../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../results.ts';
import type { DrawnObject } from './objects.ts';
import { cut, type Doubtful, pixelsOf, sample, withHidden } from './pictures.ts';
import { type GreyTile, hasContrast } from './tiles.ts';

/** Alpha value below which a pixel is practically invisible. */
const minAlpha = 64;
const paper = 255;
const wrong = 'A picture has writing that the page does not show.';

/**
 * Returns the parts of a transparent picture that the page does not show: pixels hidden by the
 * mask, and the mask itself if it shapes ink in the background colour. Programs can extract both.
 * @param shownAt returns the drawn page within a box
 */
export function hiddenPixels(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  image: Extract<DrawnObject, { kind: 'image' }>,
  shownAt: (box: Box) => GreyTile,
): Doubtful[] {
  const { width, height } = displaySize(frame);
  const area = cut(image.box, [0, 0, width, height]);
  if (!area) return [];
  const doubtful: Doubtful[] = [];
  withHidden(document, page, image.object, (stored, shown, mask) => {
    const tileOf = (plane: typeof stored): GreyTile | undefined =>
      sample(plane, pixelsOf(image.matrix, plane), area)?.tile;
    const [pixels, alpha, colour] = [tileOf(stored), tileOf(mask), tileOf(shown)];
    if (!pixels || !alpha || !colour) return;
    const hidden = merged(pixels, alpha, (value, seen) => (seen < minAlpha ? value : paper));
    if (hasContrast(hidden)) doubtful.push({ tile: hidden, region: null, wrong });
    const drawn = merged(colour, alpha, (value, seen) => paper - ((paper - value) * seen) / paper);
    if (!hasContrast(alpha) || hasContrast(drawn) || hasContrast(shownAt(area))) return;
    doubtful.push({ tile: alpha, region: null, wrong });
  });
  return doubtful;
}

/** Merges two tiles. The second tile may have a different resolution. */
function merged(
  one: GreyTile,
  other: GreyTile,
  mix: (value: number, second: number) => number,
): GreyTile {
  const data = new Uint8Array(one.data.length);
  for (let y = 0; y < one.height; y += 1) {
    const row = Math.floor((y * other.height) / one.height) * other.width;
    for (let x = 0; x < one.width; x += 1) {
      const second = other.data[row + Math.floor((x * other.width) / one.width)] ?? paper;
      data[y * one.width + x] = mix(one.data[y * one.width + x] ?? paper, second);
    }
  }
  return { data, width: one.width, height: one.height };
}
