import type { Piece } from '../stream.ts';
import { type CellAddress, cellKey, referencesOf } from './formulas.ts';

/** A cell whose result may depend on other cells. */
interface DependentCell {
  address: CellAddress;
  /** Its visible content. */
  pieces: readonly Piece[];
  /**
   * Its formula in the syntax of Excel, and the number of the group that shares the formula; null if
   * the formula is not shared.
   */
  formula: { text: string; sharedGroup: string | null } | null;
}

/**
 * Returns results that depend on a removed cell, directly (`=RIGHT(A1;4)`) or indirectly, each with
 * the piece of the cell on which it depends.
 */
export function dependentResults(
  sheets: readonly (readonly DependentCell[])[],
  touched: ReadonlySet<Piece>,
): Map<Piece, Piece> {
  const redactedCells = new Map<string, Piece>();
  const dependents = new Map<string, DependentCell[]>();
  for (const cells of sheets) {
    const masters = new Map<string, DependentCell>();
    for (const cell of cells) {
      const touchedPiece = cell.pieces.find((piece) => touched.has(piece));
      if (touchedPiece) redactedCells.set(cellKey(cell.address), touchedPiece);
      const { formula, address } = cell;
      if (!formula) continue;
      if (formula.sharedGroup !== null && formula.text !== '')
        masters.set(formula.sharedGroup, cell);
      const master = (formula.sharedGroup !== null && masters.get(formula.sharedGroup)) || cell;
      const offset = {
        rows: address.row - master.address.row,
        columns: address.column - master.address.column,
      };
      for (const to of referencesOf(master.formula?.text ?? '', address.sheet, offset)) {
        const key = cellKey(to);
        dependents.set(key, [...(dependents.get(key) ?? []), cell]);
      }
    }
  }
  const dependentPieces = new Map<Piece, Piece>();
  const queue = [...redactedCells];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [key, origin] = next;
    for (const cell of dependents.get(key) ?? []) {
      const [own] = cell.pieces;
      const ownKey = cellKey(cell.address);
      if (!own || touched.has(own) || dependentPieces.has(own)) continue;
      dependentPieces.set(own, origin);
      queue.push([ownKey, origin]);
    }
  }
  return dependentPieces;
}
