import { EngineError } from '@scriptorium/sandbox/errors';
import { isActive } from '../../../files/links.ts';
import { numberFormatsOf } from '../../../files/number-formats.ts';
import { type Package, readPackage } from '../../../files/opc.ts';
import { createUnread, type Unread } from '../../../files/unread/index.ts';
import { unreadParts, xlsxKinds } from '../../../files/unread/package.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import type { Cell, DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, origin, plainSpan, textOf } from '../build.ts';
import { commentsOf } from './comments.ts';
import { drawingsOf } from './drawings.ts';
import { islandsOf } from './islands.ts';
import { readSheet, readStrings, type SheetCell, type SheetContext } from './sheet.ts';

const maxSheets = 2000;

/**
 * Reads a workbook (ECMA-376) with one page per sheet: its name as a heading, separate tables,
 * values as displayed, drawings, and comments. Hidden sheets, rows and columns are left out,
 * because readers of the file do not see them, and are reported. Throws EngineError.
 */
export function readXlsx(bytes: Uint8Array): NormalDocument {
  const source = readPackage(bytes);
  const start = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  const bookBytes = start && source.parts.get(start.target);
  if (!start || !bookBytes || !/sheet|excel/.test(source.contentTypeOf(start.target))) {
    throw new EngineError('unsupported', 'The file is not a workbook.');
  }
  const workbook = parseXml(bookBytes);
  const relations = source.relationshipsOf(start.target);
  const related = (kind: string): Uint8Array | undefined => {
    const relation = relations.find((one) => one.kind === kind && !one.external);
    return relation && source.parts.get(relation.target);
  };
  const styles = related('styles');
  const properties = childOf(workbook, 'workbookPr');
  const from1904 = attributeValue(properties, 'date1904');
  const context: SheetContext = {
    strings: readStrings(related('sharedStrings')),
    formats: numberFormatsOf(styles && parseXml(styles)),
    from1904: from1904 === '1' || from1904 === 'true',
    budget: createBudget(),
  };
  const sheets = elementsOf(childOf(workbook, 'sheets')).filter(({ local }) => local === 'sheet');
  if (sheets.length === 0) throw new EngineError('damaged', 'The workbook has no sheets.');
  if (sheets.length > maxSheets) {
    throw new EngineError('too_large', `The workbook has more than ${maxSheets} sheets.`);
  }
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  const unread = createUnread();
  for (const [index, element] of sheets.entries()) {
    const page = index + 1;
    const name = attributeValue(element, 'name') ?? '';
    pages.push({ page, widthPt: null, heightPt: null, name });
    const relation = relations.find(({ id }) => id === referenceOf(element));
    const part = relation && !relation.external ? source.parts.get(relation.target) : undefined;
    const isHidden = /hidden/i.test(attributeValue(element, 'state') ?? '');
    if (isHidden && part) unread.add('hidden sheets');
    if (!relation || !part || isHidden) continue;
    const own = blocksOf(source, relation.target, part, page, context, unread);
    if (own.length === 0) continue;
    if (name !== '') blocks.push({ role: 'heading', level: 2, ...textOf([plainSpan(name)], page) });
    for (const block of own) blocks.push(block);
  }
  for (const kind of unreadParts(source, xlsxKinds)) unread.add(kind);
  return { title: null, language: null, pages, blocks, unread: unread.kinds() };
}

/** Returns the id of the reference to the sheet's part: `r:id`, not the `sheetId` beside it. */
const referenceOf = (element: XmlElement): string | undefined =>
  element.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;

function blocksOf(
  source: Package,
  name: string,
  part: Uint8Array,
  page: number,
  context: SheetContext,
  unread: Unread,
): DocBlock[] {
  const relations = source.relationshipsOf(name);
  const isSheet = relations.length === 0 || /worksheet/.test(source.contentTypeOf(name));
  const sheet = isSheet ? readSheet(part, context) : null;
  if (sheet?.lacksResults) unread.add('formulas without results');
  if (sheet?.hidden.rows) unread.add('hidden rows');
  if (sheet?.hidden.columns) unread.add('hidden columns');
  const targets = new Map(
    relations.map(({ id, target, external }) => [id, external ? target : '']),
  );
  const hrefOf = (cell: SheetCell): string | null => {
    const place = sheet?.at(cell.row, cell.column);
    const link = place && sheet?.links.get(`${place.row} ${place.column}`);
    if (!link) return null;
    const target = link.id === null ? `#${link.location ?? ''}` : (targets.get(link.id) ?? '');
    return target.length < 2 || isActive(target) ? null : target;
  };
  const tables = islandsOf(sheet?.cells ?? []).map((cells): DocBlock => {
    context.budget.block();
    const block = blockOf(cells, page, hrefOf);
    return block.at && sheet ? { ...block, at: sheet.at(block.at.row, block.at.column) } : block;
  });
  const printed = (sheet?.furniture ?? []).map(
    ({ role, text }): DocBlock => ({ role, ...textOf([plainSpan(text)], page) }),
  );
  return [
    ...printed,
    ...tables,
    ...drawingsOf(source, name, page, context.budget),
    ...commentsOf(source, name, page),
  ];
}

/** Returns the table of an island of cells, or a paragraph if the island is a single cell. */
function blockOf(
  cells: readonly SheetCell[],
  page: number,
  hrefOf: (cell: SheetCell) => string | null,
): DocBlock {
  const spanOf = (cell: SheetCell) => ({ text: cell.text, marks: [], href: hrefOf(cell) });
  const [only] = cells;
  if (cells.length === 1 && only) {
    const at = { row: only.row, column: only.column };
    return { role: 'paragraph', ...textOf([spanOf(only)], page), at };
  }
  const least = (of: (cell: SheetCell) => number): number =>
    cells.reduce((min, cell) => Math.min(min, of(cell)), Number.POSITIVE_INFINITY);
  const most = (of: (cell: SheetCell) => number): number =>
    cells.reduce((max, cell) => Math.max(max, of(cell)), 0);
  const top = least(({ row }) => row);
  const left = least(({ column }) => column);
  const ordered = cells.toSorted((a, b) => a.row - b.row || a.column - b.column);
  return {
    role: 'table',
    rows: most(({ lastRow }) => lastRow) - top + 1,
    columns: most(({ lastColumn }) => lastColumn) - left + 1,
    cells: ordered.map((cell): Cell => {
      const span = spanOf(cell);
      return {
        row: cell.row - top,
        column: cell.column - left,
        rowSpan: cell.lastRow - cell.row + 1,
        columnSpan: cell.lastColumn - cell.column + 1,
        header: cell.row === top,
        text: cell.text,
        ...(span.href === null ? {} : { spans: [span] }),
        box: null,
      };
    }),
    caption: null,
    ...origin(page),
    at: { row: top, column: left },
  };
}
