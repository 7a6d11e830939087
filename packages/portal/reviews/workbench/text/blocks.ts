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
const perLine = 90;
const headHeight = 40;

/** Places the pieces of all pages one below the other; invisible content comes last. */
export function blocksOf(
  pages: readonly ReviewPageRecord[],
  measured: ReadonlyMap<string, number>,
): { blocks: Block[]; height: number } {
  const blocks: Block[] = [];
  let top = 0;
  const last = pages.filter(({ page }) => page === 0);
  for (const { page, text } of [...pages.filter((one) => one.page !== 0), ...last]) {
    if (!text) continue;
    const { layout, characters, pieces } = text;
    pieces.forEach(({ start, lines }, piece) => {
      const end = pieces[piece + 1]?.start ?? characters;
      const rows = layout === 'lines' ? Math.max(lines, (end - start) / perLine) : lines;
      const estimate = Math.max(1, rows) * lineHeight + (piece === 0 ? headHeight : 0);
      const height = measured.get(keyOf({ page, piece })) ?? estimate;
      blocks.push({ page, piece, start, end, layout, top, height });
      top += height;
    });
  }
  return { blocks, height: top };
}

/** Returns the first block that ends below a height. */
export function blockAt(blocks: readonly Block[], y: number): number {
  const at = blocks.findIndex(({ top, height }) => top + height > y);
  return at < 0 ? Math.max(0, blocks.length - 1) : at;
}

/** Returns the block with a character of a page. */
export const blockWith = (blocks: readonly Block[], page: number, at: number): Block | undefined =>
  blocks.find(
    (one) => one.page === page && one.start <= at && (at < one.end || one.end === one.start),
  );
