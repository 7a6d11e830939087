import type { DocBlock } from '../document.ts';
import { blockText, createPrefixer, isFurniture, separatorBetween } from './blocks.ts';

/**
 * Yields a document as Markdown (GFM), in pieces. Headings, lists, tables, code, formulas (`$$…$$`)
 * and footnotes (`[^1]`) use the Markdown syntax for them. A picture is `<!-- image: description
 * -->`. Running headers and footers are left out.
 */
export function* markdownOf(blocks: readonly DocBlock[]): Generator<string> {
  const prefixOf = createPrefixer();
  let before: DocBlock | null = null;
  for (const block of blocks) {
    if (isFurniture(block)) continue;
    const text = blockText(block, prefixOf);
    if (text === '') continue;
    yield before === null ? text : separatorBetween(before, block) + text;
    before = block;
  }
  if (before !== null) yield '\n';
}
