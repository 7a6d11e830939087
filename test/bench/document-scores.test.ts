import { expect } from 'chai';
import { readMarkdown } from '../../lab/bench/documents/scores/read.ts';
import { orderOf, score } from '../../lab/bench/documents/scores/scores.ts';
import { cellsOf } from '../../lab/bench/documents/scores/table.ts';
import { wordsOf } from '../../lab/bench/documents/scores/words.ts';

const sample = `# The orchard

Apples, pears and *quinces* grow [behind the house](https://example.org/a_(b)); ~~none~~ \`in_front\`.

## Harvest

1. Pick
2. Store
   - [x] in boxes

| Fruit | Kilograms | Kilograms |
| --- | :-: | --: |
| Apples | 120 | 80 |
| Pears | 40 | |

> Quoted by the gardener.

\`\`\`sh
echo "# not a heading | nor a table"
\`\`\`
`;

const against = (actual: string, expected = sample) =>
  score(readMarkdown(expected), readMarkdown(actual));

describe('document scores', () => {
  it('are 1 in every respect for a file against itself', () => {
    const same = { precision: 1, recall: 1, f1: 1 };
    expect(against(sample)).to.deep.equal({
      words: same,
      headings: same,
      levels: same,
      cells: same,
      neighbours: same,
      order: 1,
    });
  });

  it('compare words without Markdown syntax', () => {
    expect(readMarkdown(sample).words.join(' ')).to.equal(
      'The orchard Apples pears and quinces grow behind the house none in front Harvest Pick ' +
        'Store in boxes Fruit Kilograms Apples 120 80 Pears 40 Quoted by the gardener ' +
        'echo not a heading nor a table',
    );
    expect(
      readMarkdown('a <!-- image\n\nx --> ![y](z.png) b<sup>2</sup> &lt;i&gt; \\*c\\_d').words,
    ).to.deep.equal(['a', 'b2', 'i', 'c', 'd']);
    expect(readMarkdown('**bo**ld [![alt](p.png) *text*](u) <https://h.org>').words).to.deep.equal([
      'bold',
      'text',
      'https',
      'h',
      'org',
    ]);
  });

  it('treat compatible characters as equal, and count text without spaces by character', () => {
    expect(wordsOf('ﬁne x² so\u00adft ﻻ')).to.deep.equal(['fine', 'x2', 'soft', 'لا']);
    expect(wordsOf('日本 word かな')).to.deep.equal(['日', '本', 'word', 'か', 'な']);
  });

  it('measure lost words and added words', () => {
    const { words } = against('a b c x', 'a b c d e f');
    expect(words.precision).to.equal(3 / 4);
    expect(words.recall).to.equal(3 / 6);
    expect(words.f1).to.equal(6 / 10);
    expect(against('a a a', 'a').words.precision).to.equal(1 / 3);
    expect(against('', 'a').words.f1).to.equal(0);
  });

  it('distinguish missing, invented and wrong-level headings', () => {
    const expected = '# A\n\n## B\n\ntext';
    expect(against('# A\n\nB\n\ntext', expected).headings).to.deep.equal({
      precision: 1,
      recall: 0.5,
      f1: 2 / 3,
    });
    expect(against('# A\n\n# B\n\n# text', expected).headings?.precision).to.equal(2 / 3);
    const wrong = against('# A\n\n# B\n\ntext', expected);
    expect([wrong.headings?.f1, wrong.levels?.f1]).to.deep.equal([1, 0.5]);
    expect(against('A\n===\n\nB\n---\n\ntext', expected).levels?.f1).to.equal(1);
    expect(against('text', 'text').headings).to.equal(null);
    expect(against('# text', 'text').headings?.f1).to.equal(0);
  });

  it('compare cells only between matched tables', () => {
    const expected = '| A | B |\n| - | - |\n| 1 | 2 |\n\n| X | Y |\n| - | - |\n| 8 | 9 |';
    const first = '| A | B |\n|---|---|\n| 1 | 3 |';
    expect(against(first, expected).cells).to.deep.equal({
      precision: 3 / 4,
      recall: 3 / 8,
      f1: 0.5,
    });
    const joined = '| A | B |\n|---|---|\n| 1 | 2 |\n| X | Y |\n| 8 | 9 |';
    expect(against(joined, expected).cells).to.deep.equal({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(against('A B 1 2', expected).cells?.f1).to.equal(0);
    expect(against('A B', 'A B').cells).to.equal(null);
  });

  it('measure the positions of cells', () => {
    const turned = against('| A | 1 |\n| - | - |\n| B | 2 |', '| A | B |\n| - | - |\n| 1 | 2 |');
    expect(turned.cells?.f1).to.equal(1);
    expect(turned.neighbours?.f1).to.equal(0);
  });

  it('count a spanning cell once, in HTML and repeated in Markdown', () => {
    const html =
      '<table>\n<tr><th rowspan="2">Year</th><th colspan="2">Sold</th></tr>\n' +
      '<tr><td>pears</td><td>apples &amp; <b>quinces</b></td></tr>\n</table>';
    const pipes =
      '| Year | Sold | Sold |\n| - | - | - |\n| Year | pears | apples &amp; **quinces** |';
    const { cells, neighbours, words } = against(html, pipes);
    expect([cells?.f1, neighbours?.f1, words.f1]).to.deep.equal([1, 1, 1]);
    const [grid] = readMarkdown(html).tables;
    expect(cellsOf(grid ?? []).cells.map(({ text }) => text)).to.deep.equal([
      'Year',
      'Sold',
      'pears',
      'apples & quinces',
    ]);
  });

  it('read symbols in cells and escaped bars', () => {
    const [grid] = readMarkdown('| a \\| b | ✓ |\n|-|-|\n| `c` |  |').tables;
    expect(grid).to.deep.equal([
      ['a | b', '✓'],
      ['c', ''],
    ]);
    expect(cellsOf(grid ?? []).cells.map(({ key }) => key)).to.deep.equal(['a b', '✓', 'c']);
  });

  it('measure reading order by words that occur once on each side', () => {
    const words = 'a b c d e f g h'.split(' ');
    expect(orderOf(words, words)).to.equal(1);
    expect(orderOf(words, words.toReversed())).to.equal(0);
    expect(orderOf(words, [...words.slice(4), ...words.slice(0, 4)])).to.equal(1 - 16 / 28);
    expect(orderOf(words, ['b', 'a', ...words.slice(2)])).to.equal(1 - 1 / 28);
    expect(orderOf(words, ['a', 'x', 'x', 'h'])).to.equal(1);
    expect(orderOf(words, ['a', 'a'])).to.equal(null);
  });
});
