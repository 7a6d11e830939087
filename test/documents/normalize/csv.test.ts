import { expect } from 'chai';
import { readCsv } from '../../../packages/documents/src/normalize/kinds/csv.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const read = (text: string | Buffer) => readCsv(Buffer.from(text));
const markdown = (text: string): string => [...markdownOf(read(text).blocks)].join('').trimEnd();

describe('normalised CSV', () => {
  it('is a table with any delimiter', () => {
    const table = '| Name | Sum |\n| - | - |\n| Ann | 1 |\n| Bob | 2 |';
    for (const delimiter of [',', ';', '\t', '|']) {
      const text = `Name${delimiter}Sum\r\nAnn${delimiter}1\r\n\r\nBob${delimiter}2\r\n`;
      expect(markdown(text), delimiter).to.equal(table);
      expect(markdown(`\ufeff${text}`), delimiter).to.equal(table);
    }
    expect(markdown('sep=;\na;b,c')).to.equal('| a | b,c |\n| - | - |');
  });

  it('keeps quotes, line breaks in cells, and rows of any length', () => {
    expect(markdown('a,b,c\n"x, ""y""","two\nlines"\n1,2,3,4')).to.equal(
      '| a | b | c |  |\n| - | - | - | - |\n| x, "y" | two lines |  |  |\n| 1 | 2 | 3 | 4 |',
    );
  });

  it('is rejected if it has too many cells', () => {
    expect(() => read('1,'.repeat(1_000_001))).to.throw('more than 1000000 cells');
  });

  it('is empty for an empty file', () => {
    expect(read('\n\n').blocks).to.deep.equal([]);
    expect(() => read('')).to.throw('empty');
  });
});
