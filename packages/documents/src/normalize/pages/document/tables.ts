import type { Cell, DocBlock } from '../../document.ts';
import { type BlockDraft, isText, type TableBlock } from './block-draft.ts';
import { anyOf } from './phrases.ts';

const tableCaption = new RegExp(`^${anyOf('table_caption')}`, 'iu');

/** Adds captions to their tables: the caption before a table, or else the one after it. */
export function withCaptions(blocks: readonly DocBlock[]): DocBlock[] {
  const out: DocBlock[] = [];
  let pendingTable: Extract<DocBlock, { role: 'table' }> | undefined;
  for (const block of blocks) {
    const last = out.at(-1);
    if (block.role === 'table') {
      if (last?.role === 'caption' && tableCaption.test(last.text)) {
        out.pop();
        out.push({ ...block, caption: last.text });
        pendingTable = undefined;
        continue;
      }
      pendingTable = block;
    } else if (pendingTable && block.role === 'caption' && tableCaption.test(block.text)) {
      out.splice(out.indexOf(pendingTable), 1, { ...pendingTable, caption: block.text });
      pendingTable = undefined;
      continue;
    } else pendingTable = undefined;
    out.push(block);
  }
  return out;
}

type TableDraft = BlockDraft & { block: TableBlock };

/** Returns the texts of the first rows of a table. */
const headOf = ({ cells }: TableBlock, rows: number): string =>
  cells
    .filter(({ row }) => row < rows)
    .map(({ column, text }) => `${column}:${text}`)
    .join('|');

/**
 * Returns the number of rows with which both tables begin, if these rows are the whole head of one
 * of them; else 0.
 */
function repeatedRows(last: TableBlock, next: TableBlock): number {
  const rows = Math.max(1, Math.min(last.headerRows, next.headerRows));
  return headOf(last, rows) === headOf(next, rows) ? rows : 0;
}

/**
 * Whether a table continues at the top of the next page, with the same columns at the same
 * positions.
 */
function continues(last: TableDraft, next: TableDraft): boolean {
  if (next.page.page - last.page.page !== 1 || next.block.columns !== last.block.columns)
    return false;
  const [left, , right] = last.block.box;
  const [x0, , x1] = next.block.box;
  const hasSameHead = repeatedRows(last.block, next.block) > 0;
  // Below the same head, different content may make the table wider or narrower.
  const overlap = Math.min(right, x1) - Math.max(left, x0);
  if (hasSameHead && overlap > 0.7 * Math.max(right - left, x1 - x0)) return true;
  const tolerance = 0.03 * last.page.widthPt;
  if (Math.abs(left - x0) > tolerance || Math.abs(right - x1) > tolerance) return false;
  return hasSameHead || next.block.headerRows === 0;
}

/** Appends the rows of one table to another. A repeated head is dropped. */
function joinTableParts(last: TableDraft, next: TableDraft): TableDraft {
  const skip = repeatedRows(last.block, next.block);
  const shift = last.block.rows - skip;
  const cells = next.block.cells
    .filter(({ row }) => row >= skip)
    .map((cell): Cell => ({ ...cell, row: cell.row + shift }));
  const block: TableBlock = {
    ...last.block,
    rows: last.block.rows + next.block.rows - skip,
    cells: [...last.block.cells, ...cells],
  };
  return { ...last, page: next.page, block };
}

/** Joins tables that continue on the next page, if only running lines are between the parts. */
export function joinTables(drafts: readonly BlockDraft[]): BlockDraft[] {
  const out: BlockDraft[] = [];
  let openTable: { table: TableDraft; at: number; first: BlockDraft } | undefined;
  for (const draft of drafts) {
    if (draft.role.startsWith('page_') || (isText(draft) && draft.role === 'footnote')) {
      out.push(draft);
      continue;
    }
    const table = asTable(draft);
    if (table && openTable && continues(openTable.table, table)) {
      openTable.table = joinTableParts(openTable.table, table);
      out[openTable.at] = { ...openTable.table, page: openTable.first.page };
      continue;
    }
    openTable = table ? { table, at: out.length, first: draft } : undefined;
    out.push(draft);
  }
  return out;
}

function asTable(draft: BlockDraft): TableDraft | undefined {
  const { block } = draft;
  return block.kind === 'table' ? { ...draft, block } : undefined;
}
