import { median } from '../../geometry.ts';
import type { TextLine } from './lines.ts';

/** What has a place in the order of a page: a line, or something that is not looked into. */
export type Item = {
  from: number;
  to: number;
  top: number;
  bottom: number;
  /** A line's baseline; the bottom of what is none. */
  base: number;
  size: number;
  line: TextLine | null;
  /** Which table or picture it is; -1 for a line. */
  fixed: number;
};

/** Items below one another that are read on from one to the next. */
export type Flow = {
  /** `rows`: what stands side by side belongs together, as in a form. */
  kind: 'column' | 'rows';
  items: Item[];
  from: number;
  to: number;
};

type Gap = { from: number; to: number };

/** Blank columns narrower than this, in sizes of the font, are gaps between words. */
const leastColumn = 0.75;
/** What long lines leave of one, the share of lines that may be so long, and of how many at least. */
const leastLeft = 0.4;
const mostLong = 0.08;
const leastLines = 12;
/** Cuts within cuts: far more than any page has. */
const deepest = 30;
/** Lines in the first column alone that are no part of rows under or over them. */
const leastApart = 3;

const marker = /^(?:[^\p{L}\p{N}]{1,3}|\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]{1,5})[.):]?|\[\d+\])$/iu;

/** The stretches that no item covers, between the first and the last of them. */
function gapsOf(items: readonly Gap[], least: number): Gap[] {
  const found: Gap[] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...items].sort((a, b) => a.from - b.from)) {
    if (reach > Number.NEGATIVE_INFINITY && from - reach >= least) {
      found.push({ from: reach, to: from });
    }
    if (to > reach) reach = to;
  }
  return found;
}

const sizeOf = (items: readonly Item[]): number =>
  median(items.flatMap(({ line, size }) => (line ? [size] : []))) || 10;

const wordsIn = ({ line }: Item): number => line?.words.length ?? 0;

/** Bullets, numbers and boxes to tick stand before their lines, and are no column. */
const isMarker = ({ line }: Item): boolean =>
  line !== null && line.words.length <= 2 && marker.test(line.words.map((w) => w.text).join(''));

/** Blank columns, and those that but a few lines that are too long make narrower. */
function columnGaps(items: readonly Item[], least: number): Gap[] {
  const all = gapsOf(items, leastLeft * least);
  return all.filter(({ from, to }) => {
    if (to - from >= least) return true;
    const [left, right] = [
      items.filter((item) => item.to <= from),
      items.filter((item) => item.from >= to),
    ];
    if (Math.min(left.length, right.length) < leastLines) return false;
    const long = left.filter((item) => item.to > to - 1.5 * least).length;
    return long <= mostLong * left.length;
  });
}

/** Items by the blank columns between them; those of markers are one with the next. */
function columnsOf(items: readonly Item[], least: number): Item[][] {
  const gaps = columnGaps(items, least);
  if (gaps.length === 0) return [[...items]];
  const columns: Item[][] = [...gaps, null].map(() => []);
  for (const item of items) {
    let [low, high] = [0, gaps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (item.from >= (gaps[middle]?.to ?? 0) - 1e-6) low = middle + 1;
      else high = middle;
    }
    columns[low]?.push(item);
  }
  const real: Item[][] = [];
  let markers: Item[] = [];
  for (const [at, column] of columns.entries()) {
    const next = columns[at + 1];
    if (next && column.every(isMarker)) {
      const bases = new Set(next.flatMap(({ base }) => [Math.round(base), Math.round(base) + 1]));
      const beside = column.filter(({ base }) => bases.has(Math.round(base))).length;
      if (beside * 2 > column.length) {
        markers.push(...column);
        continue;
      }
    }
    real.push([...markers, ...column]);
    markers = [];
  }
  return real;
}

