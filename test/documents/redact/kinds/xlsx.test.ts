import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { ns, xlsx, xmlns } from '../../../support/office.ts';
import { workbookParts } from '../../../support/part-kinds.ts';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const card = '4111111111111111';
const detector = createNameDetector(name, 'Ida Orr', 'Theodora Featherstonehaugh');
const sheetType = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`;

const text = (place: string, value: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, ...cells: string[]): string =>
  `<row r="${number}">${cells.join('')}</row>`;
type Sheets = Parameters<typeof xlsx>[0];
type More = NonNullable<Parameters<typeof xlsx>[1]>;

/** Channels: sheets and further parts for a secret. The first sheet always has it in A1. */
const channels: Record<
  string,
  (secret: string) => {
    rows?: string;
    sheet?: Partial<Sheets[string]>;
    sheets?: Sheets;
    more?: More;
  }
> = {
  'shared string': (s) => ({
    rows: row(2, '<c r="A2" t="s"><v>0</v></c>'),
    more: { strings: `<si><t>of ${s}</t></si>` },
  }),
  'string no cell uses': (s) => ({ more: { strings: `<si><t>${s}</t></si>` } }),
  'rich string and its reading': (s) => ({
    rows: row(2, '<c r="A2" t="s"><v>0</v></c>'),
    more: {
      strings: `<si><r><t>${s.slice(0, 2)}</t></r><r><rPr><b/></rPr><t>${s.slice(2)}</t></r><rPh sb="0" eb="1"><t>${s}</t></rPh></si>`,
    },
  }),
  'escaped string': (s) => ({ rows: row(2, text('A2', s.replace(' ', '_x0020_'))) }),
  'result of a formula': (s) => ({
    rows: row(2, `<c r="A2" t="str"><f>B7&amp;C7</f><v>${s}</v></c>`),
  }),
  'string in a formula': (s) => ({
    rows: row(2, `<c r="A2" t="str"><f>LEN("${s}")&amp;"x"</f><v>x</v></c>`),
  }),
  'strings joined by a formula': (s) => ({
    rows: row(
      2,
      `<c r="A2" t="str"><f>${[...s].map((letter) => `"${letter}"`).join(' &amp; ')}</f><v>x</v></c>`,
      `<c r="B2" t="str"><f>_xlfn.CONCAT("${s.slice(0, 4)}", "${s.slice(4)}")</f><v>x</v></c>`,
    ),
  }),
  'formula that many share': (s) => ({
    rows:
      row(2, `<c r="A2"><f t="shared" ref="A2:A3" si="0">IF(B2="${s}",1,2)</f><v>2</v></c>`) +
      row(3, '<c r="A3"><f t="shared" si="0"/><v>2</v></c>'),
  }),
  'part of a cell by formula': () => ({
    rows: row(
      2,
      '<c r="A2" t="str"><f>LEFT(A1,3)</f><v>xyz</v></c>',
      '<c r="B2" t="str"><f>A2</f><v>xyz</v></c>',
    ),
  }),
  'hidden sheet': (s) => ({
    sheets: { Two: { rows: row(1, text('A1', s)), state: 'veryHidden' } },
  }),
  'hidden row': (s) => ({ rows: `<row r="2" hidden="1">${text('A2', s)}</row>` }),
  'name of a sheet': (s) => ({
    sheets: { [s]: { rows: row(1, `<c r="A1"><f>'${s}'!B1</f><v>1</v></c>`) } },
  }),
  'defined name': (s) => ({
    rows: row(2, `<c r="A2"><f>${s.replace(' ', '_')}*2</f><v>1</v></c>`),
    more: {
      workbook: `<definedNames><definedName name="${s.replace(' ', '_')}">One!$A$9</definedName><definedName name="n" comment="${s}">"${s}"</definedName></definedNames>`,
    },
  }),
  comment: (s) => ({
    sheet: {
      after: '<legacyDrawing r:id="rId8"/>',
      rels: {
        rId7: ['comments', '../comments1.xml'],
        rId8: ['vmlDrawing', '../drawings/v.vml'],
        rId9: ['threadedComment', '../threadedComments/t.xml'],
      },
    },
    more: {
      parts: {
        'xl/comments1.xml': {
          type: sheetType('comments'),
          body: `<comments xmlns="${ns.x}"><authors><author>${s}</author></authors></comments>`,
        },
        'xl/drawings/v.vml': { body: `<xml>${s}</xml>` },
        'xl/threadedComments/t.xml': { body: `<a>${s}</a>` },
      },
    },
  }),
  persons: (s) => ({
    more: {
      rels: { rId50: ['person', 'persons/person.xml'] },
      parts: { 'xl/persons/person.xml': { body: `<p displayName="${s}"/>` } },
    },
  }),
  properties: (s) => ({
    more: {
      root: {
        rId2: ['core-properties', 'docProps/core.xml'],
        rId3: ['extended-properties', 'docProps/app.xml'],
        rId4: ['thumbnail', 'docProps/thumbnail.jpeg'],
      },
      parts: {
        'docProps/core.xml': { body: `<p>${s}</p>` },
        'docProps/app.xml': { body: `<p>${s}</p>` },
        'docProps/thumbnail.jpeg': { body: s },
      },
    },
  }),
  'link to a file': (s) => ({
    rows: row(2, '<c r="A2" t="str"><f>[1]Sheet!A1</f><v>x</v></c>'),
    more: {
      workbook: '<externalReferences><externalReference r:id="rId50"/></externalReferences>',
      rels: { rId50: ['externalLink', 'externalLinks/e.xml'] },
      parts: { 'xl/externalLinks/e.xml': { body: `<e>${s}</e>` } },
    },
  }),
  'pivot table': (s) => ({
    sheet: { rels: { rId7: ['pivotTable', '../pivotTables/p.xml'] } },
    more: {
      workbook: '<pivotCaches><pivotCache cacheId="1" r:id="rId50"/></pivotCaches>',
      rels: { rId50: ['pivotCacheDefinition', 'pivotCache/c.xml'] },
      parts: {
        'xl/pivotCache/c.xml': { body: `<e>${s}</e>` },
        'xl/pivotTables/p.xml': { body: `<e>${s}</e>` },
      },
    },
  }),
  'query and connection': (s) => ({
    more: {
      rels: {
        rId50: ['connections', 'connections.xml'],
        rId51: ['customXml', '../customXml/item1.xml'],
        rId52: ['vbaProject', 'vbaProject.bin'],
      },
      parts: {
        'xl/connections.xml': { body: `<e>${s}</e>` },
        'customXml/item1.xml': { body: `<e>${s}</e>` },
        'xl/vbaProject.bin': { body: s },
      },
    },
  }),
  hyperlink: (s) => ({
    sheet: {
      after: `<hyperlinks><hyperlink ref="A2" r:id="rId7" tooltip="${s}" display="${s}"/></hyperlinks>`,
      rels: { rId7: ['hyperlink', `mailto:${s.replace(' ', '%20')}`] },
    },
  }),
  'filter, validation, condition': (s) => ({
    sheet: {
      after: `<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="${s}"/></filters></filterColumn></autoFilter><conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" operator="containsText" text="${s}"><formula>A1="${s}"</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="A1" prompt="${s}" error="${s}"><formula1>"x,${s}"</formula1></dataValidation></dataValidations>`,
    },
  }),
  'header of a printed page': (s) => ({
    sheet: {
      after: `<headerFooter><oddHeader>&amp;L${s}&amp;C&amp;12x</oddHeader></headerFooter>`,
    },
  }),
  scenario: (s) => ({
    sheet: {
      after: `<scenarios><scenario name="${s}" user="${s}"/></scenarios><protectedRanges><protectedRange name="${s}" sqref="A1"/></protectedRanges>`,
    },
  }),
  'format of numbers': (s) => ({
    more: {
      styles: `<numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;${s}&quot; 0"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`,
    },
  }),
  table: (s) => ({
    rows: row(2, text('A2', s), text('B2', 'b')) + row(3, text('A3', 'x')),
    sheet: {
      after: '<tableParts count="1"><tablePart r:id="rId7"/></tableParts>',
      rels: { rId7: ['table', '../tables/table1.xml'] },
    },
    more: {
      parts: {
        'xl/tables/table1.xml': {
          type: sheetType('table'),
          body: `<table xmlns="${ns.x}" id="1" name="T1" displayName="T1" ref="A2:B3"><autoFilter ref="A2:B3"><filterColumn colId="0"><filters><filter val="${s}"/></filters></filterColumn></autoFilter><tableColumns count="2"><tableColumn id="1" name="${s}"/><tableColumn id="2" name="b" totalsRowLabel="${s}"/></tableColumns></table>`,
        },
      },
    },
  }),
  'drawing and chart': (s) => ({
    sheet: {
      after: '<drawing r:id="rId7"/>',
      rels: { rId7: ['drawing', '../drawings/drawing1.xml'] },
    },
    more: {
      parts: {
        'xl/drawings/drawing1.xml': {
          type: 'application/vnd.openxmlformats-officedocument.drawing+xml',
          body: `<xdr:wsDr ${xmlns('xdr', 'a', 'r', 'c')}><xdr:oneCellAnchor><xdr:sp macro="${s}"><xdr:nvSpPr><xdr:cNvPr id="2" name="${s}" descr="${s}"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${s}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:oneCellAnchor><xdr:oneCellAnchor><xdr:graphicFrame><a:graphic><a:graphicData uri="${ns.c}"><c:chart r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:oneCellAnchor><xdr:oneCellAnchor><xdr:pic><xdr:blipFill><a:blip r:embed="rId2"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor></xdr:wsDr>`,
          rels: { rId1: ['chart', '../charts/chart1.xml'], rId2: ['image', '../media/i.png'] },
        },
        'xl/charts/chart1.xml': {
          type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
          body: `<c:chartSpace ${xmlns('c', 'a', 'r')}><c:chart><c:strRef><c:f>'${s}'!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>${s}</c:v></c:pt></c:strCache></c:strRef></c:chart></c:chartSpace>`,
        },
        'xl/media/i.png': { body: s },
      },
    },
  }),
  'extension and unknown namespace': (s) => ({
    sheet: { after: `<extLst><ext><e xmlns="http://secret.example/">${s}</e></ext></extLst>` },
    rows: `<row r="2" e:a="${s}" xmlns:e="http://secret.example/">${text('A2', 'x')}</row>`,
  }),
};

