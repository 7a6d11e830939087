import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { visibleText } from './inline.ts';
import { keyOf } from './words.ts';

/** A table as rows of texts. Each position covered by a spanning cell has that cell's text. */
export type Grid = readonly (readonly string[])[];

/** A cell with text, counted once even if it spans several positions. */
export type GridCell = { row: number; column: number; text: string; key: string };

/**
 * The non-empty cells of a table. Markdown has no spans, so converters write the text of a spanning
 * cell once or repeat it. A position with the same text as the one to its left or above therefore
 * belongs to the same cell. `at` maps positions to cells.
 */
export function cellsOf(grid: Grid): { cells: GridCell[]; cellIndexes: (number | null)[][] } {
  const cells: GridCell[] = [];
  const at: (number | null)[][] = [];
  for (const [row, texts] of grid.entries()) {
    const cellsInRow: (number | null)[] = [];
    for (const [column, text] of texts.entries()) {
      const key = keyOf(text);
      const neighbours = [cellsInRow[column - 1], at[row - 1]?.[column]];
      const same = neighbours.find(
        (index) => typeof index === 'number' && cells[index]?.key === key,
      );
      cellsInRow.push(key === '' ? null : (same ?? cells.push({ row, column, text, key }) - 1));
    }
    at.push(cellsInRow);
  }
  return { cells, cellIndexes: at };
}

/** The cells of a line of a pipe table. */
export function splitRow(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inside.split(/(?<!\\)\|/).map((cell) => visibleText(cell.replaceAll('\\|', '|')).trim());
}

type Node = DefaultTreeAdapterMap['childNode'];

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  const inner = node.childNodes.map(textOf).join('');
  return /^(p|div|li|ul|ol|br|h\d|pre|blockquote|td|th|tr|table)$/.test(node.nodeName)
    ? ` ${inner} `
    : inner;
}

function findElements(node: Node, names: readonly string[]): Extract<Node, { tagName: string }>[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => {
    if ('tagName' in child && names.includes(child.tagName)) return [child];
    // Rows of nested tables belong to the nested table.
    return 'tagName' in child && child.tagName === 'table' ? [] : findElements(child, names);
  });
}

/** The table in a section of HTML, with spans laid out as in browsers. */
export function readHtmlTable(html: string): Grid {
  const grid: string[][] = [];
  const [table] = parseFragment(html).childNodes.flatMap((node) =>
    node.nodeName === 'table' ? [node] : findElements(node, ['table']),
  );
  if (!table) return grid;
  const rows = findElements(table, ['tr']);
  for (const [row, element] of rows.entries()) {
    let column = 0;
    for (const cell of findElements(element, ['td', 'th'])) {
      while (grid[row]?.[column] !== undefined) column += 1;
      const span = (name: string, max: number) => {
        const value = Number(cell.attrs.find((attribute) => attribute.name === name)?.value ?? 1);
        return Math.max(1, Math.min(max, Number.isInteger(value) ? value : 1));
      };
      const text = textOf(cell).replace(/\s+/g, ' ').trim();
      const [height, width] = [span('rowspan', rows.length - row), span('colspan', 1000)];
      for (let y = row; y < row + height; y += 1) {
        grid[y] ??= [];
        for (let x = column; x < column + width; x += 1) (grid[y] ?? [])[x] = text;
      }
      column += width;
    }
  }
  return Array.from(grid, (line) => Array.from(line ?? [], (text) => text ?? ''));
}
