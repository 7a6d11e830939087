import { gapsOf, type Span } from './gaps.ts';
import { type Item, isMarker, type Readable, sizeOf } from './items.ts';

/** Returns items grouped by height, from top to bottom. */
export function stripsOf<Line extends Readable>(items: readonly Item<Line>[]): Item<Line>[][] {
  const strips: Item<Line>[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const item of [...items].sort((a, b) => a.top - b.top)) {
    const height = item.bottom - item.top;
    if (item.top + 0.3 * Math.min(height, item.size) < reach) strips.at(-1)?.push(item);
    else strips.push([item]);
    // Lines with tight leading overlap slightly.
    if (item.bottom > reach) reach = item.line ? item.base : item.bottom;
  }
  return strips;
}

/** Returns the parts of gaps that remain free after a strip of items. */
function leftOf(gaps: readonly Span[], strip: readonly Item[], least: number): Span[] {
  const left: Span[] = [];
  for (const gap of gaps) {
    const inside = strip.filter(({ from, to }) => to > gap.from && from < gap.to);
    if (inside.length === 0) {
      left.push(gap);
      continue;
    }
    const edges = [
      { from: gap.from, to: gap.from },
      ...inside.map(({ from, to }) => ({
        from: Math.max(from, gap.from),
        to: Math.min(to, gap.to),
      })),
      { from: gap.to, to: gap.to },
    ];
    const widest = gapsOf(edges, least).sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (widest) left.push(widest);
  }
  return left;
}

/**
 * Returns bands from top to bottom, each with or without columns: for example a title over two
 * columns, then the columns, then a line below them.
 */
export function bandsOf<Line extends Readable>(
  items: readonly Item<Line>[],
  least: number,
  fromRight: boolean,
): Item<Line>[][] {
  const strips = stripsOf(items);
  const gaps = strips.map((strip) =>
    gapsOf(
      strip.filter((item) => !isMarker(item)),
      least,
    ),
  );
  const startsColumns = (index: number): boolean => {
    const own = gaps[index] ?? [];
    if (own.length === 0) return false;
    // A gap in one row does not separate columns unless the next rows also leave it free.
    for (const at of [index + 1, index + 2]) {
      const next = strips[at];
      if (!next) return false;
      if (leftOf(own, next, least).length === 0) return false;
      if ((gaps[at]?.length ?? 0) > 0) return true;
    }
    return true;
  };
  /** Whether the gaps of a strip continue below it where the gaps of the current band end. */
  const startsOthers = (index: number, left: readonly Span[]): boolean => {
    const next = strips[index + 1];
    if (!next || !startsColumns(index) || leftOf(left, next, least).length > 0) return false;
    return leftOf(gaps[index] ?? [], next, least).length > 0;
  };
  const bands: Item<Line>[][] = [];
  let common: Span[] = [];
  for (const [index, strip] of strips.entries()) {
    const band = bands.at(-1);
    const left = leftOf(common, strip, least);
    const goesOn =
      common.length > 0 ? left.length > 0 && !startsOthers(index, left) : !startsColumns(index);
    if (band && goesOn) {
      band.push(...strip);
      if (common.length > 0) common = left;
    } else {
      const started = [...strip];
      bands.push(started);
      common = band === undefined && !startsColumns(index) ? [] : (gaps[index] ?? []);
      // The first lines of a later column may be above the first lines of the first column.
      const side = fromRight ? common[0] : common.at(-1);
      for (let at = index - 1; band && side && band.length > 0; at -= 1) {
        const above = strips[at] ?? [];
        const beyond = above.every(({ from, to }) =>
          fromRight ? to <= side.from : from >= side.to,
        );
        const near = Math.max(...above.map(({ bottom }) => bottom));
        const top = Math.min(...started.map((item) => item.top));
        const ownSize = above[0]?.size ?? 0;
        if (
          above.length === 0 ||
          !beyond ||
          top - near > ownSize ||
          !above.every((one) => band.includes(one))
        )
          break;
        for (const moved of above) band.splice(band.indexOf(moved), 1);
        started.push(...above);
      }
      if (band?.length === 0) bands.splice(bands.length - 2, 1);
    }
  }
  return bands;
}

/** Groups strips that are closer to each other than the spacing of lines. */
export function groupsOf<Line extends Readable>(items: readonly Item<Line>[]): Item<Line>[][] {
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
