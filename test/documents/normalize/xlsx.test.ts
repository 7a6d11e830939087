import { expect } from 'chai';
import { readXlsx } from '../../../packages/documents/src/normalize/kinds/xlsx/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { docx, ns, xlsx, xmlns } from '../../support/office.ts';

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

  it('leaves out hidden rows and columns, without parting tables, and reports them', () => {
    const rows = [
      row(1, text('A1', 'a'), text('B1', 'b'), text('D1', 'd')),
      `<row r="2" hidden="1">${text('A2', 'gone')}</row><row r="3" hidden="true">${text('A3', 'gone')}</row>`,
      row(4, text('A4', 'x'), text('B4', 'y'), text('C4', 'gone'), text('D4', 'z')),
      row(7, text('D7', 'alone')),
    ].join('');
    const before =
      '<cols><col min="3" max="3" hidden="1"/><col min="20" max="16384" hidden="1"/></cols>';
    const found = read({ S: { before, rows } });
    expect([...markdownOf(found.blocks)].join('')).to.equal(
      '## S\n\n| a | b | d |\n| - | - | - |\n| x | y | z |\n\nalone\n',
    );
    expect(found.unread).to.deep.equal(['hidden columns', 'hidden rows']);
    expect(found.blocks.map((block) => block.at)).to.deep.equal([
      undefined,
      { row: 0, column: 0 },
      { row: 6, column: 3 },
    ]);
  });

  it('reports hidden sheets, and nothing for what is hidden and empty', () => {
    const rows = row(1, text('A1', 'a'));
    const of = (sheets: Sheets) => read({ S: { rows }, ...sheets }).unread;
    expect(of({ Other: { rows, state: 'hidden' } })).to.deep.equal(['hidden sheets']);
    expect(of({ Other: { rows, state: 'veryHidden' } })).to.deep.equal(['hidden sheets']);
    const before = '<cols><col min="5" max="16384" hidden="1"/></cols>';
    expect(of({ S: { before, rows: `${rows}<row r="5" hidden="1"/>` } })).to.deep.equal([]);
  });

  it('shows merged cells of which a part is hidden', () => {
    const rows = [row(1, text('A1', 'Title')), row(2, text('B2', 'b'), text('C2', 'c'))].join('');
    const before = '<cols><col min="1" max="1" hidden="1"/></cols>';
    const after = '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>';
    const found = read({ S: { before, rows, after } });
    expect([...markdownOf(found.blocks)].join('')).to.equal(
      '## S\n\n| Title | Title |\n| - | - |\n| b | c |\n',
    );
    expect(found.unread).to.deep.equal([]);
  });

  it('has comments with their cells and authors, and conversations once', () => {
    const rows = row(1, text('A1', 'a'));
    const note = (ref: string, author: number, words: string): string =>
      `<comment ref="${ref}" authorId="${author}"><text><r><t>${words}</t></r></text></comment>`;
    const comments = {
      body: `<comments xmlns="${ns.x}"><authors><author>Ada</author><author>tc={7}</author></authors><commentList>${note('A1', 0, 'Is this so?')}${note('B2', 1, '[Threaded comment] It is.')}</commentList></comments>`,
    };
    const thread = {
      body: '<ThreadedComments xmlns="t"><threadedComment ref="B2" personId="{P}"><text>It is.</text></threadedComment></ThreadedComments>',
    };
    const people = {
      body: '<personList xmlns="t"><person displayName="Ben" id="{P}"/></personList>',
    };
    const rels: NonNullable<Sheets[string]['rels']> = { rId8: ['comments', '../comments1.xml'] };
    const parts = { 'xl/comments1.xml': comments };
    expect(markdown({ S: { rows, rels } }, { parts })).to.contain('> A1, Ada: Is this so?');
    const both = markdown(
      { S: { rows, rels: { ...rels, rId9: ['threadedComment', '../t1.xml'] } } },
      {
        parts: { ...parts, 'xl/t1.xml': thread, 'xl/people.xml': people },
        rels: { rIdP: ['person', 'people.xml'] },
      },
    );
    expect(both).to.contain('> B2, Ben: It is.');
    expect(both).to.contain('> A1, Ada: Is this so?');
    expect(both).to.not.contain('Threaded comment');
  });

  it('has the text of shapes on a sheet, also of grouped ones', () => {
    const rows = row(1, text('A1', 'a'));
    const shape = (words: string): string =>
      `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
    const drawing = {
      body: `<xdr:wsDr ${xmlns('xdr', 'a')}><xdr:twoCellAnchor>${shape('In a box')}</xdr:twoCellAnchor><xdr:twoCellAnchor><xdr:grpSp>${shape('In a group')}</xdr:grpSp></xdr:twoCellAnchor></xdr:wsDr>`,
    };
    const rels: NonNullable<Sheets[string]['rels']> = { rId8: ['drawing', '../drawing1.xml'] };
    expect(markdown({ S: { rows, rels } }, { parts: { 'xl/drawing1.xml': drawing } })).to.equal(
      '## S\n\na\n\nIn a box\n\nIn a group',
    );
  });

  it('has headers and footers of printed pages, without their codes', () => {
    const after =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Harbour Board&amp;C&amp;KFF0000Fees&amp;RPage &amp;P</oddHeader><oddFooter>&amp;CQuay &amp;&amp; Co</oddFooter><evenFooter>&amp;P of &amp;N</evenFooter></headerFooter>';
    const found = read({ S: { rows: row(1, text('A1', 'a')), after } });
    expect(found.blocks.map((block) => [block.role, 'text' in block && block.text])).to.deep.equal([
      ['heading', 'S'],
      ['page_header', 'Harbour Board Fees Page'],
      ['page_footer', 'Quay & Co'],
      ['page_footer', 'of'],
      ['paragraph', 'a'],
    ]);
  });

  it('reports formulas whose results are not in the file, not those that are empty', () => {
    const unread = (cell: string) => read({ S: { rows: row(1, text('A1', 'a'), cell) } }).unread;
    expect(unread('<c r="B1"><f>1+1</f></c>')).to.deep.equal(['formulas without results']);
    expect(unread('<c r="B1"><f>1+1</f><v>2</v></c>')).to.deep.equal([]);
    expect(unread('<c r="B1" t="str"><f>""</f><v></v></c>')).to.deep.equal([]);
    expect(unread('<c r="B1" t="str"><f>""</f><v/></c>')).to.deep.equal([]);
  });
});
