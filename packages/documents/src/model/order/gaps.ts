/** A horizontal range of the page, along the lines. */
export type Span = { from: number; to: number };

/** Returns the ranges between the first and the last span that no span covers. */
export function gapsOf(spans: readonly Span[], min: number): Span[] {
  const found: Span[] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (reach > Number.NEGATIVE_INFINITY && from - reach >= min) {
      found.push({ from: reach, to: from });
    }
    if (to > reach) reach = to;
  }
  return found;
}

/**
 * Minimum number of consecutive lines only in the first column that are not part of a table above
 * or below them.
 */
const minApart = 3;

/**
 * Returns parts from top to bottom, so that lines that are only in the first column are separate
 * from a table.
 * @param strips items grouped by height, from top to bottom
 */
export function apart<T>(firstColumn: readonly T[] | undefined, strips: readonly T[][]): T[][] {
  const first = new Set(firstColumn);
  const parts: { alone: boolean; strips: T[][] }[] = [];
  for (const strip of strips) {
    const alone = strip.every((item) => first.has(item));
    const last = parts.at(-1);
    if (last?.alone === alone) last.strips.push(strip);
    else parts.push({ alone, strips: [strip] });
  }
  const bands: T[][] = [];
  let joins = false;
  for (const { alone, strips: own } of parts) {
    const isOwn = alone && own.length >= minApart;
    if (joins && !isOwn) bands.at(-1)?.push(...own.flat());
    else bands.push(own.flat());
    joins = !isOwn;
  }
  return bands;
}
