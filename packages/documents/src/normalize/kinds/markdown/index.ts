import { decode } from '../../../files/encoding/index.ts';
import { parseMarkdown } from '../../../files/markdown/tree.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, onePage } from '../build-blocks.ts';
import { readTree } from './blocks.ts';

/**
 * Reads Markdown (CommonMark with GitHub's additions, and formulas between `$`) as blocks. Of the
 * front matter, only the title is kept. Throws EngineError.
 */
export function readMarkdown(bytes: Uint8Array): NormalDocument {
  const { text } = decode(bytes);
  const [frontMatter = ''] =
    /^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const declaredTitle = /^title:[ \t]*(.+)$/m
    .exec(frontMatter)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const { definitions, trees } = parseMarkdown(text.slice(frontMatter.length));
  const budget = createBudget();
  const blocks: DocBlock[] = [];
  for (const tree of trees) {
    for (const block of readTree(tree, definitions, budget)) blocks.push(block);
  }
  return {
    title: declaredTitle || firstHeading(blocks, 1) || null,
    language: null,
    pages: onePage,
    blocks,
  };
}
