/* Helpers that build blocks, for readers of all kinds. */
import { EngineError } from '@scriptorium/sandbox/errors';
import type { Cell, DocBlock, Mark, NormalDocument, Span } from '../document.ts';

/** The maximum number of blocks and cells of a document, which fit into the memory of a child. */
const maxBlocks = 400_000;
const maxCells = 1_000_000;

/**
 * The error for a table with too many columns. Ignoring the excess cells would silently lose text.
 */
export const tooManyColumns = (max: number): EngineError =>
  new EngineError('too_large', `A table has more than ${max} columns.`);

type TextFields = { page: number; box: null; confidence: 1; text: string; spans: readonly Span[] };

export const plainSpan = (text: string): Span => ({ text, marks: [], href: null });

/** Whether spans contain only invisible characters, which e-mails use to fill their previews. */
const isFiller = (spans: readonly Span[]): boolean =>
  spans.every(({ text }) => /^[\s\p{Cf}\p{Mn}]*$/u.test(text));

/** Joins spans to the text of a block, without spaces at its start and end. */
export function toTextFields(spans: readonly Span[], page = 1): TextFields {
  const trimmed = isFiller(spans) ? [] : trimSpans(spans);
  return { ...origin(page), text: trimmed.map(({ text }) => text).join(''), spans: trimmed };
}

export const origin = (page = 1): { page: number; box: null; confidence: 1 } => ({
  page,
  box: null,
  confidence: 1,
});

/** Returns spans without spaces at the start and the end. */
export function trimSpans(spans: readonly Span[]): Span[] {
  const out = [...spans];
  while (out.length > 0) {
    const first = out[0]!;
    const text = first.text.trimStart();
    if (text === '') out.shift();
    else {
      if (text !== first.text) out[0] = { ...first, text };
      break;
    }
  }
  while (out.length > 0) {
    const last = out.at(-1)!;
    const text = last.text.trimEnd();
    if (text === '') out.pop();
    else {
      if (text !== last.text) out[out.length - 1] = { ...last, text };
      break;
    }
  }
  return out;
}

/** Appends text with its formatting. Adjacent text with the same formatting is joined. */
export function addSpan(spans: Span[], text: string, marks: readonly Mark[], href: string | null) {
  if (text === '') return;
  const last = spans.at(-1);
  const hasSameStyle =
    last !== undefined &&
    last.href === href &&
    last.marks.length === marks.length &&
    last.marks.every((mark, index) => mark === marks[index]) &&
    !marks.includes('footnote');
  if (hasSameStyle) spans[spans.length - 1] = { ...last, text: last.text + text };
  else spans.push({ text, marks, href });
}

/**
 * Returns the text of a heading without bold and italic, because its level already implies a style.
 */
export const withoutEmphasis = (spans: readonly Span[]): Span[] =>
  spans.map((span) => ({
    ...span,
    marks: span.marks.filter((mark) => mark !== 'bold' && mark !== 'italic'),
  }));

/** The page of a file without pages. */
export const onePage: NormalDocument['pages'] = [
  { page: 1, widthPt: null, heightPt: null, name: null },
];

/**
 * Returns the text of the first heading, optionally of a given level. It is the title of a document
 * that does not declare one.
 */
export function firstHeading(blocks: readonly DocBlock[], level?: number): string | null {
  const isMatch = (block: DocBlock): block is Extract<DocBlock, { role: 'heading' }> =>
    block.role === 'heading' && (level === undefined || block.level === level);
  return blocks.find(isMatch)?.text ?? null;
}

/** Shifts headings up by one level if the document has no title at level 1. Limits levels to 6. */
export function withLevels(blocks: readonly DocBlock[]): DocBlock[] {
  const levels = blocks.flatMap((block) => (block.role === 'heading' ? [block.level] : []));
  const shift = levels.length > 0 && !levels.includes(1) ? 1 : 0;
  return blocks.map((block) =>
    block.role === 'heading' ? { ...block, level: Math.min(6, block.level - shift) } : block,
  );
}

/** Joins blocks to one text for a cell, with one line per block. List items keep their markers. */
export function flatten(blocks: readonly DocBlock[]): Span[] {
  const out: Span[] = [];
  const addLine = (spans: readonly Span[], prefix = ''): void => {
    if (out.length > 0) addSpan(out, '\n', [], null);
    addSpan(out, prefix, [], null);
    for (const { text, marks, href } of spans) addSpan(out, text, marks, href);
  };
  for (const block of blocks) {
    if (block.role === 'picture') {
      if (block.alt) addLine([plainSpan(block.alt)]);
    } else if (block.role === 'table') {
      if (block.caption) addLine([plainSpan(block.caption)]);
      let row = -1;
      for (const cell of block.cells) {
        const spans = cell.spans ?? [plainSpan(cell.text)];
        if (cell.text.trim() === '') continue;
        if (cell.row !== row) addLine(spans);
        else addCell(out, spans);
        row = cell.row;
      }
    } else if (block.role === 'formula')
      addLine([{ text: block.text, marks: ['formula'], href: null }]);
    else if (block.role === 'list_item') {
      const bullet = block.ordered && block.marker !== '-' ? `${block.marker} ` : '- ';
      const task = block.checked === null ? '' : `[${block.checked ? 'x' : ' '}] `;
      addLine(block.spans, bullet + task);
    } else addLine(block.spans);
  }
  return out;
}

/** Appends a further cell of a nested table's row, after a tab. */
function addCell(out: Span[], spans: readonly Span[]): void {
  addSpan(out, '\t', [], null);
  for (const { text, marks, href } of spans) addSpan(out, text, marks, href);
}

/** Returns a table cell with its content. */
export function cellOf(
  position: Pick<Cell, 'row' | 'column' | 'rowSpan' | 'columnSpan' | 'header'>,
  spans: readonly Span[],
): Cell {
  const { text, spans: trimmed } = toTextFields(spans);
  const isPlain = trimmed.every(({ marks, href }) => marks.length === 0 && href === null);
  return { ...position, text, ...(isPlain ? {} : { spans: trimmed }), box: null };
}

/**
 * Returns a table with only its visible columns: those in which a cell begins. Layout grids create
 * other columns, as do cells that span a thousand columns to be as wide as the table.
 */
export function withoutEmptyColumns(cells: readonly Cell[]): { cells: Cell[]; columns: number } {
  const starts = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  const columnIndexes = new Map(starts.map((start, index) => [start, index]));
  /** Returns the number of visible columns that begin before a position. */
  const countColumnsBefore = (column: number): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! < column) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const shifted = cells.map((cell): Cell => {
    const column = columnIndexes.get(cell.column) ?? 0;
    return {
      ...cell,
      column,
      columnSpan: countColumnsBefore(cell.column + cell.columnSpan) - column,
    };
  });
  return { cells: shifted, columns: starts.length };
}

/** Creates a counter that limits the blocks and cells that a reader creates for a file. */
export function createBudget(): { countBlock(): void; countCell(): void } {
  let blocks = 0;
  let cells = 0;
  return {
    countBlock() {
      blocks += 1;
      if (blocks > maxBlocks) {
        throw new EngineError('too_large', `The file has more than ${maxBlocks} paragraphs.`);
      }
    },
    countCell() {
      cells += 1;
      if (cells > maxCells) {
        throw new EngineError(
          'too_large',
          `The file has more than ${maxCells} cells. Split it into smaller files.`,
        );
      }
    },
  };
}
