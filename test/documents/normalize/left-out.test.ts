import { expect } from 'chai';
import { readAsDocument } from '../../../packages/documents/src/normalize/kinds/index.ts';
import { sparsePagesOf } from '../../../packages/documents/src/normalize/kinds/sparse-pages.ts';
import { documentOf } from '../../../packages/documents/src/normalize/pages/document/index.ts';
import type { PageLayout } from '../../../packages/documents/src/normalize/pages/layout.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { pageOf, running } from './layouts.ts';

const markdown = (...pages: PageLayout[]): string =>
  [...markdownOf(documentOf(pages).blocks)].join('');

/** Moves the first block of a page into its top margin. */
function headed(page: PageLayout): PageLayout {
  const [first] = page.blocks;
  const up = (first?.box[1] ?? 0) - 30;
  for (const box of first?.kind === 'text'
    ? [first.box, ...first.lines.map((line) => line.box)]
    : []) {
    box[1] -= up;
    box[3] -= up;
  }
  return page;
}

describe('text of pages', () => {
  it('is kept if pages have only a repeated line', () => {
    const pages = Array.from({ length: 30 }, (_, at) =>
      headed(pageOf(at + 1, [[`Potato ${at + 1}`]])),
    );
    const text = markdown(...pages);
    for (let page = 1; page <= 30; page += 1) expect(text).to.contain(`Potato ${page}`);
    expect(documentOf(pages).sparsePages).to.deep.equal([]);
  });

  it('loses a repeated line above enough text, and names the pages that lose much of it', () => {
    const pages = [1, 2, 3, 4].map((page) => {
      const texts: [string | string[]][] = page === 3 ? [['End of part']] : [running, running];
      return headed(pageOf(page, [['A handbook of useful things'], ...texts]));
    });
    const { sparsePages } = documentOf(pages);
    expect(markdown(...pages)).to.not.contain('handbook');
    expect(sparsePages).to.deep.equal([3]);
  });

  it('loses lines that count the pages, also within wide margins', () => {
    const pages = [1, 2, 3].map((page) =>
      pageOf(page, [[`${page + 3} CHAPTER ${page}. CUPS AND PLATES`], running, running]),
    );
    expect(markdown(...pages)).to.not.contain('CHAPTER');
    // These numbers are those of parts.
    const parts = [1, 4, 9].map((part, at) =>
      pageOf(at + 1, [[`${part} CUPS OF ALL KINDS`], running, running]),
    );
    expect(markdown(...parts)).to.contain('9 CUPS OF ALL KINDS');
  });

  it('stays on its page, whatever the sizes that recognition measured', () => {
    const read = (page: PageLayout): PageLayout => ({
      ...page,
      blocks: page.blocks.map((block) => ({ ...block, confidence: 0.9 })),
    });
    const first = read(
      pageOf(1, [['Hartwell and Sons, 12 Mill Lane,', { size: 12 }], running, running]),
    );
    const second = read(pageOf(2, [['dear Ms Whitfield', { size: 12 }], running]));
    const text = markdown(first, second);
    expect(text.split('\n\n')[0]).to.equal('Hartwell and Sons, 12 Mill Lane,');
  });

  it('keeps the ends of lines that end early, and of no others', () => {
    const lines = [
      'Please pay to:',
      'IBAN GB29 NWBK 6016 1331 9268 19',
      'Total due 1,240.00',
      'by 14 April',
    ];
    expect(markdown(pageOf(1, [[lines], running]))).to.equal(
      `${lines.join('  \n')}\n\n${running[0].join(' ')}\n`,
    );
  });
});

describe('text of files without pages', () => {
  it('that is only in their headers, footers and menus is told of by page', async () => {
    const html = (footer: string): Buffer =>
      Buffer.from(`<p>A short note about cups and plates.</p><footer>${footer}</footer>`);
    const sparse = async (footer: string): Promise<number[]> =>
      sparsePagesOf((await readAsDocument(html(footer), 'text/html')).blocks);
    expect(await sparse('All rights reserved, and some more of them')).to.deep.equal([1]);
    expect(await sparse('1')).to.deep.equal([]);
  });
});
