import { readFile, stat } from 'node:fs/promises';
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFStream,
} from 'pdf-lib';
import { textOfGlyphName } from './glyph-names.ts';
import type { PdfDocument } from './pdfium.ts';

/** Maximum size of a file that is read again for glyph names, in bytes. */
const maxBytes = 16e6;
const maxDepth = 8;

/** The text of each code, by the name of its font. */
type NamedCodes = ReadonlyMap<string, ReadonlyMap<number, string>>;

const parsedDocuments = new WeakMap<PdfDocument, Promise<PDFDocument | null>>();

/** Returns the codes that the fonts of a page map to glyph names in `Differences`. */
export async function readNamedCodes(source: PdfDocument, pageNumber: number): Promise<NamedCodes> {
  const loading = parsedDocuments.get(source) ?? load(source.path);
  parsedDocuments.set(source, loading);
  const document = await loading;
  const page =
    document && pageNumber <= document.getPageCount() ? document.getPage(pageNumber - 1) : null;
  const names = new Map<string, Map<number, string>>();
  if (page) addFonts(page.node.Resources(), names, new Set(), 0);
  return names;
}

/**
 * Loads a file with pdf-lib. Returns null if that fails or the file is too large; its glyphs then
 * have no text.
 */
async function load(path: string): Promise<PDFDocument | null> {
  if ((await stat(path)).size > maxBytes) return null;
  const bytes = await readFile(path);
  try {
    return await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
    });
  } catch {
    return null;
  }
}

function addFonts(
  resources: PDFDict | undefined,
  names: Map<string, Map<number, string>>,
  seen: Set<PDFDict>,
  depth: number,
): void {
  if (!resources || depth > maxDepth || seen.has(resources)) return;
  seen.add(resources);
  const fonts = resources.lookupMaybe(PDFName.of('Font'), PDFDict);
  for (const [key] of fonts?.entries() ?? []) {
    const font = fonts?.lookup(key);
    if (font instanceof PDFDict) addFont(font, names);
  }
  const objects = resources.lookupMaybe(PDFName.of('XObject'), PDFDict);
  for (const [key] of objects?.entries() ?? []) {
    const form = objects?.lookup(key);
    if (!(form instanceof PDFStream)) continue;
    addFonts(form.dict.lookupMaybe(PDFName.of('Resources'), PDFDict), names, seen, depth + 1);
  }
}

function addFont(font: PDFDict, names: Map<string, Map<number, string>>): void {
  const base = font.lookup(PDFName.of('BaseFont'));
  const encoding = font.lookup(PDFName.of('Encoding'));
  if (!(base instanceof PDFName) || !(encoding instanceof PDFDict)) return;
  const differences = encoding.lookup(PDFName.of('Differences'));
  if (!(differences instanceof PDFArray)) return;
  const texts = names.get(base.decodeText()) ?? new Map<number, string>();
  names.set(base.decodeText(), texts);
  let code = 0;
  for (const item of differences.asArray()) {
    if (item instanceof PDFNumber) code = item.asNumber();
    else if (item instanceof PDFName) {
      const text = textOfGlyphName(item.decodeText());
      // A code that fonts of the same name map to different texts is ignored.
      if (text !== '') texts.set(code, (texts.get(code) ?? text) === text ? text : '');
      code += 1;
    }
  }
}
