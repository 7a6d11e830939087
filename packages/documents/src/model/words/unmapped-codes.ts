import { firstWhere } from '@scriptorium/pii/first-where';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction } from '../../pdf/pdfium.ts';
import type { AngledWord } from './word.ts';

/**
 * Minimum number of letters for which the recognised character must match the code, on a page and
 * in a font.
 */
const minLettersOnPage = 20;
const minLettersInFont = 4;
/** Minimum share of matching letters, counted by words. Recognition makes errors. */
const minMatchingShare = 0.7;
/** Minimum share of plain letters in a font that recognition did not read. */
const minPlainShare = 0.9;

/** The codes of ligatures in the two common encodings of TeX. */
const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl'];
const ligatureStarts = [0x0b, 0x1b];

/** Returns the character of a code; empty if the code is not a character. */
function charOf(code: number): string {
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  for (const start of ligatureStarts) {
    const ligature = ligatures[code - start];
    if (ligature !== undefined) return ligature;
  }
  return '';
}

/**
 * Counts of glyphs: those whose recognised character matches the code or differs from it, those
 * whose code is a letter or digit, and all.
 */
type Evidence = { matching: number; differing: number; plain: number; total: number };

const isConfirmed = ({ matching, differing }: Evidence, minLetters: number): boolean =>
  matching >= minLetters && matching >= minMatchingShare * (matching + differing);

/**
 * Returns a function that finds the unmapped glyphs of a word, in the order of the line. Glyphs are
 * indexed by baseline.
 */
function createGlyphFinder(unmapped: readonly Glyph[]): (word: AngledWord) => Glyph[] {
  const sorted = [...unmapped].sort((a, b) => a.y - b.y);
  return ({ box: [x0, y0, x1, y1] }) => {
    const found: Glyph[] = [];
    for (
      let at = firstWhere(sorted.length, (one) => sorted[one]!.y >= y0);
      at < sorted.length;
      at += 1
    ) {
      const glyph = sorted[at];
      if (!glyph || glyph.y > y1) break;
      const x = glyph.x + glyph.advance / 2;
      if (x > x0 && x < x1) found.push(glyph);
    }
    return found.sort((a, b) => a.x - b.x);
  };
}

/**
 * Resolves glyphs of fonts that do not map their codes to characters, such as the bitmap fonts of
 * TeX. If the recognised text matches the codes read as characters, the codes are used as
 * characters. Other glyphs keep no text.
 */
export function withCodesAsText(
  { pdfium }: PdfDocument,
  glyphs: readonly Glyph[],
  recognised: readonly AngledWord[],
): readonly Glyph[] {
  if (recognised.length === 0) return glyphs;
  const unmapped = glyphs.filter(({ text, object }) => text === '' && object !== 0);
  if (unmapped.length < minLettersOnPage) return glyphs;
  const getFont = rawFunction(pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, number>();
  const fontOf = ({ object }: Glyph): number => {
    const font = fonts.get(object) ?? getFont(object);
    fonts.set(object, font);
    return font;
  };
  const page: Evidence = { matching: 0, differing: 0, plain: 0, total: 0 };
  const byFont = new Map<number, Evidence>();
  for (const glyph of unmapped) {
    const evidence = byFont.get(fontOf(glyph)) ?? { matching: 0, differing: 0, plain: 0, total: 0 };
    byFont.set(fontOf(glyph), evidence);
    evidence.total += 1;
    if (/[\p{L}\p{N}]/u.test(charOf(glyph.code))) evidence.plain += 1;
  }
  const glyphsIn = createGlyphFinder(unmapped);
  for (const word of recognised) {
    const wordGlyphs = glyphsIn(word);
    const isMatch = wordGlyphs.map(({ code }) => charOf(code)).join('') === word.text;
    for (const evidence of [
      page,
      ...wordGlyphs.flatMap((glyph) => byFont.get(fontOf(glyph)) ?? []),
    ]) {
      const letters = evidence === page ? wordGlyphs.length : 1;
      if (isMatch) evidence.matching += letters;
      else evidence.differing += letters;
    }
  }
  if (!isConfirmed(page, minLettersOnPage)) return glyphs;
  const isConfirmedGlyph = (glyph: Glyph): boolean => {
    const fontEvidence = byFont.get(fontOf(glyph));
    if (!fontEvidence) return false;
    if (fontEvidence.matching + fontEvidence.differing >= minLettersInFont)
      return isConfirmed(fontEvidence, minLettersInFont);
    return fontEvidence.plain >= Math.max(minLettersInFont, minPlainShare * fontEvidence.total);
  };
  return glyphs.map((glyph) =>
    glyph.text === '' && glyph.object !== 0 && isConfirmedGlyph(glyph)
      ? { ...glyph, text: charOf(glyph.code) }
      : glyph,
  );
}
