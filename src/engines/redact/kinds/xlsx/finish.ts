import {
  attribute,
  attributeValue,
  childOf,
  type Element,
  elementsOf,
} from '../../../files/xml.ts';
import type { Piece } from '../stream.ts';
import { type Cell, setText } from './cells.ts';
import { keyOf, placeOf, referencesOf } from './formulas.ts';
import type { DefinedName } from './sheets.ts';

const isGone = ({ redacted }: Piece): boolean => redacted !== null;

/**
 * Writes into the cells what has to be there: texts in place of numbers and results that go; results in
 * place of formulas that hold or produce what goes.
 */
export function finishCells(sheets: readonly Cell[][], names: readonly DefinedName[]): void {
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

function dropFormula(cell: Cell, formula: Element | undefined): void {
  const { element, pieces } = cell;
  if (attributeValue(element, 't') === 'str') setText(cell, pieces[0]?.text ?? '');
  else element.children = element.children.filter((child) => child !== formula);
}

function mustGo({ formula, pieces }: Cell, goneNames: RegExp | null): boolean {
  if (!formula) return false;
  return (
    formula.foreign ||
    formula.pieces.some(isGone) ||
    pieces.some(isGone) ||
    (goneNames?.test(formula.text) ?? false)
  );
}

/** Takes out the names that have to go; gives what finds their use in formulas. */
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

/** Takes names without a formula out of the workbook, and their list when it is empty. */
export function dropEmptyNames(workbook: Element): void {
  const list = childOf(workbook, 'definedNames');
  if (!list) return;
  list.children = elementsOf(list).filter(({ children }) => children.length > 0);
  if (list.children.length === 0) {
    workbook.children = workbook.children.filter((child) => child !== list);
  }
}

/**
 * Results that say something of a cell that goes: `=RIGHT(A1;4)`, and what is made from those. Each
 * with the piece of the cell it comes from.
 */
export function followFormulas(
  sheets: readonly Cell[][],
  touched: ReadonlySet<Piece>,
): Map<Piece, Piece> {
  const gone = new Map<string, Piece>();
  const dependents = new Map<string, Cell[]>();
  for (const cells of sheets) {
    const masters = new Map<string, Cell>();
    for (const cell of cells) {
      const own = cell.pieces.find((piece) => touched.has(piece));
      if (own) gone.set(keyOf(cell.place), own);
      const { formula, place } = cell;
      if (!formula) continue;
      if (formula.shared !== null && formula.text !== '') masters.set(formula.shared, cell);
      const master = (formula.shared !== null && masters.get(formula.shared)) || cell;
      const moved = {
        rows: place.row - master.place.row,
        columns: place.column - master.place.column,
      };
      for (const to of referencesOf(master.formula?.text ?? '', place.sheet, moved)) {
        const key = keyOf(to);
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
      const cellKey = keyOf(cell.place);
      if (!own || touched.has(own) || following.has(own)) continue;
      following.set(own, origin);
      queue.push([cellKey, origin]);
    }
  }
  return following;
}

/** Excel wants the columns of a table named as their cells are, no two alike. */
export function finishTable(table: Element, cells: readonly Cell[]): void {
  const start = placeOf((attributeValue(table, 'ref') ?? '').split(':')[0] ?? '', '');
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
