import { gapsOf, type Span } from './gaps.ts';
import { type HasWords, type Item, isMarker, sizeOf } from './items.ts';

/** Returns items grouped by height, from top to bottom. */
export function stripsOf<Line extends HasWords>(items: readonly Item<Line>[]): Item<Line>[][] {
  const strips: Item<Line>[][] = [];
  let maxBottom = Number.NEGATIVE_INFINITY;
  for (const item of [...items].sort((a, b) => a.top - b.top)) {
    const height = item.bottom - item.top;
    if (item.top + 0.3 * Math.min(height, item.size) < maxBottom) strips.at(-1)?.push(item);
    else strips.push([item]);
    // Lines with tight leading overlap slightly.
    if (item.bottom > maxBottom) maxBottom = item.line ? item.base : item.bottom;
  }
  return strips;
}

/** Returns the parts of gaps that remain free after a strip of items. */
function remainingGaps(gaps: readonly Span[], strip: readonly Item[], minWidth: number): Span[] {
  const remaining: Span[] = [];
  for (const gap of gaps) {
    const overlapping = strip.filter(({ from, to }) => to > gap.from && from < gap.to);
    if (overlapping.length === 0) {
      remaining.push(gap);
      continue;
    }
    const edges = [
      { from: gap.from, to: gap.from },
      ...overlapping.map(({ from, to }) => ({
        from: Math.max(from, gap.from),
        to: Math.min(to, gap.to),
      })),
      { from: gap.to, to: gap.to },
    ];
    const widest = gapsOf(edges, minWidth).sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (widest) remaining.push(widest);
  }
  return remaining;
}

/**
 * Returns bands from top to bottom, each with or without columns: for example a title over two
 * columns, then the columns, then a line below them.
 */
export function bandsOf<Line extends HasWords>(
  items: readonly Item<Line>[],
  minWidth: number,
  rightToLeft: boolean,
): Item<Line>[][] {
  const strips = stripsOf(items);
  const gaps = strips.map((strip) =>
    gapsOf(
      strip.filter((item) => !isMarker(item)),
      minWidth,
    ),
  );
  const startsColumns = (index: number): boolean => {
    const ownGaps = gaps[index] ?? [];
    if (ownGaps.length === 0) return false;
    // A gap in one row does not separate columns unless the next rows also leave it free.
    for (const at of [index + 1, index + 2]) {
      const next = strips[at];
      if (!next) return false;
      if (remainingGaps(ownGaps, next, minWidth).length === 0) return false;
      if ((gaps[at]?.length ?? 0) > 0) return true;
    }
    return true;
  };
  /** Whether the gaps of a strip continue below it where the gaps of the current band end. */
  const startsOtherColumns = (index: number, remaining: readonly Span[]): boolean => {
    const next = strips[index + 1];
    if (!next || !startsColumns(index) || remainingGaps(remaining, next, minWidth).length > 0)
      return false;
    return remainingGaps(gaps[index] ?? [], next, minWidth).length > 0;
  };
  const bands: Item<Line>[][] = [];
  let common: Span[] = [];
  for (const [index, strip] of strips.entries()) {
    const band = bands.at(-1);
    const remaining = remainingGaps(common, strip, minWidth);
    const continues =
      common.length > 0
        ? remaining.length > 0 && !startsOtherColumns(index, remaining)
        : !startsColumns(index);
    if (band && continues) {
      band.push(...strip);
      if (common.length > 0) common = remaining;
    } else {
      const newBand = [...strip];
      bands.push(newBand);
      common = band === undefined && !startsColumns(index) ? [] : (gaps[index] ?? []);
      // The first lines of a later column may be above the first lines of the first column.
      const outerGap = rightToLeft ? common[0] : common.at(-1);
      for (let at = index - 1; band && outerGap && band.length > 0; at -= 1) {
        const above = strips[at] ?? [];
        const isBeyond = above.every(({ from, to }) =>
          rightToLeft ? to <= outerGap.from : from >= outerGap.to,
        );
        const lowest = Math.max(...above.map(({ bottom }) => bottom));
        const top = Math.min(...newBand.map((item) => item.top));
        const sizeAbove = above[0]?.size ?? 0;
        if (
          above.length === 0 ||
          !isBeyond ||
          top - lowest > sizeAbove ||
          !above.every((one) => band.includes(one))
        )
          break;
        for (const moved of above) band.splice(band.indexOf(moved), 1);
        newBand.push(...above);
      }
      if (band?.length === 0) bands.splice(bands.length - 2, 1);
    }
  }
  return bands;
}

/** Groups strips that are closer to each other than the spacing of lines. */
export function groupsOf<Line extends HasWords>(items: readonly Item<Line>[]): Item<Line>[][] {
  const groups: Item<Line>[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const strip of stripsOf(items)) {
    const top = Math.min(...strip.map((item) => item.top));
    if (groups.length > 0 && top - end < 0.5 * sizeOf(strip)) groups.at(-1)?.push(...strip);
    else groups.push([...strip]);
    end = Math.max(...strip.map(({ bottom }) => bottom));
  }
  return groups;
}
