import {
  attribute,
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
} from '../../../files/xml.ts';
import type { Piece } from '../stream.ts';
import { type RedactableCell, setText } from './cells.ts';
import { cellKey, cellPlaceOf, referencesOf } from './formulas.ts';
import type { DefinedName } from './sheets.ts';

const isGone = ({ redacted }: Piece): boolean => redacted !== null;

/**
 * Updates cells. Removed numbers and results are replaced with texts. Formulas that contain or
 * produce removed values are replaced with their results.
 */
export function finishCells(
  sheets: readonly RedactableCell[][],
  names: readonly DefinedName[],
): void {
  const gone = goneNames(names);
  for (const cells of sheets) {
    const groups = new Set<string>();
    for (const cell of cells) {
      const { formula } = cell;
      if (formula?.shared != null && mustGo(cell, gone)) groups.add(formula.shared);
    }
    for (const cell of cells) {
      const { formula, isText, pieces } = cell;
      if (isText) continue;
      const drops =
        formula !== null &&
        (mustGo(cell, gone) || (formula.shared !== null && groups.has(formula.shared)));
      const [own] = pieces;
      if (own?.redacted != null) setText(cell, own.redacted);
      else if (drops) dropFormula(cell, formula?.element);
    }
  }
}

function dropFormula(cell: RedactableCell, formula: XmlElement | undefined): void {
  const { element, pieces } = cell;
  if (attributeValue(element, 't') === 'str') setText(cell, pieces[0]?.text ?? '');
  else element.children = element.children.filter((child) => child !== formula);
}

function mustGo({ formula, pieces }: RedactableCell, goneNames: RegExp | null): boolean {
  if (!formula) return false;
  return (
    formula.foreign ||
    formula.pieces.some(isGone) ||
    pieces.some(isGone) ||
    (goneNames?.test(formula.text) ?? false)
  );
}

/**
 * Removes the content of defined names that were redacted. Returns a pattern for their uses in
 * formulas; null if no name was redacted.
 */
function goneNames(names: readonly DefinedName[]): RegExp | null {
  const gone = names.filter(({ pieces, element }) => {
    const own = attribute(element, 'name')?.piece;
    return pieces.some(isGone) || (own && isGone(own));
  });
  for (const { element } of gone) element.children = [];
  if (gone.length === 0) return null;
  const list = gone.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_.])(?:${list.join('|')})(?![\\p{L}\\p{N}_.])`, 'iu');
}

/**
 * Removes defined names without a formula from the workbook, and the list of names if it becomes
 * empty.
 */
export function dropEmptyNames(workbook: XmlElement): void {
  const list = childOf(workbook, 'definedNames');
  if (!list) return;
  list.children = elementsOf(list).filter(({ children }) => children.length > 0);
  if (list.children.length === 0) {
    workbook.children = workbook.children.filter((child) => child !== list);
  }
}

/**
 * Returns results that depend on a removed cell, directly (`=RIGHT(A1;4)`) or indirectly, each with
 * the piece of the cell on which it depends.
 */
export function followFormulas(
  sheets: readonly RedactableCell[][],
  touched: ReadonlySet<Piece>,
): Map<Piece, Piece> {
  const gone = new Map<string, Piece>();
  const dependents = new Map<string, RedactableCell[]>();
  for (const cells of sheets) {
    const masters = new Map<string, RedactableCell>();
    for (const cell of cells) {
      const own = cell.pieces.find((piece) => touched.has(piece));
      if (own) gone.set(cellKey(cell.place), own);
      const { formula, place } = cell;
      if (!formula) continue;
      if (formula.shared !== null && formula.text !== '') masters.set(formula.shared, cell);
      const master = (formula.shared !== null && masters.get(formula.shared)) || cell;
      const moved = {
        rows: place.row - master.place.row,
        columns: place.column - master.place.column,
      };
      for (const to of referencesOf(master.formula?.text ?? '', place.sheet, moved)) {
        const key = cellKey(to);
        dependents.set(key, [...(dependents.get(key) ?? []), cell]);
      }
    }
  }
  const following = new Map<Piece, Piece>();
  const queue = [...gone];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [key, origin] = next;
    for (const cell of dependents.get(key) ?? []) {
      const [own] = cell.pieces;
      const ownKey = cellKey(cell.place);
      if (!own || touched.has(own) || following.has(own)) continue;
      following.set(own, origin);
      queue.push([ownKey, origin]);
    }
  }
  return following;
}

/**
 * Updates the column names of a table. Excel requires them to be unique and equal to the text of
 * their header cells.
 */
export function finishTable(table: XmlElement, cells: readonly RedactableCell[]): void {
  const start = cellPlaceOf((attributeValue(table, 'ref') ?? '').split(':')[0] ?? '', '');
  const columns = childOf(table, 'tableColumns');
  if (!start || !columns || attributeValue(table, 'headerRowCount') === '0') return;
  const taken = new Set<string>();
  elementsOf(columns).forEach((column, index) => {
    const name = attribute(column, 'name');
    const cell = cells.find(
      ({ place }) => place.row === start.row && place.column === start.column + index,
    );
    if (!name || !cell) return;
    const shows = cell.pieces.map(({ text, redacted }) => redacted ?? text).join('');
    let unique = shows;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1)
      unique = `${shows} ${number}`;
    taken.add(unique.toLowerCase());
    if (unique !== shows) setText(cell, unique);
    if (unique !== name.value) {
      const attributes = column.attributes.filter((one) => one !== name);
      column.attributes = [...attributes, { name: 'name', local: 'name', uri: '', value: unique }];
    }
  });
}
