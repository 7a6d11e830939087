import { type Fragment, fragmentsOfGlyphs } from '../../model/fragments.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction, withSlots } from '../../pdf/pdfium.ts';

/**
 * Minimum number of colour changes between adjacent letters from which each colour is read
 * separately.
 */
const minColourChanges = 6;
/** Maximum distance between letters of one word, in font sizes. */
const maxGap = 0.8;
/** Maximum number of colours that are read. The most frequent colours take precedence. */
const maxColours = 8;

/**
 * Returns the letters of each colour separately if colours change within words. Letters that are
 * transparent or in the background colour may be between the visible ones. Empty for other pages.
 */
export function fragmentsByColour(document: PdfDocument, glyphs: readonly Glyph[]): Fragment[][] {
  const letters = glyphs.filter(({ visible, object }) => visible && object !== 0);
  const colourOf = readColours(document, letters);
  if (new Set(colourOf.values()).size < 2) return [];
  const inOrder = letters.toSorted((a, b) => Math.round(a.y - b.y) || a.x - b.x);
  if (![letters, inOrder].some((order) => hasMixedColours(order, colourOf))) return [];
  const groups = new Map<number, Glyph[]>();
  for (const glyph of letters) {
    const colour = colourOf.get(glyph.object) ?? 0;
    const group = groups.get(colour);
    if (group) group.push(glyph);
    else groups.set(colour, [glyph]);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, maxColours)
    .map((group) => fragmentsOfGlyphs(group));
}

/** Whether colours change repeatedly between adjacent letters. */
function hasMixedColours(
  letters: readonly Glyph[],
  colourOf: ReadonlyMap<number, number>,
): boolean {
  let changes = 0;
  for (const [at, glyph] of letters.entries()) {
    const next = letters[at + 1];
    if (!next || colourOf.get(glyph.object) === colourOf.get(next.object)) continue;
    if (mayBeSameWord(glyph, next)) changes += 1;
  }
  return changes >= minColourChanges;
}

/** Whether two letters may belong to the same word. */
function mayBeSameWord(one: Glyph, other: Glyph): boolean {
  if (one.text.trim() === '' || other.text.trim() === '') return false;
  const maxDistance = one.advance + maxGap * Math.max(one.size, other.size);
  return Math.hypot(other.x - one.x, other.y - one.y) < maxDistance;
}

/** Returns the fill colour and alpha of each text object, packed into one number. */
function readColours({ pdfium }: PdfDocument, glyphs: readonly Glyph[]): Map<number, number> {
  const getColour = rawFunction(pdfium, 'FPDFPageObj_GetFillColor');
  const found = new Map<number, number>();
  withSlots(pdfium, 2, (at) => {
    for (const { object } of glyphs) {
      if (found.has(object)) continue;
      const isKnown = getColour(object, at, at + 4, at + 8, at + 12) !== 0;
      const [red = 0, green = 0, blue = 0, alpha = 0] = new Uint32Array(
        pdfium.heap().buffer,
        at,
        4,
      );
      found.set(object, isKnown ? ((red * 256 + green) * 256 + blue) * 256 + alpha : -1);
    }
  });
  return found;
}