const build = (make: (typeof channels)[string], secret: string): Uint8Array => {
  const { rows = '', sheet = {}, sheets = {}, more } = make(secret);
  const first = row(1, text('A1', `On ${secret}`));
  return xlsx({ One: { rows: first + rows, ...sheet }, ...sheets }, more);
};

describe('redaction of XLSX', () => {
  for (const [channel, make] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const redacted = await redactBytes('xlsx', build(make, name), detector);
      expect(failedChecks(redacted)).to.deep.equal([]);
      expect(findSecret(redacted.output!, name)).to.deep.equal([]);
      for (const other of ['Ida Orr', 'Theodora Featherstonehaugh']) {
        const again = await redactBytes('xlsx', build(make, other), detector);
        expect(again.output?.equals(redacted.output!), `as with ${other}`).to.equal(true);
      }
    });
  }

  const sheetOf = async (rows: string, more?: More): Promise<{ xml: string; pages: string[] }> => {
    const { output, result } = await redactBytes('xlsx', xlsx({ One: { rows } }, more), detector);
    return { xml: strFromU8(unzipSync(output!)['xl/worksheets/sheet1.xml']!), pages: result.pages };
  };

  it('replaces a card number with text and keeps other numbers', async () => {
    const { xml, pages } = await sheetOf(
      row(
        1,
        `<c r="A1"><v>${card}</v></c>`,
        '<c r="B1"><v>4.111111111111111E15</v></c>',
        '<c r="C1" s="0"><v>12.50</v></c>',
        '<c r="D1" t="b"><v>1</v></c>',
      ),
    );
    expect(xml).to.contain('<c r="A1" t="inlineStr"><is><t>[CREDIT_CARD]</t></is></c>');
    expect(xml).to.contain('<c r="B1" t="inlineStr"><is><t>[CREDIT_CARD]</t></is></c>');
    expect(xml).to.contain('<c r="C1" s="0" t="n"><v>12.50</v></c><c r="D1" t="b"><v>1</v></c>');
    expect(pages).to.deep.equal(['[CREDIT_CARD]\t[CREDIT_CARD]\t12.5\t\n']);
  });

  it('reads dates and patterned numbers as shown', async () => {
    const styles =
      '<numFmts count="1"><numFmt numFmtId="170" formatCode="000\\-00\\-0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>';
    const { pages } = await sheetOf(
      row(
        1,
        '<c r="A1" s="1"><v>29353</v></c>',
        '<c r="B1" s="2"><v>78051120</v></c>',
        '<c r="C1"><v>29353</v></c>',
      ),
      { styles },
    );
    expect(pages).to.deep.equal(['1980-05-12\t078-05-1120\t29353\t\n']);
  });

  it('finds numbers whose formats hide, abbreviate or frame them', async () => {
    const formats = [
      '&quot;SSN: &quot;000-00-0000',
      '[&lt;=999999999]000-00-0000;00-0000000',
      '0.00E+00',
      '#,##0',
      ';;;',
      '&quot;Card&quot;0',
      'yyyy',
    ];
    const styles = `<numFmts count="${formats.length}">${formats
      .map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellXfs>${formats
      .map((_, index) => `<xf numFmtId="${170 + index}"/>`)
      .join('')}</cellXfs>`;
    const number = (place: string, style: number, value: string): string =>
      `<c r="${place}" s="${style}"><v>${value}</v></c>`;
    const rows =
      row(1, text('A1', 'SSN'), text('B1', 'SSN'), text('C1', 'Card'), text('D1', 'Born')) +
      row(2, number('A2', 0, '536224587'), number('B2', 1, '536224587'), number('D2', 6, '29353')) +
      [2, 3, 4, 5, 6]
        .map((style, index) => row(3 + index, number(`C${3 + index}`, style, card)))
        .join('');
    const detect = createDetector({
      entities: ['US_SSN', 'CREDIT_CARD', 'DATE_OF_BIRTH'],
      customPatterns: [],
      allowList: [],
      minConfidence: 0.5,
    });
    const { result } = await redactBytes('xlsx', xlsx({ One: { rows } }, { styles }), detect);
    expect(result.pages).to.deep.equal([
      `SSN\tSSN\tCard\tBorn\t\nSSN: [US_SSN]\t[US_SSN]\t[DATE_OF_BIRTH]\t\n${'[CREDIT_CARD]\t\n'.repeat(5)}`,
    ]);
  });

  it('keeps harmless formulas, and the results of those it drops', async () => {
    const { xml } = await sheetOf(
      row(1, text('A1', name), '<c r="B1"><v>2</v></c>') +
        row(
          2,
          '<c r="A2"><f>SUM(B1:B1)</f><v>2</v></c>',
          '<c r="B2"><f>A1&amp;""="x"</f><v>3</v></c>',
          `<c r="C2"><f>B1+LEN("${name}")</f><v>18</v></c>`,
        ),
    );
    expect(xml).to.contain('<c r="A2" t="n"><f>SUM(B1:B1)</f><v>2</v></c>');
    // Computed from a removed cell: the result could reveal its value.
    expect(xml).to.contain('<c r="B2" t="inlineStr"><is><t>[PERSON]</t></is></c>');
    expect(xml).to.contain('<c r="C2" t="n"><v>18</v></c>');
  });

  it('reads the text of a formula without a result beside its label', async () => {
    const file = xlsx({
      One: { rows: row(1, text('A1', 'Passport'), '<c r="B1"><f>"C03005988"</f></c>') },
    });
    const passports = createDetector({
      entities: ['PASSPORT'],
      minConfidence: 0.5,
      customPatterns: [],
      allowList: [],
    });
    const { output, result } = await redactBytes('xlsx', file, passports);
    expect(result.pages[0]).to.equal('Passport\t[PASSPORT]\t\n');
    expect(findSecret(output!, 'C03005988')).to.deep.equal([]);
  });

  it('has a page per sheet, including hidden ones', async () => {
    const file = xlsx({
      One: {
        rows:
          row(1, text('A1', 'Name'), text('B1', 'Age')) +
          row(2, text('A2', name), '<c r="B2"><v>7</v></c>'),
      },
      Two: { rows: row(1, text('A1', 'x')), state: 'hidden' },
    });
    const { result } = await redactBytes('xlsx', file, detector);
    expect(result.pages).to.deep.equal(['Name\tAge\t\n[PERSON]\t7\t\n', 'x\t\n']);
    expect(result.removals.map(({ page, value }) => [page, value])).to.deep.equal([[1, name]]);
  });

  it('has nothing of parts that are not read, whatever their kind, and reports those with text', async () => {
    const secret = 'Leopold Anzenfeld';
    for (const kind of [...workbookParts.complete, ...workbookParts.reported, 'somethingNew']) {
      const redacted = await redactBytes(
        'xlsx',
        xlsx(
          {
            S: {
              rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
              rels: { rId77: [kind, '../other/part.xml'] },
            },
          },
          { parts: { 'xl/other/part.xml': { body: `<a xmlns="${ns.x}">${secret}</a>` } } },
        ),
        createNameDetector(),
      );
      expect(failedChecks(redacted), kind).to.deep.equal([]);
      expect(findSecret(redacted.output!, secret), kind).to.deep.equal([]);
      const { dropped } = redacted.result;
      if (workbookParts.reported.includes(kind)) expect(dropped, kind).to.deep.equal([kind]);
    }
  });
});
