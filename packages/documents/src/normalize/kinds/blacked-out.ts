import { blackBox } from '../../redact/kinds/redact.ts';
import type { Cell, DocBlock, NormalDocument, Span } from '../document.ts';

/** The mark that replaces a black box. It tells language models that text was removed there. */
const redactedMark = '[REDACTED]';

/** Returns a document with marks in place of black boxes, which models do not understand. */
export function replaceBlackBoxes(document: NormalDocument): NormalDocument {
  return {
    ...document,
    title: replaceInNullable(document.title),
    pages: document.pages.map((page) => ({ ...page, name: replaceInNullable(page.name) })),
    blocks: document.blocks.map(replaceInBlock),
  };
}

const replaceIn = (text: string): string => text.replaceAll(blackBox, redactedMark);
const replaceInNullable = (text: string | null): string | null =>
  text === null ? null : replaceIn(text);

const replaceInSpans = (spans: readonly Span[]): Span[] =>
  spans.map((span) => ({
    ...span,
    text: replaceIn(span.text),
    href: replaceInNullable(span.href),
  }));

function replaceInCell({ spans, ...cell }: Cell): Cell {
  return {
    ...cell,
    text: replaceIn(cell.text),
    ...(spans ? { spans: replaceInSpans(spans) } : {}),
  };
}

function replaceInBlock(block: DocBlock): DocBlock {
  if (block.role === 'picture') {
    const { written = null } = block;
    return { ...block, alt: replaceInNullable(block.alt), written: replaceInNullable(written) };
  }
  if (block.role !== 'table') {
    return { ...block, text: replaceIn(block.text), spans: replaceInSpans(block.spans) };
  }
  return {
    ...block,
    caption: replaceInNullable(block.caption),
    cells: block.cells.map(replaceInCell),
  };
}
