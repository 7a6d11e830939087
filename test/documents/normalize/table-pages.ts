import type {
  FoundTable,
  Rule,
  TablePage,
  TableWord,
} from '../../../packages/documents/src/normalize/pages/tables/index.ts';

/** The size of the font. */
const size = 10;

/** Words of a line from `x` on, five points per letter. */
export function line(text: string, x: number, base: number, bold = false): TableWord[] {
  let at = x;
  return text.split(' ').map((word) => {
    const width = word.length * 5;
    const box: [number, number, number, number] = [at, base - 8, at + width, base + 2];
    at += width + 3;
    return { text: word, box, base, size, bold };
  });
}

/** A horizontal rule. */
export const across = (at: number, from: number, to: number): Rule => ({
  at,
  from,
  to,
  thickness: 0.5,
});

export function pageOf(words: TableWord[], drawn: Partial<TablePage> = {}): TablePage {
  return { widthPt: 600, heightPt: 800, words, across: [], down: [], fills: [], ...drawn };
}

/** Rows of cell texts; the size of a cell shows what it spans. */
export function textsOf(page: TablePage, table: FoundTable | undefined): string[][] {
  const rows = Array.from({ length: table?.rows ?? 0 }, (): string[] => []);
  for (const cell of table?.cells ?? []) {
    const text = cell.words.map((index) => page.words[index]?.text).join(' ');
    const span = cell.rowSpan * cell.columnSpan > 1 ? ` ${cell.rowSpan}x${cell.columnSpan}` : '';
    rows[cell.row]?.push(`${text}${span}`);
  }
  return rows;
}
