import { maxPagePixels } from '../../limits.ts';
import type { Box } from '../../results.ts';
import { type Raster, renderPage } from '../bitmaps.ts';
import type { PdfDocument } from '../pdfium.ts';
import { cellsPerSide, type Shape, shapeOfCells } from './shape.ts';

/** Pixels per point: 216 dpi, so that small print has enough pixels. */
const preferredScale = 3;
/** Minimum difference between ink and paper, as a share of the range of tones. */
const minDarkness = 0.4;
/** Margin above and below a glyph, in pixels. */
const margin = 1;
/** Minimum size of a glyph for its shape to be compared, in pixels. */
const minPixels = 7;

/**
 * Returns a function that cuts the shapes of glyphs out of a loaded page. The page is rendered on
 * first use.
 */
export function shapeCutter(
  { pdfium }: PdfDocument,
  page: number,
  size: { width: number; height: number },
): (ink: Box) => Shape | null {
  let rendering: { raster: Raster; scale: number } | undefined;
  return (ink) => {
    if (!rendering) {
      const maxScale = Math.sqrt(maxPagePixels / (size.width * size.height));
      const scale = Math.min(preferredScale, maxScale);
      const width = Math.max(1, Math.round(size.width * scale));
      const height = Math.max(1, Math.round(size.height * scale));
      const raster = renderPage(pdfium, page, { width, height, grey: true, annotations: true });
      rendering = { raster, scale };
    }
    return cutShape(rendering.raster, ink, rendering.scale);
  };
}

function cutShape({ data, width, height }: Raster, ink: Box, scale: number): Shape | null {
  // Pixels at the sides may contain parts of neighbouring letters.
  const left = Math.max(0, Math.ceil(ink[0] * scale));
  const top = Math.max(0, Math.floor(ink[1] * scale) - margin);
  const right = Math.min(width, Math.floor(ink[2] * scale));
  const bottom = Math.min(height, Math.ceil(ink[3] * scale) + margin);
  if (right - left < 1 || bottom - top < minPixels) return null;
  const paper = data[top * width + left] ?? 255;
  let range = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      range = Math.max(range, Math.abs(data[y * width + x]! - paper));
    }
  }
  if (range < 16) return null;
  const darknessAt = (x: number, y: number): number =>
    Math.abs(data[y * width + x]! - paper) / range;
  let [x0, y0, x1, y1] = [right, bottom, left, top];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if (darknessAt(x, y) < minDarkness) continue;
      [x0, y0] = [Math.min(x0, x), Math.min(y0, y)];
      [x1, y1] = [Math.max(x1, x + 1), Math.max(y1, y + 1)];
    }
  }
  if (x1 <= x0 || y1 - y0 < minPixels) return null;
  const cells = new Float32Array(cellsPerSide * cellsPerSide);
  for (let row = 0; row < cellsPerSide; row += 1) {
    for (let column = 0; column < cellsPerSide; column += 1) {
      const cell: Box = [
        x0 + ((x1 - x0) * column) / cellsPerSide,
        y0 + ((y1 - y0) * row) / cellsPerSide,
        x0 + ((x1 - x0) * (column + 1)) / cellsPerSide,
        y0 + ((y1 - y0) * (row + 1)) / cellsPerSide,
      ];
      cells[row * cellsPerSide + column] = meanDarkness(cell, darknessAt);
    }
  }
  return shapeOfCells(cells, Math.log((x1 - x0) / (y1 - y0)));
}

/**
 * Returns the mean darkness of a part of a picture, weighted by the covered share of each pixel.
 */
function meanDarkness([x0, y0, x1, y1]: Box, darknessAt: (x: number, y: number) => number): number {
  let sum = 0;
  for (let y = Math.floor(y0); y < y1; y += 1) {
    const coveredHeight = Math.min(y1, y + 1) - Math.max(y0, y);
    for (let x = Math.floor(x0); x < x1; x += 1) {
      sum += darknessAt(x, y) * coveredHeight * (Math.min(x1, x + 1) - Math.max(x0, x));
    }
  }
  return sum / ((x1 - x0) * (y1 - y0));
}
