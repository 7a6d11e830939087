import { expect } from 'chai';
import { readXlsx } from '../../../src/engines/normalize/kinds/xlsx/index.ts';
import { shown } from '../../../src/engines/normalize/kinds/xlsx/numbers.ts';
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

  it('formats numbers', () => {
    const cases: [string, string, string][] = [
      ['0.30000000000000004', 'General', '0.3'],
      ['1234567.891', '#,##0.00', '1,234,567.89'],
      ['-5', '#,##0;(#,##0)', '(5)'],
      ['-5.5', '0.0', '-5.5'],
      ['0', '0;-0;"none"', 'none'],
      ['0.256', '0%', '26%'],
      ['1234.5', '"$"#,##0.00', '$1,234.50'],
      ['1234.5', '#,##0.00\\ [$€-407]', '1,234.50 €'],
      ['99', '_-* #,##0.00 "kr"_-', '99.00 kr'],
      ['7', '000', '007'],
      ['12345', '0.00E+00', '1.23E+04'],
      ['45292.5', 'dd.mm.yyyy hh:mm', '2024-01-01 12:00'],
      ['0.75', 'h:mm AM/PM', '18:00'],
      ['1.5', '[h]:mm:ss', '36:00:00'],
      ['45292', '[$-409]mmmm\\ yyyy', '2024-01'],
      ['5', '[Red]0', '5'],
      ['2500000', '0.0,,"M"', '2.5M'],
      ['x', '0', 'x'],
      ['1234.5', '[$€-407] #,##0.00', '€ 1,234.50'],
      ['123456789', '000-00-0000', '123-45-6789'],
      ['5', '[>10]"big";"small" 0', 'small 5'],
      ['7', '_(* #,##0.00_)', '7.00'],
      ['0.125', '# ?/?', '0.125'],
      ['44000.5', 'm/d/yy h:mm', '2020-06-18 12:00'],
      ['44000', '[$-407]d. mmmm yyyy', '2020-06-18'],
      ['3', ';;;', '3'],
      ['1.5', 'not "a format', '1.5'],
    ];
    for (const [raw, code, expected] of cases)
      expect(shown(raw, code, false), code).to.equal(expected);
    expect(shown('0', 'yyyy-mm-dd', true)).to.equal('1904-01-01');
  });

  it('is rejected if the file is something else', () => {
    expect(() => readXlsx(docx('<w:p/>'))).to.throw('not a workbook');
  });
});
