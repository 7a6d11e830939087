import { applyToBox, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { allocate, type PdfDocument, readFloats, withSlots } from './pdfium.ts';

/** FPDF_ANNOT_WIDGET of PDFium's public header. */
const widget = 20;
/** Longer names say nothing. */
const longestName = 400;

/** A form field of a page: its name for people or else for programs, and its place as displayed, in points. */
export type FormField = { name: string; box: Box };

/** Left, top, right and bottom of an annotation in user space. */
export function rectOf({ pdfium }: PdfDocument, annotation: number): Box | undefined {
  return withSlots(pdfium, 2, (at) => {
    if (!pdfium.FPDFAnnot_GetRect(annotation, at)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
    return [left, top, right, bottom];
  });
}

/** The form fields of a loaded page that was not prepared yet. */
export function readFields(document: PdfDocument, page: number, frame: PageFrame): FormField[] {
  const { pdfium } = document;
  const found: FormField[] = [];
  for (let index = 0; index < pdfium.FPDFPage_GetAnnotCount(page); index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const rect = pdfium.FPDFAnnot_GetSubtype(annotation) === widget && rectOf(document, annotation);
    if (rect) {
      const name = stringOf(document, annotation, 'TU') || stringOf(document, annotation, 'T');
      found.push({ name, box: applyToBox(userToDisplay(frame), rect) });
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return found;
}

/** A text in the dictionary of an annotation; empty if it has none. */
function stringOf({ pdfium }: PdfDocument, annotation: number, key: string): string {
  const bytes = pdfium.FPDFAnnot_GetStringValue(annotation, key, 0, 0);
  if (bytes <= 2 || bytes > longestName) return '';
  const at = allocate(pdfium, bytes);
  try {
    pdfium.FPDFAnnot_GetStringValue(annotation, key, at, bytes);
    return Buffer.from(pdfium.heap().slice(at, at + bytes - 2)).toString('utf16le');
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}
