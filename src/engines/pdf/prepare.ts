import { EngineError } from '../errors.ts';
import { type PdfDocument, withPage, withSlots } from '../pdf/pdfium.ts';
import { frameOf } from '../source.ts';

/** FPDF_ANNOT_* subtypes and flags of PDFium's public headers (PDF 32000-1 §12.5.3). */
const link = 2;
const popup = 16;
const widget = 20;
const notDrawn = 0x01 | 0x02 | 0x20; // Invisible, Hidden, NoView
const normalAppearance = 0;
/** FPDFPage_Flatten: FLATTEN_FAIL, and flattening for the screen. */
const flattenFailed = 0;
const forScreen = 0;

/**
 * Makes page `number` (1-based) of an open document what readers see: visible annotations and form fields
 * become part of its content, hidden ones are removed. Changes the document in memory, so load pages
 * after it; a second call changes nothing. Text is read, found and removed on pages that are prepared
 * this way. Throws EngineError.
 */
export async function preparePage(document: PdfDocument, number: number): Promise<void> {
  const { pdfium } = document;
  await withPage(document, number, (page) => {
    const count = pdfium.FPDFPage_GetAnnotCount(page);
    if (count === 0) return;
    for (let index = count - 1; index >= 0; index -= 1) {
      if (!isDrawn(document, page, index)) pdfium.FPDFPage_RemoveAnnot(page, index);
    }
    if (pdfium.FPDFPage_GetAnnotCount(page) === 0) return;
    // Flattening reads only the page's own boxes and uses Letter if they are inherited.
    const { left, bottom, width, height } = frameOf(document, page);
    pdfium.FPDFPage_SetMediaBox(page, left, bottom, left + width, bottom + height);
    pdfium.FPDFPage_SetCropBox(page, left, bottom, left + width, bottom + height);
    if (pdfium.FPDFPage_Flatten(page, forScreen) === flattenFailed) {
      throw new EngineError('damaged', 'The annotations of a page cannot be read.');
    }
  });
}

/** Runs `use` with page `number` loaded and prepared; a page without annotations is loaded once. */
export async function withPreparedPage<T>(
  document: PdfDocument,
  number: number,
  use: (page: number) => Promise<T>,
): Promise<T> {
  const used = await withPage(document, number, async (page) =>
    document.pdfium.FPDFPage_GetAnnotCount(page) === 0 ? { result: await use(page) } : undefined,
  );
  if (used) return used.result;
  await preparePage(document, number);
  return withPage(document, number, use);
}

/** Whether a loaded page has annotations or form fields that may be visible. */
export function hasAnnotations({ pdfium }: PdfDocument, page: number): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (subtype !== link && subtype !== popup) return true;
  }
  return false;
}

/** Whether an annotation is visible; a field without an appearance gets one. */
function isDrawn(document: PdfDocument, page: number, index: number): boolean {
  const { pdfium } = document;
  const annotation = pdfium.FPDFPage_GetAnnot(page, index);
  if (annotation === 0) return false;
  try {
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    if (subtype === popup || (pdfium.FPDFAnnot_GetFlags(annotation) & notDrawn) !== 0) return false;
    // Visible layers cannot be queried here: anything in a layer counts as hidden.
    if (pdfium.FPDFAnnot_HasKey(annotation, 'OC') || hasNoArea(document, annotation)) return false;
    if (pdfium.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance)) return true;
    return subtype === widget
      ? pdfium.EPDFAnnot_GenerateFormFieldAP(annotation)
      : pdfium.EPDFAnnot_GenerateAppearance(annotation);
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}

function hasNoArea({ pdfium }: PdfDocument, annotation: number): boolean {
  return withSlots(pdfium, 2, (at) => {
    if (!pdfium.FPDFAnnot_GetRect(annotation, at)) return true;
    const heap = pdfium.heap();
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
      heap.buffer.slice(at, at + 16),
    );
    return left === right || top === bottom;
  });
}
