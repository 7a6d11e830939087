import { columnName } from '@scriptorium/contracts/documents/shown-text';
import { EngineError } from '@scriptorium/sandbox/errors';
import {
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import { maxPages } from '../../../limits.ts';
import type { Cell, DocBlock, NormalDocument } from '../../document.ts';
import {
  createBudget,
  firstHeading,
  flatten,
  onePage,
  origin,
  plainSpan,
  toTextFields,
  withLevels,
} from '../build-blocks.ts';
import { type PositionedItem, sortInReadingOrder } from '../pptx/reading-order.ts';
import { cellGroupsOf } from '../xlsx/cell-groups.ts';
import { withoutHidden } from '../xlsx/hidden.ts';
import { readBlocks, readFrame, readNotes } from './blocks.ts';
import { type OdfContext, openOdf } from './context.ts';
import { gridOf, hiddenRanges, valueOfCell } from './tables.ts';

/**
 * Reads a text document in OpenDocument (ODF 1.3), with its notes and comments at the end. Throws
 * EngineError.
 */
export function readOdt(bytes: Uint8Array): NormalDocument {
  const { context, content, title, language, furniture } = openDocument(bytes, 'text');
  const bodyBlocks = withLevels([...readBlocks(content, context), ...readNotes(context)]);
  return {
    title: title ?? firstHeading(bodyBlocks, 1),
    language,
    pages: onePage,
    blocks: [
      ...furnitureOf(furniture, 'header', context),
      ...bodyBlocks,
      ...furnitureOf(furniture, 'footer', context),
    ],
    unread: context.unread.kinds(),
  };
}

/** Returns the headers or footers of pages, each text once. */
function furnitureOf(
  furniture: ReturnType<typeof openOdf>['furniture'],
  wanted: 'header' | 'footer',
  context: OdfContext,
): DocBlock[] {
  const role = wanted === 'header' ? 'page_header' : 'page_footer';
  const found = new Map<string, DocBlock>();
  for (const { kind, content } of furniture) {
    if (kind !== wanted || attributeValue(content, 'display') === 'false') continue;
    for (const block of readBlocks(content, context)) {
      const text = toTextFields(flatten([block]));
      if (text.text !== '') found.set(text.text, { role, ...text });
    }
  }
  return [...found.values()];
}

/**
 * Reads a workbook in OpenDocument with one page per sheet and separate tables. Hidden sheets, rows
 * and columns are left out and reported. Throws EngineError.
 */
export function readOds(bytes: Uint8Array): NormalDocument {
  const { context, content, title, language } = openDocument(bytes, 'spreadsheet');
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  for (const sheet of pagesOf(content, 'table')) {
    context.page = pages.length + 1;
    const name = attributeValue(sheet, 'name') ?? '';
    pages.push({ page: context.page, widthPt: null, heightPt: null, name });
    if (context.styles.hidesPage(attributeValue(sheet, 'style-name'))) {
      context.unread.add('hidden sheets');
      continue;
    }
    const sheetBlocks = [...readSheet(sheet, context), ...readNotes(context)];
    if (sheetBlocks.length === 0) continue;
    if (name !== '')
      blocks.push({ role: 'heading', level: 2, ...toTextFields([plainSpan(name)], context.page) });
    for (const block of sheetBlocks) blocks.push(block);
  }
  return { title, language, pages, blocks, unread: context.unread.kinds() };
}

function readSheet(sheet: XmlElement, context: OdfContext): DocBlock[] {
  const comments: DocBlock[] = [];
  const grid = gridOf(sheet).flatMap(({ row, column, rowSpan, columnSpan, element }) => {
    context.budget.countCell();
    const blocks = readBlocks(element, context);
    const text = toTextFields(flatten(blocks)).text || valueOfCell(element);
    comments.push(...commentsOf(element, row, column, context));
    if (text === '') return [];
    const lastRow = row + rowSpan - 1;
    return [{ row, column, lastRow, lastColumn: column + columnSpan - 1, text }];
  });
  const hidden = hiddenRanges(sheet);
  const visible = withoutHidden(grid, hidden.rows, hidden.columns);
  if (visible.hidden.rows) context.unread.add('hidden rows');
  if (visible.hidden.columns) context.unread.add('hidden columns');
  const tables = cellGroupsOf(visible.cells).map((group): DocBlock => {
    context.budget.countBlock();
    const top = Math.min(...group.slice(0, 1000).map(({ row }) => row), group[0]?.row ?? 0);
    const left = group.reduce((min, { column }) => Math.min(min, column), Number.POSITIVE_INFINITY);
    const [only] = group;
    if (group.length === 1 && only) {
      const at = visible.sheetPosition(only.row, only.column);
      return { role: 'paragraph', ...toTextFields([plainSpan(only.text)], context.page), at };
    }
    const first = group.reduce((min, { row }) => Math.min(min, row), top);
    return {
      role: 'table',
      rows: group.reduce((max, { lastRow }) => Math.max(max, lastRow), 0) - first + 1,
      columns: group.reduce((max, { lastColumn }) => Math.max(max, lastColumn), 0) - left + 1,
      cells: group
        .toSorted((a, b) => a.row - b.row || a.column - b.column)
        .map(
          (cell): Cell => ({
            row: cell.row - first,
            column: cell.column - left,
            rowSpan: cell.lastRow - cell.row + 1,
            columnSpan: cell.lastColumn - cell.column + 1,
            header: cell.row === first,
            text: cell.text,
            box: null,
          }),
        ),
      caption: null,
      ...origin(context.page),
      at: visible.sheetPosition(first, left),
    };
  });
  const drawings = elementsOf(childOf(sheet, 'shapes')).flatMap((one) =>
    readFrame(one, context, 1),
  );
  return [...tables, ...drawings, ...comments];
}

/**
 * Returns the comments on a cell, each as a quote with its position and author, as for other kinds
 * of workbooks.
 */
function commentsOf(
  cell: XmlElement,
  row: number,
  column: number,
  context: OdfContext,
): DocBlock[] {
  return elementsOf(cell)
    .filter(({ local }) => local === 'annotation')
    .flatMap((comment): DocBlock[] => {
      const commentText = toTextFields(flatten(readBlocks(comment, context))).text;
      const creator = childOf(comment, 'creator');
      const author = creator ? xmlText(creator).trim() : '';
      const prefix = [`${columnName(column + 1)}${row + 1}`, author].filter(Boolean).join(', ');
      if (commentText === '') return [];
      const text = toTextFields([plainSpan(`${prefix}: ${commentText}`)], context.page);
      return [{ role: 'quote', ...text, at: { row, column } }];
    });
}

/**
 * Reads a presentation in OpenDocument: one page per slide, followed by its notes. Throws
 * EngineError.
 */
export function readOdp(bytes: Uint8Array): NormalDocument {
  const { context, content, title, language } = openDocument(bytes, 'presentation');
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  for (const slide of pagesOf(content, 'page')) {
    context.page = pages.length + 1;
    pages.push({ page: context.page, widthPt: null, heightPt: null, name: null });
    if (context.styles.hidesPage(attributeValue(slide, 'style-name'))) {
      context.unread.add('hidden slides');
      continue;
    }
    blocks.push(...readSlide(slide, context));
    const notes = childOf(slide, 'notes');
    const noteFrames = elementsOf(notes).filter((one) => classOf(one) === 'notes');
    const noteBlocks = noteFrames.flatMap((frame) => readFrame(frame, context, 1));
    if (noteBlocks.length > 0) {
      blocks.push(
        { role: 'heading', level: 3, ...toTextFields([plainSpan('Notes')], context.page) },
        ...noteBlocks,
      );
    }
    blocks.push(...readNotes(context));
  }
  return {
    title: title ?? firstHeading(blocks),
    language,
    pages,
    blocks,
    unread: context.unread.kinds(),
  };
}

function readSlide(slide: XmlElement, context: OdfContext): DocBlock[] {
  const titles: DocBlock[] = [];
  const otherFrames: PositionedItem<DocBlock[]>[] = [];
  for (const frame of elementsOf(slide)) {
    if (frame.local === 'notes') continue;
    const blocks = readFrame(frame, context, 1);
    if (classOf(frame) === 'title') {
      const text = toTextFields(flatten(blocks), context.page);
      const spans = text.spans.map((span) => ({ ...span, text: span.text.replace(/\n/g, ' ') }));
      if (text.text !== '')
        titles.push({ role: 'heading', level: 2, ...toTextFields(spans, context.page) });
    } else if (blocks.length > 0) otherFrames.push({ frame: frameOf(frame), item: blocks });
  }
  return [...titles, ...sortInReadingOrder(otherFrames).flat()];
}

const classOf = (frame: XmlElement): string | undefined => attributeValue(frame, 'class');

const units: Readonly<Record<string, number>> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  px: 2.54 / 96,
};

