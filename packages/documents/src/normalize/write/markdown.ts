import type { DocBlock } from '../document.ts';
import { between, blockText, createLeads, isFurniture } from './blocks.ts';

/**
 * Yields a document as Markdown (GFM), in pieces: a heading, list, table, code, formula (`$$…$$`),
 * footnote (`[^1]`) each as such; a picture as `<!-- image: what it shows -->`. Running headers and
 * footers are left out.
 */
export function* markdownOf(blocks: readonly DocBlock[]): Generator<string> {
  const lead = createLeads();
  let before: DocBlock | null = null;
  for (const block of blocks) {
    if (isFurniture(block)) continue;
    const text = blockText(block, lead);
    if (text === '') continue;
    yield before === null ? text : between(before, block) + text;
    before = block;
  }
  if (before !== null) yield '\n';
}
