import { expect } from 'chai';
import { documentOf } from '../../../packages/documents/src/normalize/pages/document/index.ts';
import type { PageLayout } from '../../../packages/documents/src/normalize/pages/layout.ts';
import { pageOf, running } from './layouts.ts';

const headingsOf = (page: PageLayout): string[] =>
  documentOf([page]).blocks.flatMap((block) =>
    block.role === 'heading' ? [`${block.level} ${block.text}`] : [],
  );

/** A page with tags for its blocks, in order; the others are paragraphs. */
function tagged(page: PageLayout, ...tags: string[]): PageLayout {
  const blocks = page.blocks.map((block, at) =>
    block.kind === 'text' ? { ...block, tag: tags[at] ?? 'P' } : block,
  );
  return { ...page, blocks };
}

describe('tags of a PDF', () => {
  const page = pageOf(1, [
    ['On rows', { size: 11 }],
    ['Cups', { italic: true }],
    running,
    ['Please note', { bold: true }],
    running,
    ['Plates', { italic: true }],
    running,
  ]);

  it('decide what headings and their levels are', () => {
    expect(headingsOf(tagged(page, 'H1', 'H3', 'P', 'P', 'P', 'H3'))).to.deep.equal([
      '1 On rows',
      '2 Cups',
      '2 Plates',
    ]);
  });

  it('are ignored if they make headings of the running text', () => {
    const all = page.blocks.map(() => 'H1');
    expect(headingsOf(tagged(page, ...all))).to.deep.equal(headingsOf(page));
  });
});
