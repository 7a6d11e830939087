import type { DocBlock } from '../document.ts';
import { lettersIn } from '../pages/layout.ts';

/** The minimum share of a page's letters that the Markdown should contain. */
const minShare = 0.9;

function lettersOf(block: DocBlock): number {
  if (block.role === 'table')
    return block.cells.reduce((sum, { text }) => sum + lettersIn(text), 0);
  return 'text' in block ? lettersIn(block.text ?? '') : 0;
}

/**
 * Returns the pages with less than 90% of their text in the Markdown, which excludes running
 * headers and footers.
 */
export function sparsePagesOf(blocks: readonly DocBlock[]): number[] {
  const pages = new Map<number, { total: number; written: number }>();
  for (const block of blocks) {
    const letters = lettersOf(block);
    const sums = pages.get(block.page) ?? { total: 0, written: 0 };
    sums.total += letters;
    if (!block.role.startsWith('page_')) sums.written += letters;
    pages.set(block.page, sums);
  }
  return [...pages]
    .filter(([, { total, written }]) => written < minShare * total)
    .map(([page]) => page);
}
