import { expect } from 'chai';
import { documentOf } from '../../../packages/documents/src/normalize/pages/document/index.ts';
import type {
  LayoutBlock,
  PageLayout,
} from '../../../packages/documents/src/normalize/pages/layout.ts';
import { pageOf, running } from './layouts.ts';

const headingsOf = (...pages: PageLayout[]): string[] =>
  documentOf(pages).blocks.flatMap((block) =>
    block.role === 'heading' ? [`${block.level} ${block.text}`] : [],
  );

const bold = { bold: true };

describe('headings of pages', () => {
  it('are recognised by numbering in a distinct style, consistent in one direction', () => {
    const italic = { italic: true, size: 9 };
    expect(
      headingsOf(
        pageOf(1, [
          ['On rows', { size: 16, bold: true }],
          ['I. INTRODUCTION', { size: 9 }],
          running,
          ['A. Citations', italic],
          running,
          ['B. Footnotes', italic],
          running,
          ['II. RESULTS', { size: 9 }],
          running,
          ['1. Bring the cup', {}],
          ['2. Fill the cup', {}],
        ]),
      ),
    ).to.deep.equal([
      '1 On rows',
      '2 I. INTRODUCTION',
      '3 A. Citations',
      '3 B. Footnotes',
      '2 II. RESULTS',
    ]);
  });

  it('begin with the title if it is the only outermost entry of the outline', () => {
    const outline = ['On rows', 'Columns', 'Cells'].map((title, at) => ({
      title,
      level: at === 0 ? 1 : 2,
    }));
    const page = pageOf(
      1,
      [
        ['On rows', { size: 16, bold: true }],
        running,
        ['Columns', { size: 13, bold: true }],
        running,
        ['Cells', { size: 13, bold: true }],
        running,
      ],
      { outline },
    );
    expect(headingsOf(page)).to.deep.equal(['1 On rows', '2 Columns', '2 Cells']);
  });

  it('are not formulas, options, notes, bold blocks or lines of a title page', () => {
    const front = pageOf(1, [
      ['University of Somewhere', { size: 14 }],
      ['A Thesis on Headings', { size: 22, bold: true }],
      ['Anna Author', { size: 12, bold: true }],
      ['24 de novembro de 2018', { size: 12 }],
    ]);
    const second = pageOf(2, [
      ['Results', { size: 14, bold: true }],
      running,
      ['WT 1 : [ 𝑓(𝑥) + 𝑔(𝑦) ]', { bold: true, math: 0.7 }],
      ['draft', { bold: true, mono: true }],
      running,
      ['custom', bold],
      running,
      ['Definition 1.', bold],
      running,
      ['One line in bold', bold],
      ['Another line in bold', bold],
      ['A third line in bold', bold],
      running,
    ]);
    expect(headingsOf(front, second)).to.deep.equal(['1 A Thesis on Headings', '2 Results']);
  });

  it('are separated from text that runs on, and joined over two lines', () => {
    const page = pageOf(
      1,
      [
        ['Notes', { size: 16, bold: true }],
        running,
        [['1. Sections for all', 'Sometimes papers become lengthy. In that case parts can help.']],
        [['A RESEARCH METHODS', 'A.1 Part One'], bold],
        running,
        ['8 CONCEPTS THAT AUTHORS MAY DEFINE AND', { bold: true, after: 0 }],
        ['KEYWORDS', { bold: true, x: 90 }],
        running,
      ],
      { outline: [{ title: 'Sections for all', level: 1 }] },
    );
    expect(headingsOf(page)).to.deep.equal([
      '1 Notes',
      '2 1. Sections for all',
      '2 A RESEARCH METHODS',
      '3 A.1 Part One',
      '2 8 CONCEPTS THAT AUTHORS MAY DEFINE AND KEYWORDS',
    ]);
  });

  it('are the lines of a style that is hardly larger, above smaller text each time', () => {
    const title = { size: 11, after: 10 };
    const page = pageOf(1, [
      ['Annika Lindqvist', { size: 24 }],
      ['Experience', title],
      ['Hydrologist, Norconsult', { after: 0 }],
      ['Designed stations for small streams', { after: 16 }],
      ['Languages', title],
      ['Swedish, English', { after: 16 }],
      ['Software', title],
      ['Python, R', { after: 16 }],
      ['Interests', title],
      ['Rivers'],
    ]);
    expect(headingsOf(page).map((text) => text.slice(2))).to.deep.equal([
      'Annika Lindqvist',
      'Experience',
      'Languages',
      'Software',
      'Interests',
    ]);
  });

  it('do not include a running line with the number of its part and of the page', () => {
    const pages = [31, 32].map((number, at) => {
      const head = at === 0 ? 'Weighing snow on roofs' : '3.2. FROM DEPTH TO WEIGHT 32';
      const page = pageOf(number - 30, [[head, bold], running, running, ['31', {}]]);
      const [first, last] = [page.blocks[0], page.blocks.at(-1)];
      if (at === 1 && first) moveTo(first, 40);
      if (at === 1) page.blocks.pop();
      else if (last) moveTo(last, 810);
      return page;
    });
    expect(headingsOf(...pages).join()).not.to.contain('FROM DEPTH');
  });

  it('do not include authors between the title and the first part', () => {
    const page = pageOf(1, [
      ['Shade by the kerb', { size: 18 }],
      ['M. Okafor L. Brandt', { size: 12 }],
      ['Abstract', { size: 14, bold: true }],
      running,
      ['1 Results', { size: 14, bold: true }],
      running,
    ]);
    expect(headingsOf(page)).to.deep.equal(['1 Shade by the kerb', '2 Abstract', '2 1 Results']);
  });

  it('do not include a table of contents, which becomes a list without leaders', () => {
    const page = pageOf(1, [
      ['Contents', { size: 16, bold: true }],
      ['1 Beginnings 1', bold],
      ['1.1 Words . . . . . . . . . . . . . 2', { x: 90 }],
      [['1.2 Lines that go on', 'in the next . . . . . . . . 4'], { x: 90 }],
      ['2 Endings 7', bold],
      ['1 Beginnings', { size: 14, bold: true }],
      running,
    ]);
    const { blocks } = documentOf([page]);
    const items = blocks.flatMap((one) =>
      one.role === 'list_item' ? [`${one.level} ${one.text}`] : [],
    );
    expect(items).to.deep.equal([
      '0 1 Beginnings 1',
      '1 1.1 Words 2',
      '1 1.2 Lines that go on in the next 4',
      '0 2 Endings 7',
    ]);
    expect(headingsOf(page).map((text) => text.slice(2))).to.deep.equal([
      'Contents',
      '1 Beginnings',
    ]);
  });
});

