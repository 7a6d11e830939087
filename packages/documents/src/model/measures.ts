/**
 * The measures by which letters become words, lines and columns, shared by all code that reads
 * pages. They are in font sizes unless stated otherwise. Measure the effect of changes with
 * `lab/bench/documents/normalize.ts` and `lab/bench/redaction.ts`.
 */

/** Maximum gap between letters of a word. */
export const wordGap = 0.15;
/** Minimum gap that always separates two columns of a line. */
export const columnGap = 1.6;
/** Minimum gap that separates two columns if lines above or below have the same gap. */
export const alignedColumnGap = 0.7;
/** Maximum slope of text that counts as having the same direction, in degrees. */
export const maxSkew = 4;
/** Extent of letters above and below the baseline in a typical font. */
export const ascent = 0.78;
export const descent = 0.22;
/**
 * Height of a cell above and below the baseline. It exceeds the letters of typical fonts, because a
 * cell must cover removed text completely, and must be equal for all letters.
 */
export const cellAscent = 0.92;
export const cellDescent = 0.25;

/** The text of a glyph whose font has no mapping. */
export const replacementCharacter = '\ufffd';
