import { median } from '../geometry.ts';
import { apart, gapsOf, type Span } from './gaps.ts';
import { type Block, hull, type ModelLine, type ModelWord } from './page.ts';

/** A line, and its index in the page's list. */
type Item = { index: number; line: ModelLine };

/** Blank columns narrower than this, in sizes of the font, are gaps between words. */
const leastColumn = 0.8;
/** A pitch wider than this, against the usual one of its column, starts another block. */
const widePitch = 1.6;
/** Cuts within cuts: far more than any page has. */
const deepest = 40;

const sizeOf = (items: readonly Item[]): number => median(items.map(({ line }) => line.size));
const widths = (items: readonly Item[]): Span[] => items.map(({ line }) => line);

/** Splits items by the valleys between them, along the line. */
function columnsOf(items: readonly Item[], gaps: readonly Span[]): Item[][] {
  const columns: Item[][] = [...gaps, undefined].map(() => []);
  for (const item of items) {
    const at = gaps.findIndex(({ from }) => item.line.to <= from + 1e-6);
    columns[at < 0 ? gaps.length : at]?.push(item);
  }
  return columns.filter((column) => column.length > 0);
}

/** Bullets, numbers and boxes to tick stand before their lines, and are no column. */
function isMarkers(column: readonly Item[], words: readonly ModelWord[]): boolean {
  return column.every(
    ({ line }) => line.words.length === 1 && (words[line.words[0] ?? -1]?.text.length ?? 0) <= 3,
  );
}

/** Columns of items; those of markers are one with the next. Undefined where that leaves but one. */
function realColumns(
  items: readonly Item[],
  least: number,
  words: readonly ModelWord[],
): Item[][] | undefined {
  const gaps = gapsOf(widths(items), least);
  const columns = columnsOf(items, gaps);
  const real: Item[][] = [];
  let markers: Item[] = [];
  for (const [at, column] of columns.entries()) {
    const bases = new Set(columns[at + 1]?.map(({ line }) => Math.round(line.base)));
    const beside = column.filter(({ line }) => bases.has(Math.round(line.base))).length;
    if (isMarkers(column, words) && beside * 2 > column.length) {
      markers.push(...column);
    } else {
      real.push([...markers, ...column]);
      markers = [];
    }
  }
  return real.length > 1 ? real : undefined;
}

/** Items whose small letters stand at one height, from top to bottom. */
function stripsOf(items: readonly Item[]): Item[][] {
  const strips: Item[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const item of [...items].sort((a, b) => a.line.base - b.line.base)) {
    const { base, size } = item.line;
    if (base - 0.45 * size < reach) strips.at(-1)?.push(item);
    else strips.push([item]);
    reach = Math.max(reach, base);
  }
  return strips;
}

const intersect = (a: readonly Span[], b: readonly Item[], least: number): Span[] => {
  const kept: Span[] = [];
  for (const gap of a) {
    // What the lines leave of the gap; the widest stretch of it.
    const inside = b
      .map(({ line }) => ({ from: Math.max(line.from, gap.from), to: Math.min(line.to, gap.to) }))
      .filter(({ from, to }) => to > from);
    const edges = [{ from: gap.from, to: gap.from }, ...inside, { from: gap.to, to: gap.to }];
    const widest = gapsOf(edges, least).sort((x, y) => y.to - y.from - (x.to - x.from))[0];
    if (widest) kept.push(widest);
  }
  return kept;
};

/**
 * Bands from top to bottom, each with columns of its own or with none: a title over two columns, then
 * the columns, then a line under them.
 */
function bandsOf(items: readonly Item[], least: number, words: readonly ModelWord[]): Item[][] {
  const strips = stripsOf(items);
  const gaps = strips.map((strip) =>
    gapsOf(widths(strip.filter((item) => !isMarkers([item], words))), least),
  );
  const bands: Item[][] = [];
  let common: Span[] = [];
  for (const [index, strip] of strips.entries()) {
    const band = bands.at(-1);
    const own = gaps[index] ?? [];
    const left = intersect(common, strip, least);
    const goesOn = common.length > 0 ? left.length > 0 : !startsColumns(index);
    if (band && goesOn) {
      band.push(...strip);
      if (common.length > 0) common = left;
    } else {
      bands.push([...strip]);
      common = own;
    }
  }
  return bands;

  /** One row with a gap is no columns yet, unless the next has room for the same gap. */
  function startsColumns(index: number): boolean {
    const own = gaps[index] ?? [];
    const next = strips[index + 1];
    return own.length > 0 && next !== undefined && intersect(own, next, least).length > 0;
  }
}

