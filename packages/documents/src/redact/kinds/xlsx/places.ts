import type { Piece, Stream, StreamPart } from '../stream.ts';
import type { RedactableCell } from './cells.ts';

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
export function showPlaces(body: Stream, cells: readonly RedactableCell[]): boolean {
  const placeOf = new Map<Piece, RedactableCell['place']>();
  for (const { pieces, place } of cells) if (pieces[0]) placeOf.set(pieces[0], place);
  const parts: StreamPart[] = [];
  let tabs = 0;
  let row = 0;
  let column = 0;
  for (const part of body.parts) {
    const place = typeof part === 'object' && 'text' in part ? placeOf.get(part) : undefined;
    if (place) {
      const isFirst = place.row !== row;
      const empty = place.column - (isFirst ? 0 : column) - 1;
      tabs += empty;
      // The cells of a damaged file may be in any order.
      if (empty < 0 || place.row < row || tabs > maxTabs) return false;
      const number = isFirst ? `${place.row}\t` : '';
      if (isFirst || empty > 0) parts.push({ shown: number + '\t'.repeat(empty) });
      ({ row, column } = place);
    }
    parts.push(part);
  }
  body.parts = parts;
  return true;
}
