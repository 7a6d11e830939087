import sharp from 'sharp';
import {
  apply,
  applyToBox,
  area,
  grow,
  heightOf,
  hull,
  invert,
  type Matrix,
  sharedArea,
  widthOf,
} from '../geometry.ts';
import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';
import { barcodeAreas } from './areas.ts';
import { boxAroundBars } from './bars.ts';
import { type DecodedBarcode, decodeBarcodes } from './decode.ts';
import { levelStripes, type View } from './level.ts';

export { searchDpi } from './areas.ts';

/** Resolution at which barcodes are decoded, in dpi. Small modules are then about 2 pixels wide. */
export const decodingDpi = 300;

/** A barcode on a page. */
export interface Barcode {
  value: string;
  /** Whether its content is certain because of its check digits. */
  isChecked: boolean;
  /** Whether it consists of bars, below which its content may be printed. */
  isLinear: boolean;
  /** In points of the page as displayed. */
  box: Box;
}

/** A picture of a page in greyscale, with the map from its pixels to points as displayed. */
export interface DrawnPage {
  picture: GreyRaster;
  toDisplay: Matrix;
}

/** Margin around the decoded corners, as a share of the shorter side and in points. */
const marginShare = 0.04;
const stackedMarginShare = 0.15;
const minMargin = 1;

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/**
 * Finds the barcodes of a page by decoding them. Areas of the page that cannot contain a barcode
 * are not decoded, and a page without other areas is not drawn for it.
 * @param page the page at `searchDpi` or less
 * @param known boxes of text that was read, in points
 * @param drawFine draws the page at `decodingDpi` or less
 */
export async function findBarcodes(
  { picture, toDisplay }: DrawnPage,
  known: readonly Box[],
  drawFine: () => DrawnPage | Promise<DrawnPage>,
): Promise<Barcode[]> {
  const toPixels = invert(toDisplay);
  const knownPixels = known.map((box) => applyToBox(toPixels, box));
  const areas = barcodeAreas(picture, knownPixels);
  if (areas.length === 0) return [];
  const fine = await drawFine();
  const found: Barcode[] = [];
  for (const searched of areas) {
    const part = cropTo(fine, applyToBox(toDisplay, searched));
    for (const barcode of await decodePart(part)) {
      const isRepeated = found.some(
        (other) =>
          sharedArea(other.box, barcode.box) > 0.5 * Math.min(area(other.box), area(barcode.box)),
      );
      if (!isRepeated) found.push(barcode);
    }
  }
  return found;
}

/**
 * Decodes a part of a page. If this finds nothing, the part is decoded with its stripes levelled,
 * and a small part enlarged, in which small modules are easier to separate.
 */
async function decodePart({ picture, toDisplay }: DrawnPage): Promise<Barcode[]> {
  const views = [
    async () => ({ picture, toOriginal: identity }),
    () => levelStripes(picture),
    () => enlarge(picture),
  ];
  for (const createView of views) {
    const view = await createView();
    if (!view) continue;
    const decoded = await decodeBarcodes(view.picture);
    if (decoded.length > 0)
      return decoded.map((one) => toBarcode(one, view.toOriginal, picture, toDisplay));
  }
  return [];
}

/** Maximum number of pixels of a part that is enlarged, and the factor. */
const maxEnlargedPixels = 0.6e6;
const enlargement = 2;

/** Returns a small picture enlarged; null if it is large. */
async function enlarge({ data, width, height }: GreyRaster): Promise<View | null> {
  if (width * height > maxEnlargedPixels) return null;
  const { data: enlarged, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(width * enlargement, height * enlargement, { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return {
    picture: { data: enlarged, width: info.width, height: info.height },
    toOriginal: [1 / enlargement, 0, 0, 1 / enlargement, 0, 0],
  };
}

function toBarcode(
  { value, isLinear, isStacked, isUnchecked, corners: decodedCorners }: DecodedBarcode,
  toOriginal: Matrix,
  picture: GreyRaster,
  toDisplay: Matrix,
): Barcode {
  const corners = decodedCorners.map((corner) => apply(toOriginal, ...corner));
  const around = isLinear
    ? boxAroundBars(picture, corners)
    : (hull(corners.map(([x, y]): Box => [x, y, x, y])) ?? [0, 0, 0, 0]);
  const box = applyToBox(toDisplay, around);
  const share = isStacked ? stackedMarginShare : marginShare;
  const margin = Math.max(minMargin, share * Math.min(widthOf(box), heightOf(box)));
  return { value, isChecked: !isUnchecked, isLinear, box: grow(box, margin) };
}

/** Returns the part of a page that covers a box, in whole pixels. */
function cropTo({ picture, toDisplay }: DrawnPage, box: Box): DrawnPage {
  const { data, width, height } = picture;
  const [left, top, right, bottom] = applyToBox(invert(toDisplay), box);
  const [x0, y0] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  const partWidth = Math.max(1, Math.min(width, Math.ceil(right)) - x0);
  const partHeight = Math.max(1, Math.min(height, Math.ceil(bottom)) - y0);
  const part = new Uint8Array(partWidth * partHeight);
  for (let y = 0; y < partHeight; y += 1) {
    const from = (y0 + y) * width + x0;
    part.set(data.subarray(from, from + partWidth), y * partWidth);
  }
  const [a, b, c, d] = toDisplay;
  const [e, f] = apply(toDisplay, x0, y0);
  return {
    picture: { data: part, width: partWidth, height: partHeight },
    toDisplay: [a, b, c, d, e, f],
  };
}
