import { allocate, type PdfDocument, rawFunction, withPage } from '../pdf/pdfium.ts';
import { outlineVerdicts } from '../pdf/shapes/drawn-glyphs.ts';

/** The maximum number of characters of a page that are searched. */
const maxCharacters = 300_000;

/**
 * Returns the text of a page of a PDF as programs extract it. Leaves out text in fonts whose glyphs
 * differ from the declared letters. Returns an empty string for a page that cannot be read.
 */
export async function textOfPdfPage(document: PdfDocument, number: number): Promise<string> {
  try {
    return await withPage(document, number, (page) => extractText(document, page));
  } catch {
    return '';
  }
}

function extractText(document: PdfDocument, page: number): string {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), maxCharacters);
    if (count <= 0) return '';
    const isLeftOut = contradictedObjects(document, text, count);
    const read = isLeftOut
      ? textWithoutObjects(pdfium, text, count, isLeftOut)
      : wholeText(pdfium, text, count);
    // PDFium writes hyphens at line ends as U+FFFE or U+0002. Postgres does not accept NUL in text.
    return read
      .replaceAll('\u0002', '\ufffe')
      .replace(/\ufffe\s*/g, '')
      .replaceAll('\0', ' ');
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

type Pdfium = PdfDocument['pdfium'];

function wholeText(pdfium: Pdfium, text: number, count: number): string {
  const bytes = (count + 1) * 2;
  const at = allocate(pdfium, bytes);
  try {
    const units = pdfium.FPDFText_GetText(text, 0, count, at);
    const length = Math.min(Math.max(0, units - 1) * 2, bytes);
    return Buffer.from(pdfium.heap().slice(at, at + length)).toString('utf16le');
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}

/** Returns the text without the characters of the text objects to leave out. */
function textWithoutObjects(
  pdfium: Pdfium,
  text: number,
  count: number,
  isLeftOut: (object: number) => boolean,
): string {
  const getUnicode = rawFunction(pdfium, 'FPDFText_GetUnicode');
  const getObject = rawFunction(pdfium, 'FPDFText_GetTextObject');
  const units: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const object = getObject(text, index);
    if (object === 0 || !isLeftOut(object))
      units.push(String.fromCharCode(getUnicode(text, index)));
  }
  return units.join('');
}

/**
 * The minimum number of contradicted letters in a font that is skipped. They must also be more than
 * half of its letters.
 */
const minContradicted = 3;

/**
 * Finds text objects in fonts whose glyphs differ from the declared letters. Returns undefined if
 * the page has no such font.
 */
function contradictedObjects(
  document: PdfDocument,
  text: number,
  count: number,
): ((object: number) => boolean) | undefined {
  const { pdfium } = document;
  const getUnicode = rawFunction(pdfium, 'FPDFText_GetUnicode');
  const getObject = rawFunction(pdfium, 'FPDFText_GetTextObject');
  const getFont = rawFunction(pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, number>();
  const letters = new Map<number, Set<number>>();
  for (let index = 0; index < count; index += 1) {
    const object = getObject(text, index);
    if (object === 0) continue;
    const font = fonts.get(object) ?? getFont(object);
    fonts.set(object, font);
    const fontCodes = letters.get(font) ?? new Set();
    letters.set(font, fontCodes);
    fontCodes.add(getUnicode(text, index));
  }
  const verdictOf = outlineVerdicts(document);
  const contradicted = new Set<number>();
  for (const [font, codes] of letters) {
    const letterCodes = [...codes].filter((code) =>
      /[\p{L}\p{N}]/u.test(String.fromCharCode(code)),
    );
    const verdicts = letterCodes.map((code) => verdictOf(font, code));
    const differingCount = verdicts.filter((one) => one === 'differs').length;
    if (differingCount >= minContradicted && differingCount * 2 > verdicts.length)
      contradicted.add(font);
  }
  if (contradicted.size === 0) return undefined;
  return (object) => contradicted.has(fonts.get(object) ?? 0);
}
