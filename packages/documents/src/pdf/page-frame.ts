import { EngineError } from '@scriptorium/sandbox/errors';
import { nearestQuarter } from '../geometry.ts';
import { maxPagePoints } from '../limits.ts';
import type { PageFrame } from '../results.ts';
import { type PdfDocument, readFloats, withSlots } from './pdfium.ts';

/**
 * Returns the visible rectangle and the rotation of a loaded page.
 * @throws EngineError `damaged` if the page has no area; `too_large` if it is too large to draw.
 */
export function frameOf(document: PdfDocument, page: number): PageFrame {
  const { pdfium } = document;
  const [left = 0, top = 0, right = 0, bottom = 0] = withSlots(pdfium, 2, (at) => {
    // FS_RECTF: left, top, right, bottom; the intersection of CropBox and MediaBox.
    pdfium.FPDF_GetPageBoundingBox(page, at);
    return readFloats(pdfium, at, 4);
  });
  const frame = {
    left,
    bottom,
    width: right - left,
    height: top - bottom,
    rotation: nearestQuarter(pdfium.FPDFPage_GetRotation(page) * 90),
  };
  if (!(frame.width > 0 && frame.height > 0)) {
    throw new EngineError('damaged', 'A page of the PDF has no area.');
  }
  if (Math.max(frame.width, frame.height) > maxPagePoints) {
    throw new EngineError('too_large', 'A page of the PDF is too large to be drawn.');
  }
  return frame;
}
