import { compose, heightOf, type Matrix, widthOf } from '../../../../geometry.ts';
import { pdfMatrix, pdfNumber } from '../../../../pdf/text-run.ts';
import { standardFont } from '../content/font.ts';
import { isOnPage, type PaintRegion } from './regions.ts';

export type BoxStyle = 'blackbox' | 'label';

/** The resource name of the label font. */
export const labelFontKey = 'Label';
export const labelFontName = 'Helvetica-Bold';

/** Minimum font size of a label that is drawn as text, in points. Readers can zoom in. */
const minFontSize = 2;
const capHeight = 0.72;

/** Returns the text of a region's label. */
export const regionLabel = ({ types }: PaintRegion): string =>
  types.map((type) => `[${type}]`).join(' ');

/** Returns the font size of a label, in points; 0 if it does not fit. */
function fontSizeFor(label: string, length: number, thickness: number, min = minFontSize): number {
  const face = standardFont(labelFontName);
  const size = Math.min(
    thickness * 0.72,
    (length * 0.96) / (face.widthOfTextAtSize(label, 1) + 0.2),
    14,
  );
  return size >= min ? Math.floor(size * 10) / 10 : 0;
}

/** Whether a region's label fits into its box at a font size of at least `min` points. */
export function hasLabel(region: PaintRegion, style: BoxStyle, min = minFontSize): boolean {
  if (style !== 'label') return false;
  const isLevel = region.direction % 180 === 0;
  const length = isLevel ? widthOf(region.box) : heightOf(region.box);
  const thickness = isLevel ? heightOf(region.box) : widthOf(region.box);
  return fontSizeFor(regionLabel(region), length, thickness, min) > 0;
}

/**
 * Returns the operators that paint the boxes of a page black, with their labels in white.
 * @param toUser maps points as displayed to user space
 */
export function paintBoxes(
  all: readonly PaintRegion[],
  toUser: Matrix,
  style: BoxStyle,
  min = minFontSize,
): string {
  const regions = all.filter(isOnPage);
  if (regions.length === 0) return '';
  let out = `q\n${pdfMatrix(toUser)} cm\n0 g\n`;
  for (const { box } of regions) {
    const [x0, y0, x1, y1] = box.map((value) => Math.round(value * 100) / 100);
    const values = [x0, y0, (x1 ?? 0) - (x0 ?? 0), (y1 ?? 0) - (y0 ?? 0)];
    out += `${values.map((value) => pdfNumber(value ?? 0)).join(' ')} re f\n`;
  }
  out += 'Q\n';
  const labelled = regions.filter((region) => hasLabel(region, style, min));
  if (labelled.length === 0) return out;
  out += 'q\n1 g\nBT\n';
  for (const region of labelled) out += writeLabel(region, toUser);
  return `${out}ET\nQ\n`;
}

function writeLabel(region: PaintRegion, toUser: Matrix): string {
  const [x0, y0, x1, y1] = region.box;
  const { direction } = region;
  const isLevel = direction % 180 === 0;
  const length = isLevel ? x1 - x0 : y1 - y0;
  const thickness = isLevel ? y1 - y0 : x1 - x0;
  const label = regionLabel(region);
  const size = fontSizeFor(label, length, thickness);
  const startInset = size * 0.1;
  const baselineInset = (thickness - size * capHeight) / 2;
  const radians = (direction * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
  // The corner of the box at which the baseline of the label starts.
  const startX = direction === 0 || direction === 90 ? x0 : x1;
  const startY = direction === 90 || direction === 180 ? y0 : y1;
  const x = startX + cos * startInset + sin * baselineInset;
  const y = startY + sin * startInset - cos * baselineInset;
  const matrix = compose(toUser, [cos, sin, sin, -cos, x, y]);
  return `/${labelFontKey} ${pdfNumber(size)} Tf ${pdfMatrix(matrix)} Tm (${label}) Tj\n`;
}
