/** A horizontal range of the page, along the lines. */
export type Span = { from: number; to: number };

/** Returns the ranges between the first and the last span that no span covers. */
export function gapsOf(spans: readonly Span[], min: number): Span[] {
  const found: Span[] = [];
  let maxEnd = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (maxEnd > Number.NEGATIVE_INFINITY && from - maxEnd >= min) {
      found.push({ from: maxEnd, to: from });
    }
    if (to > maxEnd) maxEnd = to;
  }
  return found;
}

/**
 * Minimum number of consecutive lines with text only in the first column that are separate from a
 * table above or below them.
 */
const minSeparateLines = 3;

/**
 * Groups strips from top to bottom, and separates strips that are only in the first column from
 * tables.
 * @param strips items grouped by height, from top to bottom
 */
export function splitFirstColumn<T>(
  firstColumn: readonly T[] | undefined,
  strips: readonly T[][],
): T[][] {
  const first = new Set(firstColumn);
  const parts: { isFirstColumn: boolean; strips: T[][] }[] = [];
  for (const strip of strips) {
    const isFirstColumn = strip.every((item) => first.has(item));
    const last = parts.at(-1);
    if (last?.isFirstColumn === isFirstColumn) last.strips.push(strip);
    else parts.push({ isFirstColumn, strips: [strip] });
  }
  const bands: T[][] = [];
  let joinsPrevious = false;
  for (const { isFirstColumn, strips: own } of parts) {
    const isSeparate = isFirstColumn && own.length >= minSeparateLines;
    if (joinsPrevious && !isSeparate) bands.at(-1)?.push(...own.flat());
    else bands.push(own.flat());
    joinsPrevious = !isSeparate;
  }
  return bands;
}