/** Items that stand at one height, from top to bottom. */
export function stripsOf(items: readonly Item[]): Item[][] {
  const strips: Item[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const item of [...items].sort((a, b) => a.top - b.top)) {
    const height = item.bottom - item.top;
    if (item.top + 0.3 * Math.min(height, item.size) < reach) strips.at(-1)?.push(item);
    else strips.push([item]);
    // Lines of little lead overlap a little.
    if (item.bottom > reach) reach = item.line ? item.base : item.bottom;
  }
  return strips;
}

/** What a strip of items leaves of some gaps. */
function leftOf(gaps: readonly Gap[], strip: readonly Item[], least: number): Gap[] {
  const left: Gap[] = [];
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
 * Bands from top to bottom, each with columns of its own or with none: a title over two columns, then
 * the columns, then a line under them.
 */
function bandsOf(items: readonly Item[], least: number, fromRight: boolean): Item[][] {
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
    // One row with a gap is no columns yet, unless the next ones have room for the same gap.
    for (const at of [index + 1, index + 2]) {
      const next = strips[at];
      if (!next) return false;
      if (leftOf(own, next, least).length === 0) return false;
      if ((gaps[at]?.length ?? 0) > 0) return true;
    }
    return true;
  };
  const bands: Item[][] = [];
  let common: Gap[] = [];
  for (const [index, strip] of strips.entries()) {
    const band = bands.at(-1);
    const left = leftOf(common, strip, least);
    const goesOn = common.length > 0 ? left.length > 0 : !startsColumns(index);
    if (band && goesOn) {
      band.push(...strip);
      if (common.length > 0) common = left;
    } else {
      const started = [...strip];
      bands.push(started);
      common = band === undefined && !startsColumns(index) ? [] : (gaps[index] ?? []);
      // The first lines of a later column may stand above those of the first.
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

/** Running text has lines of many words, or fills its column; what stands in a table does not. */
function isProse(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  if (lines.length < 3) return false;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [all, inLong, long] = [0, 0, 0];
  for (const item of lines) {
    from = Math.min(from, item.from);
    to = Math.max(to, item.to);
    const count = wordsIn(item);
    all += count;
    if (count < 5) continue;
    long += 1;
    inLong += count;
  }
  if (long >= 3 && inLong >= 0.6 * all) return true;
  const full = lines.filter((item) => item.to - item.from > 0.75 * (to - from)).length;
  return median(lines.map(wordsIn)) >= 3 && full >= 0.5 * lines.length;
}

/** Columns of which most lines have a neighbour on their baseline, and that are no running text. */
function areRows(columns: readonly Item[][]): boolean {
  if (columns.some((column) => column.some(({ fixed }) => fixed >= 0))) return false;
  if (columns.filter(isProse).length >= 2) return false;
  const items = columns.flat().sort((a, b) => a.base - b.base);
  let beside = 0;
  let run = 1;
  for (const [at, item] of items.entries()) {
    const next = items[at + 1];
    if (next && next.base - item.base <= 0.35 * Math.min(item.size, next.size)) {
      run += 1;
      continue;
    }
    if (run > 1) beside += run;
    run = 1;
  }
  return beside >= 0.5 * items.length;
}

/** Parts from top to bottom, where lines that stand in the first column only are told from rows. */
function apart(columns: readonly Item[][]): Item[][] {
  const first = new Set(columns[0]);
  const parts: { alone: boolean; strips: Item[][] }[] = [];
  for (const strip of stripsOf(columns.flat())) {
    const alone = strip.every((item) => first.has(item));
    const last = parts.at(-1);
    if (last?.alone === alone) last.strips.push(strip);
    else parts.push({ alone, strips: [strip] });
  }
  const bands: Item[][] = [];
  let joins = false;
  for (const { alone, strips } of parts) {
    const own = alone && strips.length >= leastApart;
    if (joins && !own) bands.at(-1)?.push(...strips.flat());
    else bands.push(strips.flat());
    joins = !own;
  }
  return bands;
}

/** Lines set about one middle, as the names on a title page: they begin here and there. */
function isCentred(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  if (lines.length !== column.length || lines.length < 3) return false;
  const middle = median(lines.map(({ from, to }) => (from + to) / 2));
  const start = median(lines.map(({ from }) => from));
  const about = lines.filter(
    ({ from, to, size }) => Math.abs((from + to) / 2 - middle) < 0.4 * size,
  );
  const off = lines.filter(({ from, size }) => Math.abs(from - start) > 0.5 * size);
  const said = lines.filter(({ line }) => line?.words.some(({ text }) => /\p{L}{3}/u.test(text)));
  const all = lines.length;
  return about.length >= 0.8 * all && off.length >= 0.25 * all && said.length >= 0.7 * all;
}

/** Strips with more room between them than lines have. */
function groupsOf(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const strip of stripsOf(items)) {
    const top = Math.min(...strip.map((item) => item.top));
    if (groups.length > 0 && top - end < 0.5 * sizeOf(strip)) groups.at(-1)?.push(...strip);
    else groups.push([...strip]);
    end = Math.max(...strip.map(({ bottom }) => bottom));
  }
  return groups;
}

function flowOf(kind: Flow['kind'], items: Item[]): Flow {
  items.sort((a, b) => (a.line && b.line ? a.base - b.base : a.top - b.top) || a.from - b.from);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    from = Math.min(from, item.from);
    to = Math.max(to, item.to);
  }
  return { kind, items, from, to };
}

/**
 * The items of a page in reading order: white columns part what stands side by side before lines are
 * followed downwards (an XY-cut in which a title may span columns). With `fromRight`, columns are read
 * from the right.
 */
export function flowsOf(items: readonly Item[], fromRight: boolean): Flow[] {
  const flows: Flow[] = [];
  const order = (some: Item[], depth: number): void => {
    const least = leastColumn * sizeOf(some);
    const columns = depth < deepest && some.length > 1 ? columnsOf(some, least) : [some];
    if (columns.length > 1) {
      if (columns.every(isCentred)) {
        for (const group of groupsOf(some)) {
          const own = columnsOf(group, least);
          for (const column of fromRight ? own.reverse() : own)
            flows.push(flowOf('column', column));
        }
        return;
      }
      const parts = columns.filter(isProse).length >= 2 ? [] : apart(columns);
      if (parts.length > 1) for (const part of parts) order(part, depth + 1);
      else if (areRows(columns)) flows.push(flowOf('rows', some));
      else if (splitUnder(columns, depth)) return;
      else {
        const inOrder = fromRight ? [...columns].reverse() : columns;
        for (const column of inOrder) order(column, depth + 1);
      }
      return;
    }
    const bands = depth < deepest && some.length > 2 ? bandsOf(some, least, fromRight) : [];
    if (bands.length > 1) for (const band of bands) order(band, depth + 1);
    else flows.push(flowOf('column', some));
  };
  if (items.length > 0) order([...items], 0);
  return flows;

  /**
   * Columns that end at one height, with a blank strip under them: what one of them alone has further
   * down comes after all of them.
   */
  function splitUnder(columns: readonly Item[][], depth: number): boolean {
    const ends = columns.map((column) => Math.max(...column.map(({ bottom }) => bottom)));
    const longest = ends.indexOf(Math.max(...ends));
    const reach = Math.max(...ends.filter((_, at) => at !== longest));
    const long = columns[longest] ?? [];
    const size = sizeOf(long);
    const above = long.filter(({ top, bottom }) => (top + bottom) / 2 < reach);
    const below = long.filter(({ top, bottom }) => (top + bottom) / 2 >= reach);
    if (above.length === 0 || below.length === 0) return false;
    const end = Math.max(...above.map(({ bottom }) => bottom));
    const next = Math.min(...below.map(({ top }) => top));
    if (Math.abs(end - reach) > 1.5 * size || next - Math.max(end, reach) < 0.6 * size)
      return false;
    if (longest === (fromRight ? 0 : columns.length - 1)) return false;
    const others = columns.flatMap((column, at) => (at === longest ? above : column));
    order(others, depth + 1);
    order(below, depth + 1);
    return true;
  }
}
