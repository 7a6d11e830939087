import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import {
  readOdp,
  readOds,
  readOdt,
  summariseOdf,
} from '../../../packages/documents/src/normalize/kinds/odf/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const names = ['office', 'text', 'table', 'style', 'presentation', 'chart']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"')
  .concat('xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"')
  .concat('xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"')
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"')
  .join(' ');
const styles =
  '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>' +
  '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>' +
  '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/></text:list-style>';
const file = (kind: string, body: string, more: Record<string, string> = {}): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        'content.xml': `<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
        ...more,
      }).map(([name, text]) => [name, strToU8(text)]),
    ),
  );
const markdown = ({ blocks }: ReturnType<typeof readOdt>): string =>
  [...markdownOf(blocks)].join('').trimEnd();
const cell = (text: string, more = ''): string =>
  `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;

describe('a normalised OpenDocument file', () => {
  it('has headings, formatting, lists, tables, notes and comments of a text', () => {
    const body =
      '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
      '<text:h text:outline-level="1">One</text:h>' +
      '<text:p>Some <text:span text:style-name="B">bold</text:span><text:span text:style-name="H">secret</text:span> words' +
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>' +
      '<office:annotation><dc:creator>Ada</dc:creator><text:p>Really?</text:p></office:annotation>' +
      '<text:s text:c="2"/>and <text:a xlink:href="https://example.org/">link</text:a></text:p>' +
      '<text:list text:style-name="N"><text:list-item><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>' +
      `<table:table><table:table-row>${cell('a')}${cell('b')}</table:table-row><table:table-row>${cell('c', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table>`;
    expect(markdown(readOdt(file('text', body)))).to.equal(
      '# One\n\nSome **bold** words[^1][^c1]  and [link](https://example.org/)\n\n' +
        '- a) first\n    - inner\n- b) second\n\n| a | b |\n| - | - |\n| c | c |\n\n' +
        '[^1]: A note.\n\n[^c1]: Ada: Really?',
    );
  });

  it('has headings that are paragraphs in a style based on one of headings', () => {
    const shared = `<office:document-styles ${names}><office:styles><style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/></office:styles></office:document-styles>`;
    const own = '<style:style style:name="P1" style:parent-style-name="Heading_20_1"/>';
    const content = `<office:document-content ${names}><office:automatic-styles>${own}</office:automatic-styles><office:body><office:text><text:p text:style-name="P1">Accounts</text:p><text:p>Paid.</text:p></office:text></office:body></office:document-content>`;
    const bytes = file('text', '', { 'content.xml': content, 'styles.xml': shared });
    expect(markdown(readOdt(bytes))).to.equal('# Accounts\n\nPaid.');
  });

  it('has the sheets of a workbook as pages, without repeated empty cells, and charts', () => {
    const chart = `<office:document-content ${names}><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title><chart:plot-area/><table:table><table:table-row>${cell('')}${cell('North')}</table:table-row><table:table-row>${cell('Q1')}${cell('7')}</table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const empty =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const bytes = file(
      'spreadsheet',
      `<table:table table:name="Sales"><table:shapes><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></table:shapes><table:table-row>${cell('Item')}${cell('Price')}</table:table-row><table:table-row>${cell('Roof')}${cell('9')}</table:table-row>${empty}</table:table><table:table table:name="Other">${empty}</table:table>`,
      { 'Object 1/content.xml': chart },
    );
    expect(summariseOdf(bytes, 'ods')).to.deep.equal({ count: 2, signed: false });
    const parts = { 'META-INF/documentsignatures.xml': '<document-signatures/>' };
    const signed = file('text', '<text:p>Paid.</text:p>', parts);
    expect(summariseOdf(signed, 'odt')).to.deep.equal({ count: 1, signed: true });
    expect(markdown(readOds(bytes))).to.equal(
      '## Sales\n\n| Item | Price |\n| - | - |\n| Roof | 9 |\n\nSales\n\n|  | North |\n| - | - |\n| Q1 | 7 |',
    );
  });

  it('has the slides of a presentation as pages, with titles and notes', () => {
    const frame = (text: string, more: string) =>
      `<draw:frame ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const at = (x: number, y: number) =>
      `svg:x="${x}cm" svg:y="${y}cm" svg:width="5cm" svg:height="1cm"`;
    const body = `<draw:page>${frame('right', at(8, 5))}${frame('left', at(1, 5))}${frame('Plans', `presentation:class="title" ${at(1, 1)}`)}<presentation:notes>${frame('Say hello.', 'presentation:class="notes"')}</presentation:notes></draw:page>`;
    expect(markdown(readOdp(file('presentation', body)))).to.equal(
      '## Plans\n\nleft\n\nright\n\n### Notes\n\nSay hello.',
    );
  });

  it('is rejected if it is encrypted or of another kind, and bounded', () => {
    const manifest = { 'META-INF/manifest.xml': '<manifest><encryption-data/></manifest>' };
    expect(() => readOdt(file('text', '', manifest))).to.throw(/encrypted/);
    expect(() => readOdt(file('spreadsheet', ''))).to.throw(/declared type/);
    const deep = `${'<text:section>'.repeat(100)}<text:p>deep</text:p>${'</text:section>'.repeat(100)}`;
    expect(markdown(readOdt(file('text', deep)))).to.equal('');
    expect(readOdt(file('text', deep)).unread).to.deep.equal(['deeply nested content']);
  });

  it('has headers and footers of its pages, each once', () => {
    const page = (more: string): string =>
      `<style:master-page style:name="M"><style:header><text:p>Harbour Board</text:p></style:header>${more}</style:master-page>`;
    const shared = `<office:document-styles ${names}><office:master-styles>${page('<style:footer><text:p>Account 4711</text:p></style:footer>')}${page('<style:header-first style:display="false"><text:p>not used</text:p></style:header-first>')}</office:master-styles></office:document-styles>`;
    const { blocks } = readOdt(file('text', '<text:p>Text</text:p>', { 'styles.xml': shared }));
    expect(blocks.map((block) => [block.role, 'text' in block && block.text])).to.deep.equal([
      ['page_header', 'Harbour Board'],
      ['paragraph', 'Text'],
      ['page_footer', 'Account 4711'],
    ]);
  });

  it('is read if a part has a document type that defines nothing', () => {
    const object =
      '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>';
    const types = [
      '<!DOCTYPE math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math[1].dtd">',
      "<!DOCTYPE math SYSTEM 'math.dtd' >",
      '<!DOCTYPE math>',
    ];
    for (const type of types) {
      const formula = `<?xml version="1.0"?>${type}<math><mi>x</mi></math>`;
      const bytes = file('text', `<text:p>Text</text:p>${object}`, {
        'Object 1/content.xml': formula,
      });
      expect(markdown(readOdt(bytes))).to.contain('Text');
    }
    const bomb = '<!DOCTYPE math [<!ENTITY a "aaaa">]><math><mi>&a;</mi></math>';
    expect(() => readOdt(file('text', object, { 'Object 1/content.xml': bomb }))).to.throw(
      /Document type definitions/,
    );
  });

  it('leaves out hidden sheets, rows, columns and slides, and reports them', () => {
    const hidden =
      '<style:style style:name="H"><style:table-properties table:display="false"/></style:style>';
    const sheet = (name: string, more = ''): string =>
      `<table:table table:name="${name}" ${more}><table:table-column table:number-columns-repeated="1"/><table:table-column table:visibility="collapse"/><table:table-column/><table:table-row>${cell('a')}${cell('gone')}${cell('c')}</table:table-row><table:table-row table:visibility="filter" table:number-rows-repeated="2">${cell('gone')}</table:table-row><table:table-row>${cell('x')}${cell('gone')}${cell('z')}</table:table-row></table:table>`;
    const content = `<office:document-content ${names}><office:automatic-styles>${hidden}</office:automatic-styles><office:body><office:spreadsheet>${sheet('S')}${sheet('Gone', 'table:style-name="H"')}</office:spreadsheet></office:body></office:document-content>`;
    const found = readOds(file('spreadsheet', '', { 'content.xml': content }));
    expect(markdown(found)).to.equal('## S\n\n| a | c |\n| - | - |\n| x | z |');
    expect(found.unread).to.deep.equal(['hidden columns', 'hidden rows', 'hidden sheets']);
  });

  it('reports parts of its manifest that are not read, by media type, and no others', () => {
    const entry = (path: string, type: string): string =>
      `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
    const unread = (path: string, type: string) =>
      readOdt(
        file('text', '<text:p>Text</text:p>', {
          [path.endsWith('/') ? `${path}content.xml` : path]: '<a/>',
          'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="m">${entry('/', 'application/vnd.oasis.opendocument.text')}${entry('content.xml', 'text/xml')}${entry(path, type)}${entry(`${path}content.xml`, 'text/xml')}</manifest:manifest>`,
        }),
      ).unread;
    const complete: [string, string][] = [
      ['styles.xml', 'text/xml'],
      ['meta.xml', 'text/xml'],
      ['settings.xml', 'text/xml'],
      ['manifest.rdf', 'application/rdf+xml'],
      ['layout-cache', 'application/binary'],
      ['Pictures/a.png', 'image/png'],
      ['Thumbnails/thumbnail.png', 'image/png'],
      ['Configurations2/accelerator/current.xml', ''],
      ['Configurations2/', 'application/vnd.sun.xml.ui.configuration'],
      [
        'ObjectReplacements/Object 1',
        'application/x-openoffice-gdimetafile;windows_formatname=&quot;GDIMetaFile&quot;',
      ],
      ['Basic/script-lc.xml', 'text/xml'],
      ['Fonts/a.ttf', 'application/x-font-ttf'],
      ['Object 1/', 'application/vnd.oasis.opendocument.chart'],
      ['META-INF/documentsignatures.xml', ''],
    ];
    for (const [path, type] of complete) expect(unread(path, type), path).to.deep.equal([]);
    const reported: [string, string][] = [
      ['Object 1/', 'application/vnd.oasis.opendocument.formula'],
      ['Object 1/', 'application/vnd.oasis.opendocument.text'],
      ['Object 1/', 'application/vnd.oasis.opendocument.spreadsheet'],
      ['Object 1/', 'application/vnd.oasis.opendocument.presentation'],
      ['Object 1/', 'application/vnd.oasis.opendocument.graphics'],
      ['Object 1', 'application/vnd.sun.star.oleobject'],
      ['Media/a.mp4', 'video/mp4'],
      ['Media/a.mp3', 'audio/mpeg'],
      ['Notes/a.txt', 'text/plain'],
      ['Something/new', 'application/x-new'],
    ];
    for (const [path, type] of reported) expect(unread(path, type), path).to.deep.equal([type]);
  });

  it('has the text of all shapes, also in links and paragraphs, and reports controls', () => {
    const kinds =
      'custom-shape rect ellipse circle line polyline polygon regular-polygon path connector caption measure';
    const drawn = (kind: string): string =>
      `<draw:${kind}><text:p>In ${kind}</text:p></draw:${kind}>`;
    for (const kind of kinds.split(' ')) {
      const { blocks } = readOdt(file('text', `<text:p>a${drawn(kind)}</text:p>${drawn(kind)}`));
      expect(blocks.map((block) => 'text' in block && block.text)).to.deep.equal([
        'a',
        `In ${kind}`,
        `In ${kind}`,
      ]);
    }
    const frame = '<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame>';
    const linked = `<draw:a xlink:href="https://example.org/">${frame}</draw:a>`;
    expect(markdown(readOdt(file('text', linked)))).to.equal('Boxed');
    expect(markdown(readOdp(file('presentation', `<draw:page>${linked}</draw:page>`)))).to.equal(
      'Boxed',
    );
    const control = readOdt(file('text', '<text:p>a<draw:control/></text:p>'));
    expect(control.unread).to.deep.equal(['form controls']);
  });

  it('has comments on cells, and values that are not written as text', () => {
    const comment =
      '<office:annotation><dc:creator>Ada</dc:creator><text:p>Is this so?</text:p></office:annotation>';
    const row = (...cells: string[]): string =>
      `<table:table-row>${cells.join('')}</table:table-row>`;
    const rows = [
      row(cell('a'), `<table:table-cell>${comment}<text:p>b</text:p></table:table-cell>`),
      row(
        '<table:table-cell office:value-type="float" office:value="12.5"/>',
        '<table:table-cell office:value-type="string" office:string-value="words"/>',
      ),
    ].join('');
    const found = readOds(file('spreadsheet', `<table:table table:name="S">${rows}</table:table>`));
    expect(markdown(found)).to.equal(
      '## S\n\n| a | b |\n| - | - |\n| 12.5 | words |\n\n> B1, Ada: Is this so?',
    );
  });

  it('reports hidden text, and has the fields that name the sender', () => {
    const found = readOdt(
      file(
        'text',
        '<text:p>From <text:sender-lastname>Anzenfeld</text:sender-lastname><text:span text:style-name="H">secret</text:span></text:p>',
      ),
    );
    expect(markdown(found)).to.equal('From Anzenfeld');
    expect(found.unread).to.deep.equal(['hidden text']);
  });
});
