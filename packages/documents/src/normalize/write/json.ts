import type { Cell, DocBlock, NormalDocument, Span } from '../document.ts';

/** The version of the format. It increases with each change that readers must handle. */
const version = 1;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Returns the spans of formatted text. Plain text has no spans. */
const spansOf = (spans: readonly Span[]): object[] =>
  spans.every(({ marks, href }) => marks.length === 0 && href === null)
    ? []
    : spans.map(({ text, marks, href }) => ({ text, marks, href }));

const cellOf = (cell: Cell): object => ({
  row: cell.row,
  column: cell.column,
  row_span: cell.rowSpan,
  column_span: cell.columnSpan,
  header: cell.header,
  text: cell.text,
  spans: spansOf(cell.spans ?? []),
  box: cell.box?.map(round) ?? null,
});

function blockOf(block: DocBlock, id: number): object {
  const { role, page } = block;
  const origin = {
    id,
    role,
    page,
    box: block.box?.map(round) ?? null,
    confidence: Math.round(block.confidence * 1e3) / 1e3,
  };
  if (role === 'table') {
    const { caption, rows, columns } = block;
    return { ...origin, caption, rows, columns };
  }
  if (role === 'picture') return { ...origin, alt: block.alt, text: block.written ?? null };
  const text = { ...origin, text: block.text, spans: spansOf(block.spans) };
  if (role === 'heading') return { ...text, level: block.level };
  if (role === 'footnote') return { ...text, label: block.label };
  if (role === 'code') return { ...text, language: block.language };
  if (role === 'list_item') {
    const { level, marker, ordered, checked } = block;
    return { ...text, level, marker, ordered, checked };
  }
  return text;
}

/**
 * Yields a complete document as JSON, in pieces: `{version, title, language, pages, blocks}`, with
 * one block per line. Every block has `id` (its index, from 0), `role`, `page`, `box` (in points of
 * the page as displayed, `[x0, y0, x1, y1]`, or null) and `confidence`. Running text has `text` and
 * `spans` (empty for plain text). Other fields are those of `DocBlock` for the role, in snake_case.
 */
export function* jsonOf({ title, language, pages, blocks }: NormalDocument): Generator<string> {
  const list = pages.map(({ page, widthPt, heightPt, name }) => {
    return { page, width: widthPt, height: heightPt, name };
  });
  const head = JSON.stringify({ version, title, language, pages: list });
  yield `${head.slice(0, -1)},"blocks":[`;
  for (const [id, block] of blocks.entries()) {
    const json = JSON.stringify(blockOf(block, id));
    const start = id === 0 ? '\n' : ',\n';
    if (block.role !== 'table') yield start + json;
    else {
      yield `${start}${json.slice(0, -1)},"cells":[`;
      for (const [at, cell] of block.cells.entries()) {
        yield (at === 0 ? '' : ',') + JSON.stringify(cellOf(cell));
      }
      yield ']}';
    }
  }
  yield ']}\n';
}
