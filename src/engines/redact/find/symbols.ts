import { fontReader } from '../../pdf/page-fonts.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction } from '../../pdf/pdfium.ts';

/**
 * TeX's fonts of operators, relations, arrows and pieces of brackets. The few letters in them are named
 * after themselves, so that they have a text; what has none is a sign.
 */
const symbolName =
  /^(?:CMB?SY|CMEX|MSAM|MSBM|LASYB?|STMARY|TXSY|TXEX|PXSY|PXEX|MTSY|MTEX|ESINT|LINEW?|LCIRCLEW?)\d*$/;
/** The largest bracket has fewer pieces; with this many in a row, a font may spell what its name denies. */
const maxInRow = 6;

/**
 * The glyphs of a page's own text that cannot be read and need not be: signs of fonts for formulas, by
 * their names. A font is not believed where many such glyphs follow one another.
 */
export function symbolsOf(document: PdfDocument, glyphs: readonly Glyph[]): Set<Glyph> {
  const nameOf = fontReader(document);
  const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
  const known = new Map<number, boolean>();
  const isOfSymbols = ({ object }: Glyph): boolean => {
    const before = known.get(object);
    if (before !== undefined) return before;
    const is = object !== 0 && symbolName.test(nameOf(getFont(object)).name);
    known.set(object, is);
    return is;
  };
  const symbols = new Set<Glyph>();
  let row: Glyph[] = [];
  const endRow = (): void => {
    if (row.length < maxInRow && row.every(isOfSymbols)) for (const one of row) symbols.add(one);
    row = [];
  };
  for (const glyph of glyphs) {
    if (glyph.text === '') row.push(glyph);
    else if (glyph.text.trim() !== '') endRow();
  }
  endRow();
  return symbols;
}
