import { area, hull } from '../../geometry.ts';
import { renderPage } from '../../pdf/bitmaps.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import type { PdfDocument } from '../../pdf/pdfium.ts';
import type { Box } from '../../results.ts';
import { alongOutlines, type Outline } from './outlines.ts';

/** Minimum difference between the tones of two adjacent pixels that form an edge. */
const minToneStep = 48;
/** Minimum number of edges in a word. */
const minEdges = 30;
/** Maximum number of pixels of the page picture that is examined, at about one pixel per point. */
const maxPixels = 4e6;
/** Width of the blur around letters, lines and frames, in pixels. */
const blurWidth = 2;

/** The known drawings of a page. Their ink explains the visible content. */
type KnownDrawings = {
  glyphs: readonly Glyph[];
  pictures: readonly Box[];
  shapes: readonly Box[];
  outlines: readonly Outline[];
};

/**
 * Returns a box around the parts of a loaded page that show neither text nor pictures nor edges of
 * shapes. Patterns and masks may contain letters that are not detected otherwise. Undefined if
 * there are no such parts.
 */
export function findUnexplained(
  document: PdfDocument,
  page: number,
  size: { width: number; height: number },
  { glyphs, pictures, shapes, outlines }: KnownDrawings,
): Box | undefined {
  const scale = Math.min(1, Math.sqrt(maxPixels / (size.width * size.height)));
  const { data, width, height } = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
    grey: true,
    annotations: false,
  });
  const explainedMask = new Uint8Array(width * height);
  const mark = ([x0, y0, x1, y1]: Box): void => {
    const from = Math.max(0, Math.floor(x0 * scale - blurWidth));
    const to = Math.min(width, Math.ceil(x1 * scale + blurWidth));
    const last = Math.min(height, Math.ceil(y1 * scale + blurWidth));
    if (to <= from) return;
    for (let y = Math.max(0, Math.floor(y0 * scale - blurWidth)); y < last; y += 1) {
      explainedMask.fill(1, y * width + from, y * width + to);
    }
  };
  for (const { ink, visible } of glyphs) if (visible && area(ink) > 0) mark(ink);
  for (const picture of pictures) mark(picture);
  for (const [x0, y0, x1, y1] of shapes) {
    mark([x0, y0, x1, y0]);
    mark([x0, y1, x1, y1]);
    mark([x0, y0, x0, y1]);
    mark([x1, y0, x1, y1]);
  }
  for (const { x, y, reach } of alongOutlines(outlines, blurWidth / scale)) {
    if (x > 0 && y > 0 && x < size.width && y < size.height) {
      mark([x - reach, y - reach, x + reach, y + reach]);
    }
  }
  const edges: Box[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let at = y * width; at < (y + 1) * width - 1; at += 1) {
      if (explainedMask[at] === 1 || explainedMask[at + 1] === 1) continue;
      if (Math.abs((data[at] ?? 0) - (data[at + 1] ?? 0)) <= minToneStep) continue;
      const x = at - y * width;
      edges.push([x / scale, y / scale, (x + 2) / scale, (y + 1) / scale]);
    }
  }
  return edges.length < minEdges ? undefined : hull(edges);
}
