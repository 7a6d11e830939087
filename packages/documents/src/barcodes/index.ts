import sharp from 'sharp';
import {
  apply,
  applyToBox,
  area,
  compose,
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
import { type DecodedBarcode, decodeBarcodes, decodeLightBars } from './decode.ts';
import { directionOfStripes, levelStripes, type View } from './level.ts';

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

/**
 * The reduction of areas whose modules are large enough to be decoded at `searchDpi`. Those of
 * larger reductions are decoded at a lower resolution.
 */
const coarsest = 2;
/** Share of an area that the barcodes found must cover for it to be skipped. */
const maxFoundShare = 0.5;

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
  let fine: DrawnPage | undefined;
  const drawPart = async (box: Box, reduction: number): Promise<DrawnPage> => {
    if (reduction > 1) return reduce(cropTo({ picture, toDisplay }, box), reduction / coarsest);
    fine ??= await drawFine();
    return cropTo(fine, box);
  };
  const found: Barcode[] = [];
  for (const { box, reduction } of areas) {
    const searched = applyToBox(toDisplay, box);
    const known = found.reduce((sum, other) => sum + sharedArea(searched, other.box), 0);
    if (known > maxFoundShare * area(searched)) continue;
    const part = await drawPart(searched, reduction);
    for (const barcode of await decodePart(part, reduction === 1)) {
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
 * Decodes a part of a page. If this finds nothing, a small part is decoded enlarged, because small
 * modules are then easier to separate. Stripes are decoded levelled, reduced, which makes grain
 * fainter, and light on dark.
 * @param isFine whether the modules may be small
 */
async function decodePart({ picture, toDisplay }: DrawnPage, isFine: boolean): Promise<Barcode[]> {
  const whole: View = { picture, toOriginal: identity };
  const isLarge = picture.width * picture.height > maxStripedPixels;
  const degrees = isLarge ? null : directionOfStripes(picture);
  const level = degrees === null ? null : await levelStripes(picture, degrees);
  const sizes = degrees === null ? [2] : [2, 1 / 2];
  const views: (() => View | null | Promise<View | null>)[] = [
    () => whole,
    () => level,
    ...(isFine ? sizes : []).map((by) => () => resized(level ?? whole, by)),
  ];
  for (const createView of views) {
    const view = await createView();
    if (!view) continue;
    let decoded = await decodeBarcodes(view.picture);
    if (decoded.length === 0 && degrees !== null) decoded = await decodeLightBars(view.picture);
    if (decoded.length > 0)
      return decoded.map((one) => toBarcode(one, view.toOriginal, picture, toDisplay));
  }
  return [];
}

/** Maximum number of pixels of a part whose stripes are decoded in several ways. */
const maxStripedPixels = 1.2e6;
/** Maximum number of pixels of a part that is enlarged, and minimum number of one that is reduced. */
const maxEnlargedPixels = 0.1e6;
const minReducedPixels = 0.02e6;

/** Returns a picture resized; null if it is too large to be enlarged or too small to be reduced. */
async function resized({ picture, toOriginal }: View, by: number): Promise<View | null> {
  const { data, width, height } = picture;
  const pixels = width * height;
  if (by > 1 ? pixels > maxEnlargedPixels : pixels < minReducedPixels) return null;
  const size = [width, height].map((side) => Math.max(1, Math.round(side * by)));
  const { data: scaled, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(size[0], size[1], { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return {
    picture: { data: scaled, width: info.width, height: info.height },
    toOriginal: compose(toOriginal, [width / info.width, 0, 0, height / info.height, 0, 0]),
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

/** Returns a page reduced by a whole factor, each pixel the mean of those that it replaces. */
function reduce({ picture, toDisplay }: DrawnPage, factor: number): DrawnPage {
  if (factor === 1) return { picture, toDisplay };
  const [width, height] = [
    Math.max(1, Math.floor(picture.width / factor)),
    Math.max(1, Math.floor(picture.height / factor)),
  ];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let dy = 0; dy < factor; dy += 1) {
        const from = (y * factor + dy) * picture.width + x * factor;
        for (let dx = 0; dx < factor; dx += 1) sum += picture.data[from + dx] ?? 0;
      }
      data[y * width + x] = sum / factor ** 2;
    }
  }
  const [a, b, c, d, e, f] = toDisplay;
  return {
    picture: { data, width, height },
    toDisplay: [a * factor, b * factor, c * factor, d * factor, e, f],
  };
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