/** Moves a block to a height of its page. */
function moveTo(block: LayoutBlock, base: number): void {
  if (block.kind !== 'text') return;
  const by = base - block.box[3];
  for (const { box } of [block, ...block.lines]) {
    box[1] += by;
    box[3] += by;
  }
  for (const line of block.lines) line.base += by;
}

describe('lines that only look like headings', () => {
  it('are the head and the subject of a letter', () => {
    const letter = pageOf(1, [
      ['Hartwell & Sons', { size: 18, bold: true }],
      ['Ms Clara Whitfield'],
      ['Your order of 3 March', bold],
      ['Dear Ms Whitfield,'],
      running,
      ['YOUR REFERENCE 1240', {}],
      ['Total due 14.00'],
      ['Yours sincerely,'],
    ]);
    expect(headingsOf(letter)).to.deep.equal([]);
  });

  it('are bold lines within text, statements of code, and lines of values', () => {
    const page = pageOf(1, [
      ['On rows', { size: 16, bold: true }],
      [running[0], { after: 0 }],
      ['Please return the cup', bold],
      ['tomorrow'],
      running,
      ['SELECT cups FROM rows;', bold],
      running,
      ['ABC 12D4'],
      ['Row 4'],
    ]);
    expect(headingsOf(page)).to.deep.equal(['1 On rows']);
  });
});

