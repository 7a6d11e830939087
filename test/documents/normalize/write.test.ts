import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocBlock } from '../../../packages/documents/src/normalize/document.ts';
import { writeDocument } from '../../../packages/documents/src/normalize/write/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { code, documentOf, heading, item, paragraph, span, table } from './blocks.ts';

const markdown = (...blocks: DocBlock[]): string => [...markdownOf(blocks)].join('');

describe('Markdown output', () => {
  it('has headings, paragraphs and breaks', () => {
    expect(markdown(heading(2, 'Terms #'), paragraph('One\ntwo'), paragraph('Three'))).to.equal(
      '## Terms \\#\n\nOne  \ntwo\n\nThree\n',
    );
  });

  it('nests lists, keeps their counters and starts a new list if the kind changes', () => {
    expect(
      markdown(
        item('first', 0, '1.'),
        item('sub', 1, '1.1.'),
        item('second', 0, '2.'),
        item('bullet'),
        { ...item('done'), checked: true } as DocBlock,
        item('third', 0, '3.'),
      ),
    ).to.equal('1. first\n    - 1.1. sub\n2. second\n\n- bullet\n- [x] done\n\n3. third\n');
  });

  it('indents content below a long counter far enough', () => {
    expect(markdown(item('a', 0, '1000.'), item('b', 1))).to.equal('1000. a\n      - b\n');
  });

  it('repeats a spanning cell in each of its places', () => {
    const wide = table([
      ['A', 'B|C'],
      ['1', '2'],
    ]);
    const cells = [{ ...wide.cells[0]!, columnSpan: 2 }, ...wide.cells.slice(2)];
    expect(markdown({ ...wide, cells })).to.equal('| A | A |\n| - | - |\n| 1 | 2 |\n');
    expect(markdown(wide)).to.contain('| A | B\\|C |');
  });

  it('fences code with more backticks than it contains', () => {
    expect(markdown(code('a\n```\nb', 'js'))).to.equal('````js\na\n```\nb\n````\n');
    expect(markdown(paragraph([span('a`b', 'code')]))).to.equal('``a`b``\n');
  });

  it('puts marks around words, not around spaces, and merges adjacent marks', () => {
    expect(
      markdown(
        paragraph([span('so '), span('very ', 'bold'), span('big', 'bold'), span('E', 'formula')]),
      ),
    ).to.equal('so **very big**$E$\n');
    expect(markdown(paragraph([span('git', 'bold', 'code'), span(': a tool', 'bold')]))).to.equal(
      '`git`**: a tool**\n',
    );
  });

  it('has references to footnotes and their texts', () => {
    const note: DocBlock = { ...paragraph('See there.'), role: 'footnote', label: '1' } as DocBlock;
    expect(markdown(paragraph([span('Word'), span('1', 'footnote')]), note)).to.equal(
      'Word[^1]\n\n[^1]: See there.\n',
    );
  });

  it('escapes what would be misread, and nothing else', () => {
    const cases: [string, string][] = [
      ['snake_case_name', 'snake_case_name'],
      ['2 * 3 * 4', '2 * 3 * 4'],
      ['*star*', '\\*star\\*'],
      ['_under_', '\\_under\\_'],
      ['a < b & c', 'a < b & c'],
      ['<b> &amp;', '\\<b> \\&amp;'],
      ['[PERSON] paid $5', '[PERSON] paid $5'],
      ['[a](b)', '\\[a\\](b)'],
      ['# no heading', '\\# no heading'],
      ['1. no list', '1\\. no list'],
      ['- no list', '\\- no list'],
      ['-5 degrees', '-5 degrees'],
      ['C:\\dir', 'C:\\dir'],
      ['a\\*b', 'a\\\\\\*b'],
    ];
    for (const [text, expected] of cases) {
      expect(markdown(paragraph(text)), text).to.equal(`${expected}\n`);
    }
  });

  it('balances brackets in links and omits code and headers', () => {
    const link = { text: 'Duck', marks: [], href: '/wiki/Duck_(bird) x' };
    const header: DocBlock = { ...paragraph('Page 1'), role: 'page_header' } as DocBlock;
    expect(markdown(header, paragraph([link]))).to.equal('[Duck](/wiki/Duck_(bird)%20x)\n');
  });

  it('takes linear time on hostile text', () => {
    for (const unit of ['[', '*', '`', ' ', '\\', '<', '_', '\n', '#', '|']) {
      expect(markdown(paragraph(unit.repeat(300_000)))).to.be.a('string');
    }
  });
});

describe('a written document', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'write-'));
  });
  after(() => rm(dir, { recursive: true }));

  it('has correct counts and loses nothing in JSON', async () => {
    const header: DocBlock = { ...paragraph('Page 1'), role: 'page_header' } as DocBlock;
    const document = documentOf(
      header,
      heading(1, 'Report'),
      paragraph([span('All '), { text: 'fine', marks: ['bold'], href: 'https://example.com' }]),
      table([['a', 'b']]),
    );
    const json = join(dir, 'out.json');
    const chunks = join(dir, 'out.jsonl');
    const options = { markdown: null, json, chunks, chunkTokens: 100, overlapTokens: 0 };
    expect(await writeDocument(document, options)).to.deep.equal({
      chunks: 1,
      tokens: 26,
      characters: 51,
      pages: 1,
    });
    const read = JSON.parse(await readFile(json, 'utf8'));
    expect(read.version).to.equal(1);
    expect(read.blocks.map((block: { role: string }) => block.role)).to.deep.equal([
      'page_header',
      'heading',
      'paragraph',
      'table',
    ]);
    expect(read.blocks[2]).to.deep.equal({
      id: 2,
      role: 'paragraph',
      page: 1,
      box: null,
      confidence: 1,
      text: 'All fine',
      spans: [
        { text: 'All ', marks: [], href: null },
        { text: 'fine', marks: ['bold'], href: 'https://example.com' },
      ],
    });
    expect(read.blocks[3].cells[1]).to.include({ row: 0, column: 1, row_span: 1, header: true });
    const [line] = (await readFile(chunks, 'utf8')).trim().split('\n');
    expect(JSON.parse(line!)).to.include({ index: 0, encoding: 'o200k_base', overlap_tokens: 0 });
  });

  it('is an empty file if the document is empty', async () => {
    const path = join(dir, 'empty.md');
    const options = { markdown: path, json: null, chunks: null, chunkTokens: 9, overlapTokens: 0 };
    const counts = await writeDocument(documentOf(), options);
    expect(counts).to.deep.equal({ chunks: 0, tokens: 0, characters: 0, pages: 1 });
    expect(await readFile(path, 'utf8')).to.equal('');
  });
});
