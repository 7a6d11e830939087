import {
  attribute,
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
} from '../../../files/xml.ts';
import { parseCellAddress, usesOf } from '../spreadsheet/formulas.ts';
import type { Piece } from '../stream.ts';
import { type RedactableCell, setCellText } from './cells.ts';
import type { DefinedName } from './sheets.ts';

const isRedacted = ({ redacted }: Piece): boolean => redacted !== null;

/**
 * Updates cells. Removed numbers and results are replaced with texts. Formulas that contain or
 * produce removed values are replaced with their results.
 */
export function finishCells(
  sheets: readonly RedactableCell[][],
  names: readonly DefinedName[],
): void {
  const removedNames = removeRedactedNames(names);
  for (const cells of sheets) {
    const groups = new Set<string>();
    for (const cell of cells) {
      const { formula } = cell;
      if (formula?.sharedGroup != null && mustRemoveFormula(cell, removedNames))
        groups.add(formula.sharedGroup);
    }
    for (const cell of cells) {
      const { formula, isText, pieces } = cell;
      if (isText) continue;
      const removesFormula =
        formula !== null &&
        (mustRemoveFormula(cell, removedNames) ||
          (formula.sharedGroup !== null && groups.has(formula.sharedGroup)));
      const [content] = pieces;
      if (content?.redacted != null) setCellText(cell, content.redacted);
      else if (removesFormula) dropFormula(cell, formula?.element);
    }
  }
}

function dropFormula(cell: RedactableCell, formula: XmlElement | undefined): void {
  const { element, pieces } = cell;
  if (attributeValue(element, 't') === 'str') setCellText(cell, pieces[0]?.text ?? '');
  else element.children = element.children.filter((child) => child !== formula);
}

function mustRemoveFormula(
  { formula, pieces }: RedactableCell,
  removedNames: RegExp | null,
): boolean {
  if (!formula) return false;
  return (
    formula.isForeign ||
    formula.pieces.some(isRedacted) ||
    pieces.some(isRedacted) ||
    (removedNames?.test(formula.text) ?? false)
  );
}

/**
 * Removes the content of defined names that were redacted. Returns a pattern for their uses in
 * formulas; null if no name was redacted.
 */
function removeRedactedNames(names: readonly DefinedName[]): RegExp | null {
  const redactedNames = names.filter(({ pieces, element }) => {
    const own = attribute(element, 'name')?.piece;
    return pieces.some(isRedacted) || (own && isRedacted(own));
  });
  for (const { element } of redactedNames) element.children = [];
  return usesOf(redactedNames.map(({ name }) => name));
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
 * Updates the column names of a table. Excel requires them to be unique and equal to the text of
 * their header cells.
 */
export function finishTable(table: XmlElement, cells: readonly RedactableCell[]): void {
  const start = parseCellAddress((attributeValue(table, 'ref') ?? '').split(':')[0] ?? '', '');
  const columns = childOf(table, 'tableColumns');
  if (!start || !columns || attributeValue(table, 'headerRowCount') === '0') return;
  const usedNames = new Set<string>();
  elementsOf(columns).forEach((column, index) => {
    const name = attribute(column, 'name');
    const cell = cells.find(
      ({ address }) => address.row === start.row && address.column === start.column + index,
    );
    if (!name || !cell) return;
    const shownName = cell.pieces.map(({ text, redacted }) => redacted ?? text).join('');
    let unique = shownName;
    for (let number = 2; usedNames.has(unique.toLowerCase()); number += 1)
      unique = `${shownName} ${number}`;
    usedNames.add(unique.toLowerCase());
    if (unique !== shownName) setCellText(cell, unique);
    if (unique !== name.value) {
      const attributes = column.attributes.filter((one) => one !== name);
      column.attributes = [...attributes, { name: 'name', local: 'name', uri: '', value: unique }];
    }
  });
}
