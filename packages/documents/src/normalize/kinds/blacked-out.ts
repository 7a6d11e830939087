import { blackBox } from '../../redact/kinds/redact.ts';
import type { Cell, DocBlock, NormalDocument, Span } from '../document.ts';

/** The mark that replaces a black box, so that models also see that text was removed there. */
const mark = '[REDACTED]';

/** Returns a document with marks in place of its black boxes, which models do not understand. */
export function withMarks(document: NormalDocument): NormalDocument {
  return {
    ...document,
    title: nullable(document.title),
    pages: document.pages.map((page) => ({ ...page, name: nullable(page.name) })),
    blocks: document.blocks.map(blockOf),
  };
}

const marked = (text: string): string => text.replaceAll(blackBox, mark);
const nullable = (text: string | null): string | null => (text === null ? null : marked(text));

const spansOf = (spans: readonly Span[]): Span[] =>
  spans.map((span) => ({ ...span, text: marked(span.text), href: nullable(span.href) }));

function cellOf({ spans, ...cell }: Cell): Cell {
  return { ...cell, text: marked(cell.text), ...(spans ? { spans: spansOf(spans) } : {}) };
}

function blockOf(block: DocBlock): DocBlock {
  if (block.role === 'picture') {
    const { written = null } = block;
    return { ...block, alt: nullable(block.alt), written: nullable(written) };
  }
  if (block.role !== 'table') {
    return { ...block, text: marked(block.text), spans: spansOf(block.spans) };
  }
  return { ...block, caption: nullable(block.caption), cells: block.cells.map(cellOf) };
}
