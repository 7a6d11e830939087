import { allocate, type PdfDocument, rawFunction } from './pdfium.ts';

/** An entry in a document's outline. The outermost entries have level 1. */
type OutlineEntry = { title: string; level: number };

/** The properties of a document as a whole. */
export type DocumentProperties = {
  title: string | null;
  language: string | null;
  /** Entries by page number, 1-based. */
  outline: Map<number, OutlineEntry[]>;
};

/** Maximum length of titles in bytes, depth, and number of entries. */
const maxTextBytes = 2048;
const maxDepth = 8;
const maxEntries = 20_000;

const propertiesByDocument = new WeakMap<PdfDocument, DocumentProperties>();

/** Reads a document's title, language and outline, once per document. */
export function readDocumentProperties(document: PdfDocument): DocumentProperties {
  const cached = propertiesByDocument.get(document);
  if (cached) return cached;
  const { pdfium, handle } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const buffer = allocate(pdfium, maxTextBytes);
  const textOf = (bytes: number): string | null => {
    if (bytes <= 2 || bytes > maxTextBytes) return null;
    const heap = pdfium.heap();
    const text = Buffer.from(heap.slice(buffer, buffer + bytes - 2)).toString('utf16le');
    return text.replace(/\s+/g, ' ').trim() || null;
  };
  const outline = new Map<number, OutlineEntry[]>();
  const seen = new Set<number>();
  const [firstChild, nextSibling, getTitle, getDest, getAction, actionDest, pageOf] = [
    'FPDFBookmark_GetFirstChild',
    'FPDFBookmark_GetNextSibling',
    'FPDFBookmark_GetTitle',
    'FPDFBookmark_GetDest',
    'FPDFBookmark_GetAction',
    'FPDFAction_GetDest',
    'FPDFDest_GetDestPageIndex',
  ].map(raw);
  const visit = (parent: number, level: number): void => {
    let entry = firstChild?.(handle, parent) ?? 0;
    // A damaged outline may be circular.
    while (entry !== 0 && !seen.has(entry) && seen.size < maxEntries) {
      seen.add(entry);
      const title = textOf(getTitle?.(entry, buffer, maxTextBytes) ?? 0);
      const action = getAction?.(entry) ?? 0;
      const dest = getDest?.(handle, entry) || (action ? (actionDest?.(handle, action) ?? 0) : 0);
      const page = dest ? (pageOf?.(handle, dest) ?? -1) + 1 : 0;
      if (title && page > 0) {
        const entries = outline.get(page);
        if (entries) entries.push({ title, level });
        else outline.set(page, [{ title, level }]);
      }
      if (level < maxDepth) visit(entry, level + 1);
      entry = nextSibling?.(handle, entry) ?? 0;
    }
  };
  try {
    visit(0, 1);
    const title = textOf(pdfium.FPDF_GetMetaText(handle, 'Title', buffer, maxTextBytes));
    const language = textOf(pdfium.EPDFCatalog_GetLanguage(handle, buffer, maxTextBytes));
    const properties = { title, language, outline };
    propertiesByDocument.set(document, properties);
    return properties;
  } finally {
    pdfium.pdfium.wasmExports.free(buffer);
  }
}
