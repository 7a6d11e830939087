import { expect } from 'chai';
import { readXlsx } from '../../../src/engines/normalize/kinds/xlsx/index.ts';
import { markdownOf } from '../../../src/engines/normalize/write/markdown.ts';
import { docx, xlsx } from '../../support/office.ts';

type Sheets = Parameters<typeof xlsx>[0];
type More = Parameters<typeof xlsx>[1];
const read = (sheets: Sheets, more?: More) => readXlsx(xlsx(sheets, more));
const markdown = (sheets: Sheets, more?: More): string =>
  [...markdownOf(read(sheets, more).blocks)].join('').trimEnd();

const text = (place: string, of: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${of}</t></is></c>`;
const number = (place: string, of: number, style = 0): string =>
  `<c r="${place}" s="${style}"><v>${of}</v></c>`;
const row = (at: number, ...cells: string[]): string => `<row r="${at}">${cells.join('')}</row>`;

describe('a normalised workbook', () => {
  it('has one page per sheet, with hidden sheets left empty', () => {
    const document = read({
      Sales: { rows: row(1, text('A1', 'a'), text('B1', 'b')) },
      Secret: { rows: row(1, text('A1', 'x')), state: 'hidden' },
      Notes: { rows: row(1, text('A1', 'alone')) },
    });
    expect(document.pages.map(({ page, name }) => [page, name])).to.deep.equal([
      [1, 'Sales'],
      [2, 'Secret'],
      [3, 'Notes'],
    ]);
    expect(document.blocks.map(({ role, page }) => [role, page])).to.deep.equal([
      ['heading', 1],
      ['table', 1],
      ['heading', 3],
      ['paragraph', 3],
    ]);
    expect([...markdownOf(document.blocks)].join('')).to.equal(
      '## Sales\n\n| a | b |\n| - | - |\n\n## Notes\n\nalone\n',
    );
  });

  it('separates tables at blank rows and columns', () => {
    const rows = [
      row(1, text('A1', 'Title')),
      row(3, text('A3', 'a'), text('B3', 'b'), text('D3', 'x'), text('E3', 'y')),
      row(4, number('A4', 1), number('B4', 2), number('D4', 3), number('E4', 4)),
      row(7, text('A7', 'c'), text('B7', 'd')),
    ].join('');
    expect(markdown({ S: { rows } })).to.equal(
      '## S\n\nTitle\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n| x | y |\n| - | - |\n| 3 | 4 |\n\n| c | d |\n| - | - |',
    );
  });

  it('has shared strings, formula results, errors and merged cells', () => {
    const rows = [
      row(1, '<c r="A1" t="s"><v>0</v></c>', text('C1', 'z')),
      row(
        2,
        '<c r="A2"><f>1+1</f><v>2</v></c>',
        '<c r="B2" t="b"><v>1</v></c>',
        '<c r="C2" t="e"><v>#N/A</v></c>',
      ),
      row(
        3,
        '<c r="A3" t="str"><f>"x"</f><v>said_x000a_so</v></c>',
        text('B3', 'covered'),
        text('C3', 'c'),
      ),
    ].join('');
    const after =
      '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:B3"/><mergeCell ref="C3:XFD1048576"/></mergeCells>';
    const strings = '<si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si>';
    expect(markdown({ S: { rows, after } }, { strings })).to.equal(
      '## S\n\n| Rich text | Rich text | z |\n| - | - | - |\n| 2 | TRUE | #N/A |\n| said so | said so | c |',
    );
  });

  it('has links, and numbers in their styles', () => {
    const rows = row(1, text('A1', 'site'), number('B1', 45292, 1), number('C1', 0.125, 2));
    const after = '<hyperlinks><hyperlink ref="A1" r:id="rId9"/></hyperlinks>';
    const rels: NonNullable<Sheets[string]['rels']> = {
      rId9: ['hyperlink', 'https://example.com'],
    };
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs>';
    expect(markdown({ S: { rows, after, rels } }, { styles })).to.equal(
      '## S\n\n| [site](https://example.com) | 2024-01-01 | 12.50% |\n| - | - | - |',
    );
  });

  it('is rejected if the file is something else', () => {
    expect(() => readXlsx(docx('<w:p/>'))).to.throw('not a workbook');
  });
});
