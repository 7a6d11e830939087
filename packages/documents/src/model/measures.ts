/**
 * How letters become words, lines and columns: one set of measures for everything that reads pages.
 * In font sizes unless stated otherwise. Measure a change with `lab/bench/documents/normalize.ts`
 * and `lab/bench/redaction.ts`.
 */

/** Maximum gap between letters of a word. */
export const wordGap = 0.15;
/** Minimum gap that always separates two columns of a line. */
export const columnGap = 1.6;
/** Minimum gap that separates two columns if the lines above or below also have it. */
export const likelyGap = 0.7;
/** Maximum lean of text before it has another direction, in degrees. */
export const maxLean = 4;
/** Extent of the letters of a usual font above and below the baseline. */
export const ascent = 0.78;
export const descent = 0.22;
/**
 * Height of a cell above and below the baseline: more than letters of usual fonts need, because a cell
 * must cover what is removed, and must be the same for all letters.
 */
export const cellAscent = 0.92;
export const cellDescent = 0.25;

/** The text of a glyph if its font has no mapping. */
export const unreadable = '\ufffd';
