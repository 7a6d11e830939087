import { lettersIn, type PageLayout } from '../layout.ts';
import type { BlockDraft } from './block-draft.ts';

/** The minimum share of a page's letters that the Markdown should contain. */
const minShare = 0.9;

/**
 * Returns the number of letters of a block in the Markdown. Running lines and the text in pictures
 * are only in JSON.
 */
function lettersInMarkdown({ block, role, text }: BlockDraft): number {
  if (block.kind === 'picture' || role.startsWith('page_')) return 0;
  if (block.kind === 'text') return lettersIn(text);
  return block.cells.reduce((sum, cell) => sum + lettersIn(cell.text), 0);
}

/** Returns the pages with less than 90% of their text in the Markdown. */
export function sparsePages(
  layouts: readonly PageLayout[],
  drafts: readonly BlockDraft[],
): number[] {
  const lettersByPage = new Map<number, number>();
  for (const draft of drafts) {
    const { page } = draft.page;
    lettersByPage.set(page, (lettersByPage.get(page) ?? 0) + lettersInMarkdown(draft));
  }
  return layouts
    .filter(({ page, letters }) => (lettersByPage.get(page) ?? 0) < minShare * letters)
    .map(({ page }) => page);
}
