import { fontReader } from '../../pdf/page-fonts.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction } from '../../pdf/pdfium.ts';

/**
 * TeX fonts with operators, relations, arrows and parts of brackets. The few letters in these fonts
 * have glyph names, and therefore text. A glyph without text is a symbol.
 */
const symbolFontName =
  /^(?:CMB?SY|CMEX|MSAM|MSBM|LASYB?|STMARY|TXSY|TXEX|PXSY|PXEX|MTSY|MTEX|ESINT|LINEW?|LCIRCLEW?)\d*$/;
/**
 * Number of adjacent symbols from which a font may spell text despite its name. The largest bracket
 * has fewer parts.
 */
const minSpelledRun = 6;

/**
 * Returns the glyphs of a page's own text that cannot be read and need not be: symbols in formula
 * fonts, which are identified by font name. A font is not trusted where many such glyphs are
 * adjacent.
 */
export function symbolsOf(document: PdfDocument, glyphs: readonly Glyph[]): Set<Glyph> {
  const nameOf = fontReader(document);
  const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
  const cache = new Map<number, boolean>();
  const isSymbol = ({ object }: Glyph): boolean => {
    const cached = cache.get(object);
    if (cached !== undefined) return cached;
    const isInSymbolFont = object !== 0 && symbolFontName.test(nameOf(getFont(object)).name);
    cache.set(object, isInSymbolFont);
    return isInSymbolFont;
  };
  const symbols = new Set<Glyph>();
  let row: Glyph[] = [];
  const endRow = (): void => {
    if (row.length < minSpelledRun && row.every(isSymbol)) for (const one of row) symbols.add(one);
    row = [];
  };
  for (const glyph of glyphs) {
    if (glyph.text === '') row.push(glyph);
    else if (glyph.text.trim() !== '') endRow();
  }
  endRow();
  return symbols;
}
