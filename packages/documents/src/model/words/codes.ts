import { firstWhere } from '@scriptorium/pii/first-where';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction } from '../../pdf/pdfium.ts';
import type { LeaningWord } from './word.ts';

/**
 * Minimum number of letters for which the recognised character must match the code, on a page and
 * in a font.
 */
const minOfPage = 20;
const minOfFont = 4;
/** Minimum share of matching letters, counted by words. Recognition makes errors. */
const minShare = 0.7;
/** Minimum share of plain letters in a font that recognition did not read. */
const minPlain = 0.9;

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
 * The number of letters in fonts for which the recognised character matches the code, and of
 * others.
 */
type Evidence = { same: number; other: number; plain: number; all: number };

const isTold = ({ same, other }: Evidence, least: number): boolean =>
  same >= least && same >= minShare * (same + other);

/**
 * Returns a function that finds the unmapped glyphs of a word, in the order of the line. Glyphs are
 * indexed by baseline.
 */
function finder(silent: readonly Glyph[]): (word: LeaningWord) => Glyph[] {
  const sorted = [...silent].sort((a, b) => a.y - b.y);
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
export function withToldCodes(
  { pdfium }: PdfDocument,
  glyphs: readonly Glyph[],
  recognised: readonly LeaningWord[],
): readonly Glyph[] {
  if (recognised.length === 0) return glyphs;
  const silent = glyphs.filter(({ text, object }) => text === '' && object !== 0);
  if (silent.length < minOfPage) return glyphs;
  const getFont = rawFunction(pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, number>();
  const fontOf = ({ object }: Glyph): number => {
    const font = fonts.get(object) ?? getFont(object);
    fonts.set(object, font);
    return font;
  };
  const page: Evidence = { same: 0, other: 0, plain: 0, all: 0 };
  const byFont = new Map<number, Evidence>();
  for (const glyph of silent) {
    const known = byFont.get(fontOf(glyph)) ?? { same: 0, other: 0, plain: 0, all: 0 };
    byFont.set(fontOf(glyph), known);
    known.all += 1;
    if (/[\p{L}\p{N}]/u.test(charOf(glyph.code))) known.plain += 1;
  }
  const within = finder(silent);
  for (const word of recognised) {
    const own = within(word);
    const isSame = own.map(({ code }) => charOf(code)).join('') === word.text;
    for (const evidence of [page, ...own.flatMap((glyph) => byFont.get(fontOf(glyph)) ?? [])]) {
      const letters = evidence === page ? own.length : 1;
      if (isSame) evidence.same += letters;
      else evidence.other += letters;
    }
  }
  if (!isTold(page, minOfPage)) return glyphs;
  const isBelieved = (glyph: Glyph): boolean => {
    const own = byFont.get(fontOf(glyph));
    if (!own) return false;
    if (own.same + own.other >= minOfFont) return isTold(own, minOfFont);
    return own.plain >= Math.max(minOfFont, minPlain * own.all);
  };
  return glyphs.map((glyph) =>
    glyph.text === '' && glyph.object !== 0 && isBelieved(glyph)
      ? { ...glyph, text: charOf(glyph.code) }
      : glyph,
  );
}
