import type { Piece, Stream, StreamPart } from '../stream.ts';
import type { CellAddress } from './formulas.ts';

/**
 * Maximum number of tabs for empty cells in a sheet. Above it, tabs would make up most of the text.
 */
const maxTabs = 1e6;

/**
 * Adds the positions of a sheet's cells for reviewers: the number of each row before its cells, and
 * a tab for each empty cell.
 * @returns false if this is not possible, because there are too many empty cells or the cells are
 * not in order
 */
export function showAddresses(
  body: Stream,
  cells: readonly { pieces: readonly Piece[]; address: CellAddress }[],
): boolean {
  const addressOf = new Map<Piece, CellAddress>();
  for (const { pieces, address } of cells) if (pieces[0]) addressOf.set(pieces[0], address);
  const parts: StreamPart[] = [];
  let tabs = 0;
  let row = 0;
  let column = 0;
  for (const part of body.parts) {
    const address = typeof part === 'object' && 'text' in part ? addressOf.get(part) : undefined;
    if (address) {
      const isFirst = address.row !== row;
      const empty = address.column - (isFirst ? 0 : column) - 1;
      tabs += empty;
      // The cells of a damaged file may be in any order.
      if (empty < 0 || address.row < row || tabs > maxTabs) return false;
      const number = isFirst ? `${address.row}\t` : '';
      if (isFirst || empty > 0) parts.push({ shown: number + '\t'.repeat(empty) });
      ({ row, column } = address);
    }
    parts.push(part);
  }
  body.parts = parts;
  return true;
}
