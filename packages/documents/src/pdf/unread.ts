import type { PdfDocument } from './pdfium.ts';

/**
 * Annotations without their own text, by PDFium's FPDF_ANNOT_* (ISO 32000-2, 12.5.6): links, popups
 * of other annotations, form fields and free text, which are read, printer's marks and redaction
 * marks.
 */
const harmless: ReadonlySet<number> = new Set([2, 3, 16, 20, 22, 23, 24, 28]);

/** Marks on the page, whose text is a comment. */
const marks: ReadonlySet<number> = new Set([1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);

const others: Readonly<Record<number, string>> = {
  17: 'file attachment',
  18: 'sound',
  19: 'movie',
  21: 'screen',
  25: '3D',
  26: 'rich media',
  27: 'XFA form',
};

const notShown = 0x01 | 0x02 | 0x20; // Invisible, Hidden, NoView
/** FORMTYPE_XFA_FULL: a form whose pages are made by a program in the file. */
const fullXfa = 2;

/** Returns the kinds of content of a loaded page and its document that are not read. */
export function unreadOnPage({ pdfium, handle }: PdfDocument, page: number): string[] {
  const found = new Set<string>();
  if (pdfium.FPDFDoc_GetAttachmentCount(handle) > 0) found.add('embedded files');
  if (pdfium.FPDF_GetFormType(handle) === fullXfa) found.add('XFA form');
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
      if (harmless.has(subtype) || (pdfium.FPDFAnnot_GetFlags(annotation) & notShown) !== 0)
        continue;
      if (!marks.has(subtype)) found.add(`${others[subtype] ?? 'unknown'} annotation`);
      // Two bytes are the end of an empty text.
      else if (pdfium.FPDFAnnot_GetStringValue(annotation, 'Contents', 0, 0) > 2) {
        found.add('comments');
      }
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  }
  return [...found];
}