describe('headings in a style of their own', () => {
  it('are found although they are hardly larger than the text', () => {
    const style = { size: 10.5 };
    const page = pageOf(1, [
      ['On rows', { size: 16, bold: true }],
      running,
      ['Cups and plates', style],
      running,
      ['Forks and knives', style],
      running,
      ['Spoons of all kinds', style],
      running,
    ]);
    expect(headingsOf(page).map((text) => text.slice(2))).to.deep.equal([
      'On rows',
      'Cups and plates',
      'Forks and knives',
      'Spoons of all kinds',
    ]);
  });
});

describe('isolated lines at the top of a page', () => {
  it('keep the date of a letter and the line below it', () => {
    const letter = pageOf(1, [['14 October 2023'], ['Dear Dr. Okonkwo,'], running]);
    for (const block of letter.blocks) {
      const [x0, y0, x1, y1] = block.box;
      block.box = [x0, y0 - 90, x1, y1 - 90];
    }
    const { blocks } = documentOf([letter, pageOf(2, [running])]);
    expect(blocks.map(({ role }) => role)).to.not.include('page_header');
  });

  it('are omitted if they span two facing pages', () => {
    const spread = pageOf(1, [['208 Global Study of Tides Annex 209'], running]);
    for (const block of spread.blocks) {
      const [x0, y0, x1, y1] = block.box;
      block.box = [x0, y0 - 90, x1, y1 - 90];
    }
    const { blocks } = documentOf([spread]);
    expect(blocks.map(({ role }) => role)).to.deep.equal(['page_header', 'paragraph']);
  });
});

describe('a line at the top of a single page', () => {
  const rolesUnder = (line: string, text: [string | string[]]): string[] => {
    const page = pageOf(1, [[line], text]);
    for (const block of page.blocks) {
      const [x0, y0, x1, y1] = block.box;
      block.box = [x0, y0 - 90, x1, y1 - 90];
    }
    return documentOf([page]).blocks.map(({ role }) => role);
  };

  it('is omitted if it is a title with the number of a page, over running text', () => {
    for (const line of [
      '118 The Ferries of the Lower Marsh',
      'Annals of the Beekeepers, vol. 44 203',
    ])
      expect(rolesUnder(line, running), line).to.deep.equal(['page_header', 'paragraph']);
  });

  it('is kept if its number may be of something else, or over short lines', () => {
    for (const line of [
      '12 What the ferries carried',
      'Confirmation of your order no. 118',
      'Report of the harbour board 2019',
    ])
      expect(rolesUnder(line, running)[0], line).to.not.equal('page_header');
    expect(rolesUnder('118 The Ferries of the Marsh', ['One of three'])[0]).to.not.equal(
      'page_header',
    );
  });
});

describe('links of pages', () => {
  it('are kept unless their text is the address itself', () => {
    const page = pageOf(1, [['See https://example.org/a. Or this one.']]);
    for (const block of page.blocks) {
      if (block.kind !== 'text') continue;
      for (const line of block.lines) {
        line.spans = [
          { text: 'See ', marks: [], href: null },
          { text: 'https://example.org/a.', marks: [], href: 'https://example.org/a' },
          { text: ' Or ', marks: [], href: null },
          { text: 'this one', marks: [], href: 'https://example.org/b' },
        ];
      }
    }
    const [paragraph] = documentOf([page]).blocks;
    expect(paragraph).to.have.deep.property('spans', [
      { text: 'See https://example.org/a. Or ', marks: [], href: null },
      { text: 'this one', marks: [], href: 'https://example.org/b' },
    ]);
  });
});
