import type { SeenGlyph } from './glyphs.ts';
import type { HonestFonts } from './honest-fonts.ts';

/** A font is good if so many of its letters look like what they say, and so many times as many as do not. */
const leastAgreeing = 3;
const timesMore = 3;

const isLatin = (text: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(text);

/**
 * The letters and digits of a page of which neither the outline nor the recogniser has shown that they are what
 * their fonts say. What text readers see of them does not prove what people see.
 */
export function unprovenOf(letters: readonly SeenGlyph[], fonts: HonestFonts): SeenGlyph[] {
  const counts = new Map<string, { agree: Set<string>; others: Set<string> }>();
  for (const glyph of letters) {
    if (!/[\p{L}\p{N}]/u.test(glyph.text)) continue;
    const own = counts.get(glyph.font) ?? { agree: new Set(), others: new Set() };
    counts.set(glyph.font, own);
    (glyph.verdict?.() === 'agrees' ? own.agree : own.others).add(glyph.text);
  }
  const isGood = ({ font }: SeenGlyph): boolean => {
    const { agree, others } = counts.get(font) ?? { agree: new Set(), others: new Set() };
    return agree.size >= leastAgreeing && agree.size >= timesMore * others.size;
  };
  return letters.filter((glyph) => {
    const verdict = glyph.verdict?.();
    if (verdict === 'agrees' || !/[\p{L}\p{N}]/u.test(glyph.text)) return false;
    // No known font has the letters of most other scripts, and the recogniser here reads none of them.
    if (!isLatin(glyph.text)) return verdict === 'differs' && !isGood(glyph) && !fonts.has(glyph);
    if (verdict !== 'differs' && !/\p{N}/u.test(glyph.text) && isGood(glyph)) return false;
    return !fonts.has(glyph) && !(verdict !== 'differs' && fonts.believes(glyph));
  });
}
