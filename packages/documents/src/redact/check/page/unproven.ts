import {
  comparedInRows,
  isOfComparedScript,
  matchFont,
} from '../../../pdf/shapes/other-scripts.ts';
import type { Verdict } from '../../../pdf/shapes/verdict.ts';
import type { SeenGlyph } from './glyphs.ts';
import type { HonestFonts } from './honest-fonts.ts';

/**
 * Minimum number of matching letters for a font to be trusted, and the minimum ratio of matching
 * letters to others.
 */
const minAgreeing = 3;
const timesMore = 3;

/** The distinct letters of a font by verdict. */
type Counts = Record<Verdict, Set<string>>;
const noCounts = (): Counts => ({ agrees: new Set(), differs: new Set(), unclear: new Set() });

function countIn(counts: Map<string, Counts>, { font, text, verdict }: SeenGlyph): void {
  const own = counts.get(font) ?? noCounts();
  counts.set(font, own);
  own[verdict?.() ?? 'unclear'].add(text);
}

const isDigit = (text: string): boolean => /\p{N}/u.test(text);
const isLatin = (text: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(text);

/**
 * Returns the letters and digits of a page for which neither the outline nor the recogniser has
 * confirmed what their fonts declare. Their extracted text does not prove what people see.
 */
export function unprovenOf(letters: readonly SeenGlyph[], fonts: HonestFonts): SeenGlyph[] {
  const counts = new Map<string, Counts>();
  const compared = new Map<string, Counts>();
  for (const glyph of letters) {
    if (!/[\p{L}\p{N}]/u.test(glyph.text)) continue;
    if (isOfComparedScript(glyph.text)) countIn(compared, glyph);
    countIn(counts, glyph);
  }
  const isGood = ({ font }: SeenGlyph): boolean => {
    const { agrees, differs, unclear } = counts.get(font) ?? noCounts();
    const others = differs.size + unclear.size;
    return agrees.size >= minAgreeing && agrees.size >= timesMore * others;
  };
  // The known fonts lack the letters of most other scripts. Some of these resemble a Latin letter
  // by chance.
  const isOther = ({ font }: SeenGlyph): boolean => {
    const { agrees, differs, unclear } = counts.get(font) ?? noCounts();
    return differs.size >= agrees.size + unclear.size;
  };
  const inRows = comparedInRows(letters);
  return letters.filter((glyph) => {
    const verdict = glyph.verdict?.();
    if (verdict === 'agrees' || !/[\p{L}\p{N}]/u.test(glyph.text)) return false;
    if (!isLatin(glyph.text)) {
      const isDoubted =
        (verdict === 'differs' && isOther(glyph)) ||
        (inRows.has(glyph) && !matchFont(compared.get(glyph.font) ?? noCounts()));
      return isDoubted && !fonts.has(glyph);
    }
    if (verdict !== 'differs' && !isDigit(glyph.text) && isGood(glyph)) return false;
    if (fonts.has(glyph) || fonts.wasRead(glyph)) return false;
    return verdict === 'differs' || isDigit(glyph.text) || !fonts.isMostlyRight(glyph);
  });
}