function frameOf(frame: XmlElement): PositionedItem<unknown>['frame'] {
  const length = (name: string): number => {
    const [, number, unit = ''] =
      /^(-?[\d.]+)(cm|mm|in|pt|px)$/.exec(attributeValue(frame, name) ?? '') ?? [];
    return Number(number) * (units[unit] ?? Number.NaN);
  };
  const [x, y, width, height] = [length('x'), length('y'), length('width'), length('height')];
  return [x, y, width, height].every(Number.isFinite) ? [x, y, x + width, y + height] : null;
}

/** Returns the sheets or slides of a file. Throws EngineError. */
function pagesOf(content: XmlElement, local: string): XmlElement[] {
  const found = elementsOf(content).filter((one) => one.local === local);
  if (found.length === 0) throw new EngineError('damaged', 'The file has no pages.');
  if (found.length > maxPages)
    throw new EngineError('too_large', `The file has more than ${maxPages} pages.`);
  return found;
}

/**
 * Returns the number of pages of a file (its sheets or slides, or one for a text), and whether it has
 * digital signatures (ODF 1.3 part 2, 5). Throws EngineError.
 */
export function summariseOdf(
  bytes: Uint8Array,
  kind: 'odt' | 'ods' | 'odp',
): { count: number; signed: boolean } {
  const { body, parts } = openOdf(bytes);
  const signed = parts.has('META-INF/documentsignatures.xml');
  if (kind === 'odt') return { count: 1, signed };
  const [name, local] = kind === 'ods' ? ['spreadsheet', 'table'] : ['presentation', 'page'];
  const content = childOf(body, name);
  if (!content) throw new EngineError('unsupported', 'The file is not of its declared type.');
  return { count: pagesOf(content, local).length, signed };
}

function openDocument(bytes: Uint8Array, kind: 'text' | 'spreadsheet' | 'presentation') {
  const { parts, body, styles, furniture, title, language, unread } = openOdf(bytes);
  const content = childOf(body, kind);
  if (!content) throw new EngineError('unsupported', 'The file is not of its declared type.');
  const context: OdfContext = {
    styles,
    parts,
    page: 1,
    budget: createBudget(),
    notes: [],
    comments: 0,
    unread,
  };
  return { context, content, title, language, furniture };
}
