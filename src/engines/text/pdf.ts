import { allocate, type PdfDocument, withPage } from '../pdf/pdfium.ts';

/** Characters of a page beyond it are not searched for. */
const maxCharacters = 300_000;

/** The text of a page of a PDF as programs extract it; empty for a page that cannot be read. */
export async function textOfPdfPage(document: PdfDocument, number: number): Promise<string> {
  try {
    return await withPage(document, number, (page) => extracted(document, page));
  } catch {
    return '';
  }
}

function extracted({ pdfium }: PdfDocument, page: number): string {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), maxCharacters);
    if (count <= 0) return '';
    const bytes = (count + 1) * 2;
    const at = allocate(pdfium, bytes);
    try {
      const units = pdfium.FPDFText_GetText(text, 0, count, at);
      const length = Math.min(Math.max(0, units - 1) * 2, bytes);
      // PDFium writes hyphens at the ends of lines as U+FFFE or U+0002. Postgres has no zero bytes.
      return Buffer.from(pdfium.heap().slice(at, at + length))
        .toString('utf16le')
        .replaceAll('\u0002', '\ufffe')
        .replace(/\ufffe\s*/g, '')
        .replaceAll('\0', ' ');
    } finally {
      pdfium.pdfium.wasmExports.free(at);
    }
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}
