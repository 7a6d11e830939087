import { EngineError } from '../../../errors.ts';
import { isActive } from '../../../files/links.ts';
import { numberFormatsOf } from '../../../files/number-formats.ts';
import { type Package, readPackage } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
} from '../../../files/xml.ts';
import type { Cell, DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, origin, plainSpan, textOf } from '../build.ts';
import { chartOf } from '../chart.ts';
import { islandsOf } from './islands.ts';
import { readSheet, readStrings, type Sheet, type SheetCell, type SheetContext } from './sheet.ts';

const maxSheets = 2000;

/**
 * A workbook (ECMA-376): one page per sheet, with its name as a heading, its tables apart from each
 * other, and values as they are displayed. Hidden sheets are pages without blocks, because readers of
 * the file do not see them either. Throws EngineError.
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
  const from1904 = properties && attributeValue(properties, 'date1904');
  const context: SheetContext = {
    strings: readStrings(related('sharedStrings')),
    formats: numberFormatsOf(styles && parseXml(styles)),
    from1904: from1904 === '1' || from1904 === 'true',
    budget: createBudget(),
  };
  const list = childOf(workbook, 'sheets');
  const sheets = list ? elementsOf(list).filter(({ local }) => local === 'sheet') : [];
  if (sheets.length === 0) throw new EngineError('damaged', 'The workbook has no sheets.');
  if (sheets.length > maxSheets) {
    throw new EngineError('too_large', `The workbook has more than ${maxSheets} sheets.`);
  }
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  for (const [index, element] of sheets.entries()) {
    const page = index + 1;
    const name = attributeValue(element, 'name') ?? '';
    pages.push({ page, widthPt: null, heightPt: null, name });
    const relation = relations.find(({ id }) => id === referenceOf(element));
    const part = relation && !relation.external ? source.parts.get(relation.target) : undefined;
    const isHidden = /hidden/i.test(attributeValue(element, 'state') ?? '');
    if (!relation || !part || isHidden) continue;
    const own = blocksOf(source, relation.target, part, page, context);
    if (own.length === 0) continue;
    if (name !== '') blocks.push({ role: 'heading', level: 2, ...textOf([plainSpan(name)], page) });
    for (const block of own) blocks.push(block);
  }
  return { title: null, language: null, pages, blocks };
}

/** The id of the sheet's part: `r:id`, beside its own `sheetId`. */
const referenceOf = (element: XmlElement): string | undefined =>
  element.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;

function blocksOf(
  source: Package,
  name: string,
  part: Uint8Array,
  page: number,
  context: SheetContext,
): DocBlock[] {
  const relations = source.relationshipsOf(name);
  const isSheet = relations.length === 0 || /worksheet/.test(source.contentTypeOf(name));
  const sheet: Sheet = isSheet ? readSheet(part, context) : { cells: [], links: new Map() };
  const targets = new Map(
    relations.map(({ id, target, external }) => [id, external ? target : '']),
  );
  const hrefOf = ({ row, column }: SheetCell): string | null => {
    const link = sheet.links.get(`${row} ${column}`);
    if (!link) return null;
    const target = link.id === null ? `#${link.location ?? ''}` : (targets.get(link.id) ?? '');
    return target.length < 2 || isActive(target) ? null : target;
  };
  const tables = islandsOf(sheet.cells).map((cells): DocBlock => {
    context.budget.block();
    return blockOf(cells, page, hrefOf);
  });
  return [...tables, ...drawingsOf(source, name, page, context.budget)];
}

/** A table from an island of cells; text if it has a single cell. */
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

/** Pictures on a sheet, and charts as tables. */
function drawingsOf(
  source: Package,
  name: string,
  page: number,
  budget: SheetContext['budget'],
): DocBlock[] {
  const relation = source.relationshipsOf(name).find((one) => one.kind === 'drawing');
  const part = relation && !relation.external ? source.parts.get(relation.target) : undefined;
  if (!part) return [];
  const drawings: DocBlock[] = [];
  walk(parseXml(part), (element) => {
    if (element.local !== 'pic' && element.local !== 'graphicFrame') return;
    let alt: string | null = null;
    let chart: DocBlock | null = null;
    walk(element, (inner) => {
      if (inner.local === 'cNvPr') alt ??= attributeValue(inner, 'descr') || null;
      if (inner.local === 'chart' && relation) {
        chart ??= chartOf(source, relation.target, inner, budget, page);
      }
    });
    drawings.push(chart ?? { role: 'picture', alt, ...origin(page) });
  });
  return drawings;
}
