import { displaySize } from '../../../geometry.ts';
import type { PdfDocument } from '../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../results.ts';
import type { DrawnObject } from './objects.ts';
import { type DoubtfulPart, intersection, pixelMap, sample, withTransparency } from './pictures.ts';
import { type GreyTile, hasContrast } from './tiles.ts';

/** Alpha value below which a pixel is practically invisible. */
const minAlpha = 64;
const white = 255;
const hiddenWriting = 'A picture has writing that the page does not show.';

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
): DoubtfulPart[] {
  const { width, height } = displaySize(frame);
  const area = intersection(image.box, [0, 0, width, height]);
  if (!area) return [];
  const doubtful: DoubtfulPart[] = [];
  withTransparency(document, page, image.object, (stored, shown, mask) => {
    const tileOf = (plane: typeof stored): GreyTile | undefined =>
      sample(plane, pixelMap(image.matrix, plane), area)?.tile;
    const alpha = tileOf(mask);
    // A mask that hides nothing shapes no ink either.
    if (!alpha || alpha.data.every((seen) => seen === white)) return;
    const [pixels, colour] = [tileOf(stored), tileOf(shown)];
    if (!pixels || !colour) return;
    const hidden = merge(pixels, alpha, (value, seen) => (seen < minAlpha ? value : white));
    if (hasContrast(hidden)) doubtful.push({ tile: hidden, region: null, fault: hiddenWriting });
    const drawn = merge(colour, alpha, (value, seen) => white - ((white - value) * seen) / white);
    if (!hasContrast(alpha) || hasContrast(drawn) || hasContrast(shownAt(area))) return;
    doubtful.push({ tile: alpha, region: null, fault: hiddenWriting });
  });
  return doubtful;
}

/** Merges two tiles. The second tile may have a different resolution. */
function merge(
  first: GreyTile,
  other: GreyTile,
  combine: (value: number, second: number) => number,
): GreyTile {
  const data = new Uint8Array(first.data.length);
  for (let y = 0; y < first.height; y += 1) {
    const row = Math.floor((y * other.height) / first.height) * other.width;
    for (let x = 0; x < first.width; x += 1) {
      const second = other.data[row + Math.floor((x * other.width) / first.width)] ?? white;
      data[y * first.width + x] = combine(first.data[y * first.width + x] ?? white, second);
    }
  }
  return { data, width: first.width, height: first.height };
}
