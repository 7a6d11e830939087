import type { PiiFinding } from '../finding.ts';
import { type Line, linesOf, type Range } from '../labels/layout.ts';
import type { TextView } from '../view.ts';

/** The score, high enough for the name to be searched for in the whole document. */
const score = 0.8;
const word = "\\p{Lu}[\\p{Ll}\\p{M}'’]{1,30}(?:-\\p{Lu}[\\p{Ll}\\p{M}'’]{1,30})?";
const linkingWords =
  '(?:(?:von|van|der|den|zu|de|da|do|dos|del|della|di|la|y|el|al|ten|ter) ){0,3}';
/** A cell that consists of two to four words of a name. */
const fullName = new RegExp(`^${linkingWords}${word}(?: ${linkingWords}${word}){1,3}$`, 'u');
/** A label before the value of a cell: words without digits. */
const labelPrefix = /^\P{N}{1,60}:[ \t]+/u;
/** Words that indicate an organisation or a place. */
const nonPersonWords =
  /(?<!\p{L})(?:GmbH|AG|KG|Ltd|Inc|Llc|Plc|Corp|Company|Group|Bank|Hotel|Museum|Museo|Musée|Institut[eo]?|Universit\p{L}*|College|School|Schule|École|Hospital|Klinik|Clinic|Centre|Center|Zentrum|Park|Street|Road|Avenue|Straße|Stiftung|Verlag|Haus|House|Hall|Church|Kirche)(?!\p{L})/u;

/**
 * The value of a cell, whether it has the form of a full name, and whether it contains a person's
 * name.
 */
type Cell = Range & { isName: boolean; isPerson: boolean; isLabelled: boolean; isEmpty: boolean };

/**
 * Finds full names of people in cells that contain a part of a found name, or in columns of names.
 * In a column of names, at least every second cell was found by other means, and all other cells
 * have the form of a name.
 * @param people the names that were found
 */
export function findNamesInCells(view: TextView, people: readonly PiiFinding[]): PiiFinding[] {
  const findings: PiiFinding[] = [];
  const add = ({ start, end }: Range): void => {
    findings.push({
      type: 'PERSON',
      start: view.original(start),
      end: view.original(end - 1) + 1,
      score,
    });
  };
  const inOrder = people.toSorted((one, other) => one.start - other.start);
  let from = 0;
  let rows: Cell[][] = [];
  const closeTable = (): void => {
    if (rows.length > 1) for (const cell of namesOfColumns(rows)) add(cell);
    rows = [];
  };
  for (const line of linesOf(view)) {
    while (from < inOrder.length && inOrder[from]!.end <= view.original(line.start)) from += 1;
    const cells = cellsOf(view, line, inOrder, from);
    for (const cell of cells)
      if (cell.isName && cell.isPerson && (cells.length > 1 || cell.isLabelled)) add(cell);
    // Rows of HTML have an empty line between them.
    if (cells.every(({ isEmpty }) => isEmpty)) continue;
    if (cells.length !== rows[0]?.length) closeTable();
    if (cells.length > 1) rows.push(cells);
  }
  closeTable();
  return findings;
}

function cellsOf(
  view: TextView,
  line: Line,
  people: readonly PiiFinding[],
  firstPerson: number,
): Cell[] {
  return line.cells.map(({ start, end }) => {
    const text = view.text.slice(start, end);
    const label = labelPrefix.exec(text)?.[0].length ?? 0;
    const value = text.slice(label);
    const [from, to] = [view.original(start + label), view.original(end)];
    let isPerson = false;
    for (let at = firstPerson; at < people.length && people[at]!.start < to; at += 1)
      isPerson ||= people[at]!.end > from;
    const isName = value.length > 0 && fullName.test(value) && !nonPersonWords.test(value);
    const isEmpty = !/[\p{L}\p{N}]/u.test(value);
    return { start: start + label, end, isName, isPerson, isLabelled: label > 0, isEmpty };
  });
}

/**
 * Returns the cells of columns of names, without the heading. Columns of labelled cells have no
 * heading.
 */
function namesOfColumns(rows: readonly Cell[][]): Cell[] {
  const [head = []] = rows;
  return head.flatMap(({ isLabelled }, column) => {
    const cells = rows
      .slice(isLabelled ? 0 : 1)
      .flatMap((row) => row[column] ?? [])
      .filter(({ isEmpty }) => !isEmpty);
    const personCells = cells.filter(({ isPerson }) => isPerson);
    const isOfNames = cells.every(({ isName, isPerson }) => isName || isPerson);
    return isOfNames && personCells.length > 0 && personCells.length * 2 >= cells.length
      ? cells.filter(({ isName, isPerson }) => isName && !isPerson)
      : [];
  });
}
