import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { renderPage } from '../../../pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../pdf/pdfium.ts';
import type { ReportedRegion } from './glyphs.ts';
import { crop, type GreyTile, medianTone, turnTile } from './tiles.ts';

/** Font size at which labels are drawn for comparison, in points and pixels. */
const labelSize = 48;
/**
 * Minimum contrast of ink with its background, as a share of the maximum contrast, and the maximum
 * contrast beside the label.
 */
const minContrast = 0.5;
const maxContrastBeside = 0.3;
/**
 * Minimum similarity between the label and its drawing, and the maximum difference between their
 * proportions.
 */
const minSimilarity = 0.7;
const maxDistortion = 0.15;
/** Minimum height of a label for comparison, in pixels. */
const minHeight = 6;

const labelCache = new Map<string, Promise<GreyTile>>();

/** Returns the label of a region: the types of data that its box hides, in order. */
export function labelText(regions: readonly ReportedRegion[], { box }: ReportedRegion): string {
  return regions
    .filter((other) => other.box.every((side, at) => side === box[at]))
    .map(({ type }) => `[${type}]`)
    .join(' ');
}

/**
 * Whether a tile shows a label and nothing else. Compares pixels, because small letters in a
 * picture are not always recognised correctly. The label may be rotated, and have any size and
 * tone.
 */
export async function isDrawnLabel(tile: GreyTile, text: string): Promise<boolean> {
  const ink = inkOf(tile);
  if (!ink) return false;
  const label = labelCache.get(text) ?? drawLabel(text);
  labelCache.set(text, label);
  const labelTile = await label;
  for (const quarters of [0, 2, 1, 3]) {
    const turned = turnTile(labelTile, quarters);
    const distortion = (turned.width * ink.height) / (turned.height * ink.width);
    if (Math.abs(Math.log(distortion)) > maxDistortion) continue;
    if (similarity(ink, await scaleTo(turned, ink)) >= minSimilarity) return true;
  }
  return false;
}

/**
 * Returns the ink of a tile as light on dark. Undefined without ink, or if there is fainter
 * content beside it.
 */
function inkOf(tile: GreyTile): GreyTile | undefined {
  const paper = medianTone(tile);
  const contrast = tile.data.map((tone) => Math.abs(tone - paper));
  const max = contrast.reduce((high, value) => Math.max(high, value), 0);
  let [left, top, right, bottom] = [tile.width, tile.height, 0, 0];
  contrast.forEach((value, at) => {
    if (value < minContrast * max) return;
    const [x, y] = [at % tile.width, Math.floor(at / tile.width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  });
  if (max === 0 || Math.min(right - left, bottom - top) < minHeight) return undefined;
  const isBeside = (at: number): boolean => {
    const [x, y] = [at % tile.width, Math.floor(at / tile.width)];
    // The pixels next to letters are grey because of antialiasing.
    return x < left - 1 || x > right || y < top - 1 || y > bottom;
  };
  if (contrast.some((value, at) => value > maxContrastBeside * max && isBeside(at)))
    return undefined;
  return crop({ ...tile, data: contrast }, [left, top, right, bottom]);
}

/** Returns a label as light on dark, cropped to its letters. */
async function drawLabel(text: string): Promise<GreyTile> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.HelveticaBold);
  const width = Math.ceil(font.widthOfTextAtSize(text, labelSize)) + 2 * labelSize;
  const height = 3 * labelSize;
  const page = document.addPage([width, height]);
  page.drawText(text, { x: labelSize, y: labelSize, size: labelSize, font });
  const path = join(tmpdir(), `label-${randomUUID()}.pdf`);
  try {
    await writeFile(path, await document.save());
    const opened = await openPdf(path);
    try {
      const options = { width, height, grey: true, annotations: false };
      const { data } = await withPage(opened, 1, (handle) =>
        renderPage(opened.pdfium, handle, options),
      );
      const ink = inkOf({ data, width, height });
      if (!ink) throw new Error('A label has no ink.');
      return ink;
    } finally {
      opened.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function scaleTo(
  { data, width, height }: GreyTile,
  to: { width: number; height: number },
): Promise<GreyTile> {
  const { data: scaled } = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(to.width, to.height, { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: scaled, width: to.width, height: to.height };
}

/** Returns the correlation between the tones of two tiles of the same size, from -1 to 1. */
function similarity(a: GreyTile, b: GreyTile): number {
  const count = a.data.length;
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [a.data[at] ?? 0, b.data[at] ?? 0];
    sumA += x;
    sumB += y;
    squareA += x * x;
    squareB += y * y;
    product += x * y;
  }
  const spread = Math.sqrt((squareA * count - sumA * sumA) * (squareB * count - sumB * sumB));
  return spread === 0 ? 0 : (product * count - sumA * sumB) / spread;
}
