import { baseFontName } from './page-fonts.ts';
import type { Glyph } from './page-glyphs.ts';
import { type PdfDocument, rawFunction } from './pdfium.ts';

/**
 * Adds the text of glyphs that is only known from their names. PDFium does not know the names of
 * composed ligatures, such as `f_i` or `t_t`. The file is searched for names only if a glyph has no
 * text.
 */
export async function withNamedGlyphs(
  document: PdfDocument,
  pageNumber: number,
  glyphs: readonly Glyph[],
): Promise<Glyph[]> {
  const { pdfium } = document;
  const getFont = rawFunction(pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, string>();
  const fontOf = ({ object }: Glyph): string => {
    const name = fonts.get(object) ?? baseFontName(pdfium, getFont(object));
    fonts.set(object, name);
    return name;
  };
  // Type 3 fonts have no base font name to look up.
  const lacksText = (glyph: Glyph): boolean =>
    glyph.text === '' && glyph.object !== 0 && glyph.code < 256 && fontOf(glyph) !== '';
  if (!glyphs.some(lacksText)) return [...glyphs];
  // Imported only when needed, because the module loads a second PDF reader.
  const { readNamedCodes } = await import('./named-codes.ts');
  const names = await readNamedCodes(document, pageNumber);
  return glyphs.map((glyph) => {
    if (!lacksText(glyph)) return glyph;
    const text = names.get(fontOf(glyph))?.get(glyph.code);
    return text === undefined ? glyph : { ...glyph, text };
  });
}

const knownGlyphNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'zero one two three four five six seven eight nine'
      .split(' ')
      .map((name, digit) => [name, `${digit}`]),
  ),
  hyphen: '-',
  period: '.',
  comma: ',',
  space: ' ',
  at: '@',
  underscore: '_',
  germandbls: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  oslash: 'ø',
  Oslash: 'Ø',
  lslash: 'ł',
  Lslash: 'Ł',
  dotlessi: 'ı',
  eth: 'ð',
  thorn: 'þ',
  longs: 'ſ',
  ff: 'ff',
  fi: 'fi',
  fl: 'fl',
  ffi: 'ffi',
  ffl: 'ffl',
  ij: 'ij',
  IJ: 'IJ',
};

/** Combining marks, by the suffix of glyph names such as `eacute`. */
const accents: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  caron: '\u030c',
  cedilla: '\u0327',
  ogonek: '\u0328',
};

/**
 * Returns the text of a glyph name according to the Adobe Glyph List. The suffix after a period
 * names a variant; parts between underscores form a ligature. Empty if a part is unknown.
 */
export function textOfGlyphName(name: string): string {
  const [plain = ''] = name.split('.');
  if (plain === '') return '';
  const parts = plain.split('_').map(textOfPart);
  return parts.includes('') ? '' : parts.join('');
}

function textOfPart(part: string): string {
  if (/^[A-Za-z]$/.test(part)) return part;
  const knownText = Object.hasOwn(knownGlyphNames, part) ? knownGlyphNames[part] : undefined;
  if (knownText !== undefined) return knownText;
  const accent = Object.hasOwn(accents, part.slice(1)) ? accents[part.slice(1)] : undefined;
  if (accent !== undefined && /^[A-Za-z]/.test(part)) {
    return `${part.charAt(0)}${accent}`.normalize('NFC');
  }
  const units = /^uni((?:[0-9A-F]{4})+)$/.exec(part)?.[1];
  if (units !== undefined) {
    return String.fromCharCode(
      ...(units.match(/.{4}/g) ?? []).map((hex) => Number.parseInt(hex, 16)),
    );
  }
  const point = Number.parseInt(/^u([0-9A-F]{4,6})$/.exec(part)?.[1] ?? '', 16);
  const isCharacter = point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
  return isCharacter ? String.fromCodePoint(point) : '';
}
