import { hull } from '../../../geometry.ts';
import type { Span } from '../../document.ts';
import { type LayoutBlock, type LayoutLine, type PageLayout, textOf } from '../layout.ts';

export type TextBlock = Extract<LayoutBlock, { kind: 'text' }>;
export type TableBlock = Extract<LayoutBlock, { kind: 'table' }>;

/** The role of a block of text. */
type Role =
  | 'heading'
  | 'paragraph'
  | 'list_item'
  | 'caption'
  | 'footnote'
  | 'code'
  | 'formula'
  | 'page_header'
  | 'page_footer';

/** A block that is being processed, with the data that determines its role. */
export type BlockDraft = {
  page: PageLayout;
  block: LayoutBlock;
  /** The role of a text block. Tables and pictures keep their kind. */
  role: Role;
  /** 1 to 6 for headings; from 0 for list items. */
  level: number;
  /** The text of all lines, with single spaces. */
  text: string;
  size: number;
  bold: boolean;
  /** Whether the block is an entry of a table of contents. */
  isEntry?: boolean;
  /** The level in the document's outline; undefined if it is not in the outline. */
  outlineLevel?: number | undefined;
  /** The level in the document's tags; undefined if the tags are not trusted. */
  tagLevel?: number | undefined;
};

/** Returns the size of most letters, rounded to half a point; 0 for blocks without text. */
function sizeOf(block: LayoutBlock): number {
  if (block.kind !== 'text') return 0;
  const letters = new Map<number, number>();
  let [best, max] = [0, 0];
  for (const line of block.lines) {
    const size = Math.round(line.size * 2) / 2;
    const count = (letters.get(size) ?? 0) + textOf(line).length;
    letters.set(size, count);
    if (count > max) [best, max] = [size, count];
  }
  return best;
}

export function draftOf(page: PageLayout, block: LayoutBlock): BlockDraft {
  const isText = block.kind === 'text';
  const text = isText ? block.lines.map(textOf).join(' ').replace(/\s+/g, ' ').trim() : '';
  const bold = isText && block.lines.every((line) => line.bold);
  return { page, block, role: 'paragraph', level: 0, text, size: sizeOf(block), bold };
}

export const isText = (draft: BlockDraft): draft is BlockDraft & { block: TextBlock } =>
  draft.block.kind === 'text';

/** Returns a block of some lines, with the other properties of a given block. */
export function blockOf(lines: readonly LayoutLine[], template: TextBlock): TextBlock {
  const box = hull(lines.map((line) => line.box)) ?? template.box;
  return { ...template, lines: [...lines], box };
}

const hasSameMarks = (a: Span['marks'], b: Span['marks']): boolean =>
  a.length === b.length && a.every((mark, at) => mark === b[at]);

/** Joins spans with the same formatting and removes empty ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: { text: string; marks: Span['marks']; href: string | null }[] = [];
  for (const span of spans) {
    if (span.text === '') continue;
    const last = merged.at(-1);
    if (last && last.href === span.href && hasSameMarks(last.marks, span.marks)) {
      last.text += span.text;
    } else merged.push({ ...span });
  }
  return merged;
}
