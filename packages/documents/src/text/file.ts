import type { DocBlock } from '../normalize/document.ts';
import { readFileAsDocument } from '../normalize/kinds/index.ts';

/**
 * Returns the text of a file without pages, by the number of the sheet or slide. Other files have
 * number 1.
 */
export async function textsByPage(path: string, mime: string): Promise<Map<number, string[]>> {
  const { pages, blocks, title } = await readFileAsDocument(path, mime);
  const texts = new Map<number, string[]>(pages.map(({ page }) => [page, []]));
  if (title !== null) texts.get(1)?.push(title);
  for (const block of blocks) {
    const pageTexts = texts.get(block.page) ?? texts.get(1);
    for (const text of textsOf(block)) pageTexts?.push(text);
  }
  return texts;
}

function textsOf(block: DocBlock): string[] {
  if (block.role === 'picture') return block.alt === null ? [] : [block.alt];
  if (block.role !== 'table') return [block.text];
  const caption = block.caption === null ? [] : [block.caption];
  return [...caption, ...block.cells.map(({ text }) => text)];
}
