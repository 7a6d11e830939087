import { decode } from '../../../files/encoding.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { readBlocks } from './blocks.ts';

/**
 * Markdown (CommonMark and what GitHub adds, formulas between `$`) as blocks. Front matter is left
 * out but for its title. Throws EngineError.
 */
export function readMarkdown(bytes: Uint8Array): NormalDocument {
  const { text } = decode(bytes);
  const [front = ''] =
    /^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const named = /^title:[ \t]*(.+)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const blocks = readBlocks(text.slice(front.length).split(/\r\n|\r|\n/));
  const heading = blocks.find(
    (block): block is Extract<DocBlock, { role: 'heading' }> =>
      block.role === 'heading' && block.level === 1,
  );
  return {
    title: named || heading?.text || null,
    language: null,
    pages: [{ page: 1, widthPt: null, heightPt: null, name: null }],
    blocks,
  };
}
