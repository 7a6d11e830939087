import { type FontResults, oncePerFont } from './kept-fonts.ts';
import { allocate, type PdfDocument, rawFunction } from './pdfium.ts';

/** The style of a font, as far as the font specifies it. */
export type FontStyle = {
  /** The name without the tag of a subset. */
  name: string;
  bold: boolean;
  italic: boolean;
  /** Whether all letters have the same width. */
  mono: boolean;
  /** Whether the font contains mathematical symbols. */
  math: boolean;
};

/** Flags of a font descriptor (PDF 32000-1 §9.8.2, table 123). */
const fixedPitch = 1;
const italicFlag = 1 << 6;
const forceBold = 1 << 18;
const boldWeight = 600;
const maxNameBytes = 256;

const boldName =
  /bold|black|heavy|demi(?!r)|medi(?:ital)?$|extrabd|[-,_]bd|CMBX|SFBX|CMSSBX|SFSX|CMB\d/i;
const regularName = /[-,_ ]?regular$/i;
const italicName = /ital|obliq|slanted|CMTI|CMSL|SFTI|SFSL|CMMIB|CMBXTI|[-,_]it$|\bkursiv/i;
const monoName =
  /mono|courier|consol|typewriter|CMTT|CMSLTT|SFTT|LMTT|menlo|lucidasanstyp|fixed|lettergoth|inconsolata|fira ?code|sourcecode|andale/i;
const mathName =
  /^(CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|EUFM|EUSM|EUEX|LASY|RSFS|STMARY|WASY|TXSY|TXEX|TXMI|PXSY|PXEX|PXMI|NTXMI|NEWTXMI|RTXMI|MTMI|MTSY|MTEX|FOURIER-MATH|ESINT)|math|^symbol|^mt-?extra|^euclid/i;

/** Returns the name of a font with the tag of a subset; empty if the font has no name. */
export function baseFontName(pdfium: PdfDocument['pdfium'], font: number): string {
  const at = allocate(pdfium, maxNameBytes);
  try {
    const length = rawFunction(pdfium, 'FPDFFont_GetBaseFontName')(font, at, maxNameBytes);
    if (length <= 0 || length > maxNameBytes) return '';
    return Buffer.from(pdfium.heap().subarray(at, at + length - 1)).toString('latin1');
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}

const styles: FontResults<FontStyle> = new WeakMap();

/** Returns a function that reads the styles of the fonts of a loaded page. */
export function fontReader(document: PdfDocument): (font: number) => FontStyle {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getFlags = raw('FPDFFont_GetFlags');
  const getWeight = raw('FPDFFont_GetWeight');
  return oncePerFont(document, styles, (font) => {
    if (font === 0) return { name: '', bold: false, italic: false, mono: false, math: false };
    const name = baseFontName(pdfium, font).replace(/^[A-Z]{6}\+/, '');
    const flags = Math.max(0, getFlags(font));
    const math = mathName.test(name);
    return {
      name,
      bold:
        boldName.test(name) ||
        (flags & forceBold) !== 0 ||
        // PDFium derives the weight from the stems of Latin letters, so it is wrong for fonts
        // without them.
        (!regularName.test(name) && getWeight(font) >= boldWeight),
      italic: !math && (italicName.test(name) || (flags & italicFlag) !== 0),
      mono: monoName.test(name) || (flags & fixedPitch) !== 0,
      math,
    };
  });
}