/** Lines of one column, cut where the pitch is much wider than usual or the size changes. */
function paragraphsOf(items: readonly Item[]): Item[][] {
  const lines = [...items].sort((a, b) => a.line.base - b.line.base || a.line.from - b.line.from);
  const pitches = lines.slice(1).map(({ line }, at) => line.base - (lines[at]?.line.base ?? 0));
  const usual = Math.max(
    median(pitches.filter((pitch) => pitch > 0.5 * sizeOf(items))),
    1.1 * sizeOf(items),
  );
  const parts: Item[][] = [];
  for (const [at, item] of lines.entries()) {
    const last = lines[at - 1]?.line;
    const { base, size } = item.line;
    const apart =
      !last ||
      base - last.base > widePitch * Math.min(usual, 1.6 * Math.max(size, last.size)) ||
      Math.max(size, last.size) > 1.3 * Math.min(size, last.size);
    if (apart) parts.push([item]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

/** Rows of a table: lines that rest on one baseline. */
export function tableRows(lines: readonly ModelLine[], indexes: readonly number[]): number[][] {
  const rows: number[][] = [];
  const at = (index: number | undefined): ModelLine | undefined => lines[index ?? -1];
  const sorted = [...indexes].sort((a, b) => (at(a)?.base ?? 0) - (at(b)?.base ?? 0));
  for (const index of sorted) {
    const line = at(index);
    const first = at(rows.at(-1)?.[0]);
    if (!line) continue;
    if (first && line.base - first.base <= 0.35 * Math.min(line.size, first.size)) {
      rows.at(-1)?.push(index);
    } else rows.push([index]);
  }
  for (const row of rows) row.sort((a, b) => (at(a)?.from ?? 0) - (at(b)?.from ?? 0));
  return rows;
}

/** Running text has lines of many words, or fills its column; what stands in a table does not. */
function isProse(column: readonly Item[]): boolean {
  const spans = widths(column);
  const width = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
  const full = column.filter(({ line }) => line.to - line.from > 0.75 * width).length;
  const long = column.filter((item) => wordsIn(item) >= 5);
  const count = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + wordsIn(item), 0);
  if (long.length >= 3 && count(long) >= 0.6 * count(column)) return true;
  return column.length >= 3 && median(column.map(wordsIn)) >= 3 && full >= 0.5 * column.length;
}

const wordsIn = ({ line }: Item): number => line.words.length;

/** Columns of which most lines have a neighbour on their baseline, and that are no running text. */
function isTable(columns: readonly Item[][], lines: readonly ModelLine[]): boolean {
  if (columns.filter(isProse).length >= 2) return false;
  const indexes = columns.flatMap((column) => column.map(({ index }) => index));
  const rows = tableRows(lines, indexes);
  const shared = rows.filter((row) => row.length > 1).reduce((sum, row) => sum + row.length, 0);
  return shared >= 0.5 * indexes.length;
}

/**
 * Blocks of lines that run one way, in reading order: white columns part what stands side by side,
 * before lines are followed downwards (an XY-cut in which a title may span columns).
 */
export function blocksOf(
  lines: readonly ModelLine[],
  indexes: readonly number[],
  words: readonly ModelWord[],
): Block[] {
  const blocks: Block[] = [];
  const add = (kind: Block['kind'], items: readonly Item[], columns: number[][]): void => {
    const box = hull(
      items.map(({ line }) => hull(line.words.map((at) => words[at]?.box ?? line.box)) ?? line.box),
    );
    if (box) blocks.push({ kind, box, lines: items.map(({ index }) => index), columns });
  };
  const order = (items: readonly Item[], depth: number): void => {
    const least = leastColumn * sizeOf(items);
    const columns = depth < deepest ? realColumns(items, least, words) : undefined;
    if (columns) {
      const bands =
        columns.filter(isProse).length >= 2 ? [] : apart(columns[0], stripsOf(columns.flat()));
      if (bands.length > 1) for (const band of bands) order(band, depth + 1);
      else if (isTable(columns, lines)) {
        const sorted = columns.map((column) =>
          column.sort((a, b) => a.line.base - b.line.base).map(({ index }) => index),
        );
        add('table', items, sorted);
      } else for (const column of columns) order(column, depth + 1);
      return;
    }
    const bands = depth < deepest ? bandsOf(items, least, words) : [];
    if (bands.length > 1) {
      for (const band of bands) order(band, depth + 1);
      return;
    }
    for (const part of paragraphsOf(items)) add('text', part, []);
  };
  const items = indexes.flatMap((index) => {
    const line = lines[index];
    return line ? [{ index, line }] : [];
  });
  if (items.length > 0) order(items, 0);
  return blocks;
}
