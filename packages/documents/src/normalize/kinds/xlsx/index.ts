import { EngineError } from '@scriptorium/sandbox/errors';
import { isActiveLink } from '../../../files/links.ts';
import { numberFormatsOf } from '../../../files/number-formats.ts';
import { type Package, readPackage } from '../../../files/opc.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import { unreadParts, xlsxKinds } from '../../../files/unread/package.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import type { Cell, DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, origin, plainSpan, toTextFields } from '../build-blocks.ts';
import { cellGroupsOf } from './cell-groups.ts';
import { commentsOf } from './comments.ts';
import { drawingsOf } from './drawings.ts';
import { readSheet, readStrings, type SheetCell, type SheetContext } from './sheet.ts';

const maxSheets = 2000;

/**
 * Reads a workbook (ECMA-376) with one page per sheet: its name as a heading, separate tables,
 * values as displayed, drawings, and comments. Hidden sheets, rows and columns are left out,
 * because readers of the file do not see them, and are reported. Throws EngineError.
 */
export function readXlsx(bytes: Uint8Array): NormalDocument {
  const source = readPackage(bytes);
  const mainRelation = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  const bookBytes = mainRelation && source.parts.get(mainRelation.target);
  if (
    !mainRelation ||
    !bookBytes ||
    !/sheet|excel/.test(source.contentTypeOf(mainRelation.target))
  ) {
    throw new EngineError('unsupported', 'The file is not a workbook.');
  }
  const workbook = parseXml(bookBytes);
  const relations = source.relationshipsOf(mainRelation.target);
  const relatedPart = (kind: string): Uint8Array | undefined => {
    const relation = relations.find((one) => one.kind === kind && !one.external);
    return relation && source.parts.get(relation.target);
  };
  const styles = relatedPart('styles');
  const properties = childOf(workbook, 'workbookPr');
  const date1904 = attributeValue(properties, 'date1904');
  const context: SheetContext = {
    strings: readStrings(relatedPart('sharedStrings')),
    formats: numberFormatsOf(styles && parseXml(styles)),
    uses1904Dates: date1904 === '1' || date1904 === 'true',
    budget: createBudget(),
  };
  const sheets = elementsOf(childOf(workbook, 'sheets')).filter(({ local }) => local === 'sheet');
  if (sheets.length === 0) throw new EngineError('damaged', 'The workbook has no sheets.');
  if (sheets.length > maxSheets) {
    throw new EngineError('too_large', `The workbook has more than ${maxSheets} sheets.`);
  }
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  const unread = createUnreadKinds();
  for (const [index, element] of sheets.entries()) {
    const page = index + 1;
    const name = attributeValue(element, 'name') ?? '';
    pages.push({ page, widthPt: null, heightPt: null, name });
    const relation = relations.find(({ id }) => id === referenceOf(element));
    const part = relation && !relation.external ? source.parts.get(relation.target) : undefined;
    const isHidden = /hidden/i.test(attributeValue(element, 'state') ?? '');
    if (isHidden && part) unread.add('hidden sheets');
    if (!relation || !part || isHidden) continue;
    const sheetBlocks = blocksOf(source, relation.target, part, page, context, unread);
    if (sheetBlocks.length === 0) continue;
    if (name !== '')
      blocks.push({ role: 'heading', level: 2, ...toTextFields([plainSpan(name)], page) });
    for (const block of sheetBlocks) blocks.push(block);
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
  unread: UnreadKinds,
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
    const position = sheet?.sheetPosition(cell.row, cell.column);
    const link = position && sheet?.links.get(`${position.row} ${position.column}`);
    if (!link) return null;
    const target = link.id === null ? `#${link.location ?? ''}` : (targets.get(link.id) ?? '');
    return target.length < 2 || isActiveLink(target) ? null : target;
  };
  const tables = cellGroupsOf(sheet?.cells ?? []).map((cells): DocBlock => {
    context.budget.countBlock();
    const block = blockOf(cells, page, hrefOf);
    return block.at && sheet
      ? { ...block, at: sheet.sheetPosition(block.at.row, block.at.column) }
      : block;
  });
  const furnitureBlocks = (sheet?.furniture ?? []).map(
    ({ role, text }): DocBlock => ({ role, ...toTextFields([plainSpan(text)], page) }),
  );
  return [
    ...furnitureBlocks,
    ...tables,
    ...drawingsOf(source, name, page, context.budget),
    ...commentsOf(source, name, page),
  ];
}

/** Returns the table of a group of cells, or a paragraph if the group is a single cell. */
function blockOf(
  cells: readonly SheetCell[],
  page: number,
  hrefOf: (cell: SheetCell) => string | null,
): DocBlock {
  const spanOf = (cell: SheetCell) => ({ text: cell.text, marks: [], href: hrefOf(cell) });
  const [only] = cells;
  if (cells.length === 1 && only) {
    const at = { row: only.row, column: only.column };
    return { role: 'paragraph', ...toTextFields([spanOf(only)], page), at };
  }
  const minOf = (select: (cell: SheetCell) => number): number =>
    cells.reduce((min, cell) => Math.min(min, select(cell)), Number.POSITIVE_INFINITY);
  const maxOf = (select: (cell: SheetCell) => number): number =>
    cells.reduce((max, cell) => Math.max(max, select(cell)), 0);
  const top = minOf(({ row }) => row);
  const left = minOf(({ column }) => column);
  const ordered = cells.toSorted((a, b) => a.row - b.row || a.column - b.column);
  return {
    role: 'table',
    rows: maxOf(({ lastRow }) => lastRow) - top + 1,
    columns: maxOf(({ lastColumn }) => lastColumn) - left + 1,
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
