import { compose, type Matrix } from '../../geometry.ts';
import { pdfMatrix, pdfNumber } from '../../pdf/text-run.ts';
import { heightOf, widthOf } from './boxes.ts';
import { standardFont } from './content/font.ts';
import { isOnPage, type Region } from './regions.ts';

export type Style = 'blackbox' | 'label';

/** Name of the labels' font in a page's resources. */
export const labelFont = 'Label';
export const labelFontName = 'Helvetica-Bold';

/** Smallest size of a label that is drawn as text, in points: who wants to read it can look closer. */
const smallest = 2;
const capHeight = 0.72;

/** What a label says of a box. */
export const labelOf = ({ types }: Region): string => types.map((type) => `[${type}]`).join(' ');

/** The size that a label is set in, in points; 0 where it does not fit. */
function sizeFor(label: string, length: number, thickness: number, least = smallest): number {
  const face = standardFont(labelFontName);
  const size = Math.min(
    thickness * 0.72,
    (length * 0.96) / (face.widthOfTextAtSize(label, 1) + 0.2),
    14,
  );
  return size >= least ? Math.floor(size * 10) / 10 : 0;
}

/** Whether a region's label has room in its box, at `least` so large (in points). */
export function hasLabel(region: Region, style: Style, least = smallest): boolean {
  if (style !== 'label') return false;
  const isLevel = region.direction % 180 === 0;
  const length = isLevel ? widthOf(region.box) : heightOf(region.box);
  const thickness = isLevel ? heightOf(region.box) : widthOf(region.box);
  return sizeFor(labelOf(region), length, thickness, least) > 0;
}

/**
 * Operators that paint the boxes of a page, black, with their labels in white. `toUser` maps points
 * as displayed to the page's user space.
 */
export function paintBoxes(
  all: readonly Region[],
  toUser: Matrix,
  style: Style,
  least = smallest,
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
  const labelled = regions.filter((region) => hasLabel(region, style, least));
  if (labelled.length === 0) return out;
  out += 'q\n1 g\nBT\n';
  for (const region of labelled) out += writeLabel(region, toUser);
  return `${out}ET\nQ\n`;
}

function writeLabel(region: Region, toUser: Matrix): string {
  const [x0, y0, x1, y1] = region.box;
  const { direction } = region;
  const isLevel = direction % 180 === 0;
  const length = isLevel ? x1 - x0 : y1 - y0;
  const thickness = isLevel ? y1 - y0 : x1 - x0;
  const label = labelOf(region);
  const size = sizeFor(label, length, thickness);
  const along = size * 0.1;
  const up = (thickness - size * capHeight) / 2;
  const radians = (direction * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
  // The corner of the box where the line of text begins, at its foot.
  const startX = direction === 0 || direction === 90 ? x0 : x1;
  const startY = direction === 90 || direction === 180 ? y0 : y1;
  const x = startX + cos * along + sin * up;
  const y = startY + sin * along - cos * up;
  const matrix = compose(toUser, [cos, sin, sin, -cos, x, y]);
  return `/${labelFont} ${pdfNumber(size)} Tf ${pdfMatrix(matrix)} Tm (${label}) Tj\n`;
}
