import { hull, median } from '../geometry.ts';
import { groupRows, shareBaseline } from '../rows.ts';
import { columnsOf } from './order/columns.ts';
import { flowsOf, minColumnGap } from './order/index.ts';
import { type Item, orderItem, sizeOf } from './order/items.ts';
import type { Block, ModelLine, ModelWord } from './page.ts';

/** A line, its words, and its index in the lines of the page. */
type OrderedLine = { index: number; line: ModelLine; words: readonly ModelWord[] };
type LineItem = Item<OrderedLine>;

/**
 * Minimum line spacing that starts a new block, relative to the usual line spacing of the column.
 */
const minBlockPitch = 1.6;

/**
 * Divides the lines of a column where the spacing is much larger than usual or the font size
 * changes.
 */
function paragraphsOf(items: readonly LineItem[]): LineItem[][] {
  const lines = [...items].sort((a, b) => a.base - b.base || a.from - b.from);
  const pitches = lines.slice(1).map(({ base }, at) => base - (lines[at]?.base ?? 0));
  const usualPitch = Math.max(
    median(pitches.filter((pitch) => pitch > 0.5 * sizeOf(items))),
    1.1 * sizeOf(items),
  );
  return groupRows(
    lines,
    ({ base, size }, last) =>
      base - last.base <= minBlockPitch * Math.min(usualPitch, 1.6 * Math.max(size, last.size)) &&
      Math.max(size, last.size) <= 1.3 * Math.min(size, last.size),
  );
}

/** Returns the rows of a table: the lines on each baseline. */
export function tableRows(lines: readonly ModelLine[], indexes: readonly number[]): number[][] {
  const entries = indexes.flatMap((index) => {
    const line = lines[index];
    return line ? [{ index, line }] : [];
  });
  entries.sort((a, b) => a.line.base - b.line.base);
  const rows = groupRows(entries, ({ line }, _, first) => shareBaseline(line, first.line));
  return rows.map((row) => row.sort((a, b) => a.line.from - b.line.from).map(({ index }) => index));
}

/**
 * Returns the columns of a table from left to right; each column has its lines from top to bottom.
 */
function tableColumns(items: readonly LineItem[]): number[][] {
  return columnsOf(items, minColumnGap * sizeOf(items)).map((column) =>
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
    const lineWords = line?.words.flatMap((at) => words[at] ?? []);
    return line && lineWords ? [orderItem({ index, line, words: lineWords }, line)] : [];
  });
  const makeBlock = (
    kind: Block['kind'],
    blockItems: readonly LineItem[],
    columns: number[][],
  ): Block[] => {
    const box = hull(
      blockItems.flatMap(({ line }) =>
        line ? [hull(line.words.map((word) => word.box)) ?? line.line.box] : [],
      ),
    );
    const lineIndexes = blockItems.flatMap(({ line }) => line?.index ?? []);
    return box ? [{ kind, box, lines: lineIndexes, columns }] : [];
  };
  return flowsOf(items, false).flatMap(({ kind, items: flowItems }) =>
    kind === 'rows'
      ? makeBlock('table', flowItems, tableColumns(flowItems))
      : paragraphsOf(flowItems).flatMap((part) => makeBlock('text', part, [])),
  );
}
