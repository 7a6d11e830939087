import {
  adjacentComparedLetters,
  fontMatches,
  isOfComparedScript,
} from '../../../pdf/shapes/other-scripts.ts';
import type { Verdict } from '../../../pdf/shapes/verdict.ts';
import type { PageGlyph } from './glyphs.ts';
import type { TrustedFonts } from './trusted-fonts.ts';

/**
 * Minimum number of matching letters for a font to be trusted, and the minimum ratio of matching
 * letters to others.
 */
const minMatching = 3;
const minMatchRatio = 3;

/** The distinct letters of a font by verdict. */
type Counts = Record<Verdict, Set<string>>;
const emptyCounts = (): Counts => ({ agrees: new Set(), differs: new Set(), unclear: new Set() });

function countIn(counts: Map<string, Counts>, { font, text, verdict }: PageGlyph): void {
  const fontCounts = counts.get(font) ?? emptyCounts();
  counts.set(font, fontCounts);
  fontCounts[verdict?.() ?? 'unclear'].add(text);
}

const isDigit = (text: string): boolean => /\p{N}/u.test(text);
const isLatin = (text: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(text);

/**
 * Returns the letters and digits of a page for which neither the outline nor the recogniser has
 * confirmed what their fonts declare. Their extracted text does not prove what people see.
 */
export function unprovenLetters(letters: readonly PageGlyph[], fonts: TrustedFonts): PageGlyph[] {
  const counts = new Map<string, Counts>();
  const compared = new Map<string, Counts>();
  for (const glyph of letters) {
    if (!/[\p{L}\p{N}]/u.test(glyph.text)) continue;
    if (isOfComparedScript(glyph.text)) countIn(compared, glyph);
    countIn(counts, glyph);
  }
  const mostlyAgrees = ({ font }: PageGlyph): boolean => {
    const { agrees, differs, unclear } = counts.get(font) ?? emptyCounts();
    const others = differs.size + unclear.size;
    return agrees.size >= minMatching && agrees.size >= minMatchRatio * others;
  };
  // The known fonts lack the letters of most other scripts. Some of these resemble a Latin letter
  // by chance.
  const mostlyDiffers = ({ font }: PageGlyph): boolean => {
    const { agrees, differs, unclear } = counts.get(font) ?? emptyCounts();
    return differs.size >= agrees.size + unclear.size;
  };
  const inRows = adjacentComparedLetters(letters);
  return letters.filter((glyph) => {
    const verdict = glyph.verdict?.();
    if (verdict === 'agrees' || !/[\p{L}\p{N}]/u.test(glyph.text)) return false;
    if (!isLatin(glyph.text)) {
      const isDoubted =
        (verdict === 'differs' && mostlyDiffers(glyph)) ||
        (inRows.has(glyph) && !fontMatches(compared.get(glyph.font) ?? emptyCounts()));
      return isDoubted && !fonts.has(glyph);
    }
    if (verdict !== 'differs' && !isDigit(glyph.text) && mostlyAgrees(glyph)) return false;
    if (fonts.has(glyph) || fonts.wasRead(glyph)) return false;
    return verdict === 'differs' || isDigit(glyph.text) || !fonts.isMostlyRight(glyph);
  });
}
