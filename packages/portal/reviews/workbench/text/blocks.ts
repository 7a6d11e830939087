import type { ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';

/** A piece of text in the scrolled area. */
export interface Block {
  page: number;
  piece: number;
  /** Its first character in the text of the page. */
  start: number;
  /** The first character after it. */
  end: number;
  layout: NonNullable<ReviewPageRecord['text']>['layout'];
  /** Its top, in pixels: estimated until it is drawn and measured. */
  top: number;
  height: number;
}

export const keyOf = ({ page, piece }: Pick<Block, 'page' | 'piece'>): string => `${page}:${piece}`;

/** Height of a line, in pixels, and the number of characters that fit into it. */
const lineHeight = 24;
const charactersPerLine = 90;
const headHeight = 40;

/** Places the pieces of all pages one below the other; invisible content comes last. */
export function blocksOf(
  pages: readonly ReviewPageRecord[],
  measuredHeights: ReadonlyMap<string, number>,
): { blocks: Block[]; height: number } {
  const blocks: Block[] = [];
  let top = 0;
  const invisiblePages = pages.filter(({ page }) => page === 0);
  for (const { page, text } of [...pages.filter((one) => one.page !== 0), ...invisiblePages]) {
    if (!text) continue;
    const { layout, characters, pieces } = text;
    pieces.forEach(({ start, lines }, piece) => {
      const end = pieces[piece + 1]?.start ?? characters;
      const lineCount =
        layout === 'lines' ? Math.max(lines, (end - start) / charactersPerLine) : lines;
      const estimate = Math.max(1, lineCount) * lineHeight + (piece === 0 ? headHeight : 0);
      const height = measuredHeights.get(keyOf({ page, piece })) ?? estimate;
      blocks.push({ page, piece, start, end, layout, top, height });
      top += height;
    });
  }
  return { blocks, height: top };
}

/** Returns the index of the first block that ends below `y`. */
export function blockIndexAt(blocks: readonly Block[], y: number): number {
  const at = blocks.findIndex(({ top, height }) => top + height > y);
  return at < 0 ? Math.max(0, blocks.length - 1) : at;
}

/** Returns the block that contains a character of a page. */
export const blockContaining = (
  blocks: readonly Block[],
  page: number,
  offset: number,
): Block | undefined =>
  blocks.find(
    (one) =>
      one.page === page && one.start <= offset && (offset < one.end || one.end === one.start),
  );
