import type { Box } from '../../../results.ts';
import type { Span } from '../../document.ts';
import { type LayoutBlock, type LayoutLine, type PageLayout, textOf } from '../layout.ts';

export type TextBlock = Extract<LayoutBlock, { kind: 'text' }>;
export type TableBlock = Extract<LayoutBlock, { kind: 'table' }>;

/** What a block of text turned out to be. */
export type Role =
  | 'heading'
  | 'paragraph'
  | 'list_item'
  | 'caption'
  | 'footnote'
  | 'code'
  | 'formula'
  | 'page_header'
  | 'page_footer';

/** A block on its way into the document, with what its role is decided by. */
export type Draft = {
  page: PageLayout;
  block: LayoutBlock;
  /** Of a block of text; what a table or picture has is left alone. */
  role: Role;
  /** Of headings 1 to 6, of list items from 0. */
  level: number;
  /** Lines run together, blanks single. */
  text: string;
  size: number;
  bold: boolean;
  /** An entry of a table of contents. */
  entry?: boolean;
  /** The level that the document's outline gives it, where it has it. */
  outlined?: number | undefined;
};

/** Size of most of a block's letters, rounded to halves of a point; 0 for what is no text. */
function sizeOf(block: LayoutBlock): number {
  if (block.kind !== 'text') return 0;
  const letters = new Map<number, number>();
  let [best, most] = [0, 0];
  for (const line of block.lines) {
    const size = Math.round(line.size * 2) / 2;
    const count = (letters.get(size) ?? 0) + textOf(line).length;
    letters.set(size, count);
    if (count > most) [best, most] = [size, count];
  }
  return best;
}

export function draftOf(page: PageLayout, block: LayoutBlock): Draft {
  const isText = block.kind === 'text';
  const text = isText ? block.lines.map(textOf).join(' ').replace(/\s+/g, ' ').trim() : '';
  const bold = isText && block.lines.every((line) => line.bold);
  return { page, block, role: 'paragraph', level: 0, text, size: sizeOf(block), bold };
}

export const isText = (draft: Draft): draft is Draft & { block: TextBlock } =>
  draft.block.kind === 'text';

/** A block of lines, in the place of another. */
export function blockOf(lines: readonly LayoutLine[], like: TextBlock): TextBlock {
  const box = lines.map((line) => line.box).reduce(hullOf, lines[0]?.box ?? like.box);
  return { ...like, lines: [...lines], box };
}

/** The smallest box around two. */
function hullOf(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Spans that are set alike are one; none is empty. */
export function tidy(spans: readonly Span[]): Span[] {
  const tidied: { text: string; marks: Span['marks']; href: string | null }[] = [];
  for (const span of spans) {
    if (span.text === '') continue;
    const last = tidied.at(-1);
    if (last && last.href === span.href && last.marks.join() === span.marks.join()) {
      last.text += span.text;
    } else tidied.push({ ...span });
  }
  return tidied;
}
