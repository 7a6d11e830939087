import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

/**
 * Maximum number of fonts that are kept for a document, and of the bytes of their programs. Further
 * fonts are read again for each page.
 */
const maxFonts = 400;
const maxFontBytes = 48 * 2 ** 20;
const holderSize = 1;

/** The kept fonts of a document, each with a text object that holds it. */
type KeptFonts = { holders: Map<number, number>; bytes: number };

const keptByDocument = new WeakMap<PdfDocument, KeptFonts>();

function keptFontsOf(document: PdfDocument): KeptFonts {
  const known = keptByDocument.get(document);
  if (known) return known;
  const kept: KeptFonts = { holders: new Map(), bytes: 0 };
  keptByDocument.set(document, kept);
  document.onClose(() => {
    const destroy = rawFunction(document.pdfium, 'FPDFPageObj_Destroy');
    for (const holder of kept.holders.values()) destroy(holder);
    kept.holders.clear();
  });
  return kept;
}

/** Returns the size of the program of a font, in bytes; 0 if it has none. */
export function fontDataSize({ pdfium }: PdfDocument, font: number): number {
  return withSlots(pdfium, 1, (at) => {
    if (rawFunction(pdfium, 'FPDFFont_GetFontData')(font, 0, 0, at) === 0) return 0;
    return new DataView(pdfium.heap().buffer, at, 4).getUint32(0, true);
  });
}

/**
 * Keeps a loaded font in memory until its document is closed. Otherwise, PDFium frees it with the
 * last page that uses it and reads it again for the next page. Returns whether the font is kept, so
 * that its pointer stays valid. Type 3 fonts are not kept, because they may draw the resources of a
 * page.
 */
export function keepFont(document: PdfDocument, font: number): boolean {
  if (font === 0) return false;
  const kept = keptFontsOf(document);
  if (kept.holders.has(font)) return true;
  if (kept.holders.size >= maxFonts) return false;
  const { pdfium, handle } = document;
  const isEmbedded = rawFunction(pdfium, 'FPDFFont_GetIsEmbedded')(font) === 1;
  const bytes = isEmbedded ? fontDataSize(document, font) : 0;
  // An embedded font without a program is a Type 3 font.
  if ((isEmbedded && bytes === 0) || kept.bytes + bytes > maxFontBytes) return false;
  // A text object shares the ownership of its font.
  const holder = rawFunction(pdfium, 'FPDFPageObj_CreateTextObj')(handle, font, holderSize);
  if (holder === 0) return false;
  kept.holders.set(font, holder);
  kept.bytes += bytes;
  return true;
}

/** The results of a function of fonts, by document and font. */
export type FontResults<T> = WeakMap<PdfDocument, Map<number, T>>;

/**
 * Returns a function that calls `read` once per font of a loaded page, and once per document for
 * fonts that are kept.
 */
export function oncePerFont<T>(
  document: PdfDocument,
  results: FontResults<T>,
  read: (font: number) => T,
): (font: number) => T {
  const ofDocument = results.get(document) ?? new Map<number, T>();
  results.set(document, ofDocument);
  const ofPage = new Map<number, T>();
  return (font) => {
    const known = ofDocument.get(font) ?? ofPage.get(font);
    if (known !== undefined) return known;
    const result = read(font);
    (keepFont(document, font) ? ofDocument : ofPage).set(font, result);
    return result;
  };
}
