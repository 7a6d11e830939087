import { hull, median } from '../geometry.ts';
import { areLevel, inRows } from '../rows.ts';
import { columnsOf } from './order/columns.ts';
import { flowsOf, minColumn } from './order/index.ts';
import { type Item, orderItem, sizeOf } from './order/items.ts';
import type { Block, ModelLine, ModelWord } from './page.ts';

/** A line, its words, and its index in the lines of the page. */
type OrderedLine = { index: number; line: ModelLine; words: readonly ModelWord[] };
type LineItem = Item<OrderedLine>;

/**
 * Minimum line spacing that starts a new block, relative to the usual line spacing of the column.
 */
const widePitch = 1.6;

/**
 * Divides the lines of a column where the spacing is much larger than usual or the font size
 * changes.
 */
function paragraphsOf(items: readonly LineItem[]): LineItem[][] {
  const lines = [...items].sort((a, b) => a.base - b.base || a.from - b.from);
  const pitches = lines.slice(1).map(({ base }, at) => base - (lines[at]?.base ?? 0));
  const usual = Math.max(
    median(pitches.filter((pitch) => pitch > 0.5 * sizeOf(items))),
    1.1 * sizeOf(items),
  );
  return inRows(
    lines,
    ({ base, size }, last) =>
      base - last.base <= widePitch * Math.min(usual, 1.6 * Math.max(size, last.size)) &&
      Math.max(size, last.size) <= 1.3 * Math.min(size, last.size),
  );
}

/** Returns the rows of a table: the lines on each baseline. */
export function tableRows(lines: readonly ModelLine[], indexes: readonly number[]): number[][] {
  const own = indexes.flatMap((index) => {
    const line = lines[index];
    return line ? [{ index, line }] : [];
  });
  own.sort((a, b) => a.line.base - b.line.base);
  const rows = inRows(own, ({ line }, _, first) => areLevel(line, first.line));
  return rows.map((row) => row.sort((a, b) => a.line.from - b.line.from).map(({ index }) => index));
}

/**
 * Returns the columns of a table from left to right; each column has its lines from top to bottom.
 */
function tableColumns(items: readonly LineItem[]): number[][] {
  return columnsOf(items, minColumn * sizeOf(items)).map((column) =>
    column.sort((a, b) => a.base - b.base).flatMap(({ line }) => line?.index ?? []),
  );
}

/** Returns the blocks of lines of one direction, in reading order. */
export function modelBlocks(
  lines: readonly ModelLine[],
  indexes: readonly number[],
  words: readonly ModelWord[],
): Block[] {
  const items = indexes.flatMap((index) => {
    const line = lines[index];
    const own = line?.words.flatMap((at) => words[at] ?? []);
    return line && own ? [orderItem({ index, line, words: own }, line)] : [];
  });
  const block = (kind: Block['kind'], some: readonly LineItem[], columns: number[][]): Block[] => {
    const box = hull(
      some.flatMap(({ line }) =>
        line ? [hull(line.words.map((word) => word.box)) ?? line.line.box] : [],
      ),
    );
    const own = some.flatMap(({ line }) => line?.index ?? []);
    return box ? [{ kind, box, lines: own, columns }] : [];
  };
  return flowsOf(items, false).flatMap(({ kind, items: some }) =>
    kind === 'rows'
      ? block('table', some, tableColumns(some))
      : paragraphsOf(some).flatMap((part) => block('text', part, [])),
  );
}
