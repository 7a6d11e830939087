import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import {
  chartContent,
  type OdfMore,
  odfKinds,
  odfNames,
  openDocument,
  sheet,
  slidePage,
  tableCell,
  textFrame,
  textParagraph,
} from '../../../support/open-document.ts';
import {
  createSecretDetector,
  expectRemoved,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createSecretDetector(name);
type Kind = keyof typeof odfKinds;

/** The body of a file of a kind with a paragraph of text, and further content. */
const bodies: Record<Kind, (text: string, content: string) => string> = {
  odt: (text, content) => textParagraph(text) + content,
  ods: (text, content) => sheet('One', tableCell(text)) + content,
  odp: (text, content) => slidePage(textFrame(text)) + content,
};

/** Channels of files of every kind: parts beside the content. */
const commonChannels: Record<string, (secret: string) => OdfMore> = {
  'properties, settings, thumbnail, versions and code': (s) => ({
    parts: {
      ...Object.fromEntries(
        [
          'meta.xml',
          'settings.xml',
          'manifest.rdf',
          'VersionList.xml',
          'Configurations2/menu.xml',
          'Basic/script-lc.xml',
          'META-INF/documentsignatures.xml',
          'Unknown/part.xml',
        ].map((part) => [part, `<a b="${s}">${s}</a>`]),
      ),
      'Thumbnails/thumbnail.png': s,
      'Versions/Version1': openDocument('odt', textParagraph(s)),
      'ObjectReplacements/Object 1': s,
    },
  }),
  'custom style': (s) => ({
    automatic: `<style:style style:name="P1" style:parent-style-name="For_20_${s.replace(' ', '_20_')}"/>`,
    styles: `<style:style style:name="For_20_${s.replace(' ', '_20_')}" style:display-name="For ${s}" style:family="paragraph"/>`,
  }),
  'style that only its name tells': (s) => ({
    styles: `<style:style style:name="${s.replace(' ', '_20_')}" style:family="paragraph"/>`,
  }),
  'header and footer': (s) => ({
    masters: `<style:master-page style:name="Standard"><style:header><text:p>${s.slice(0, 2)}<text:span>${s.slice(2)}</text:span></text:p></style:header><style:footer><text:p>${s}</text:p></style:footer></style:master-page>`,
  }),
  'format of numbers and lists': (s) => ({
    automatic: `<number:text-style style:name="N1"><number:text>${s}</number:text></number:text-style><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-suffix=" ${s}"/></text:list-style><style:style style:name="ce1"><style:map style:condition="cell-content()=&quot;${s}&quot;" style:apply-style-name="P1"/></style:style>`,
  }),
  'code, forms and unknown elements': (s) => ({
    before: `<office:scripts><script:event a="${s}">${s}</script:event></office:scripts><loext:a>${s}</loext:a><!-- ${s} --><?a ${s}?>`,
  }),
};

const object = (href: string, more = ''): string =>
  `<draw:frame draw:name="Object 1"><draw:object xlink:href="${href}"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>${more}</draw:frame>`;

/** Channels: the content of a body, and further parts for a secret. */
const channels: Record<
  Kind,
  Record<string, (secret: string) => [content: string, more?: OdfMore]>
> = {
  odt: {
    'over spans': (s) => [
      textParagraph(
        `${s.slice(0, 2)}<text:span text:style-name="T1">${s.slice(2, 4)}</text:span>${s.slice(4)}`,
      ),
    ],
    'space elements': (s) => [textParagraph(`I, ${s.replace(' ', '<text:s/>')}, am`)],
    'line break in the file': (s) => [textParagraph(s.replace(' ', '\n    '))],
    'references to characters': (s) => [
      textParagraph([...s].map((letter) => `&#${letter.charCodeAt(0)};`).join('')),
    ],
    'tracked changes': (s) => [
      `<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>${s}</dc:creator></office:change-info><text:p>${s}</text:p></text:deletion></text:changed-region></text:tracked-changes>` +
        textParagraph('a<text:change text:change-id="c1"/>b'),
    ],
    comment: (s) => [
      textParagraph(
        `x<office:annotation office:name="${s}"><dc:creator>${s}</dc:creator><text:p>${s}</text:p></office:annotation>y<office:annotation-end office:name="${s}"/>`,
      ),
    ],
    'note and text box': (s) => [
      textParagraph(
        `x<text:note><text:note-citation>1</text:note-citation><text:note-body>${textParagraph(s)}</text:note-body></text:note>${textFrame(s)}`,
      ),
    ],
    'table of text with a stored number': (s) => [
      `<table:table table:name="${s}"><table:table-row>${tableCell(s, `office:value-type="string" office:string-value="${s}" table:formula="ooow:&lt;A1&gt; ${s}"`)}</table:table-row></table:table>`,
    ],
    fields: (s) => [
      `<text:user-field-decls><text:user-field-decl text:name="a" office:string-value="${s}"/></text:user-field-decls>` +
        textParagraph(
          `<text:user-field-get text:name="${s}">${s}</text:user-field-get> <text:author-name>${s}</text:author-name> <text:conditional-text text:string-value-if-true="${s}">x</text:conditional-text><text:script>${s}</text:script>`,
        ),
    ],
    'index and its template': (s) => [
      `<text:table-of-content text:name="${s}"><text:table-of-content-source><text:index-title-template>${s}</text:index-title-template></text:table-of-content-source><text:index-body>${textParagraph(s)}</text:index-body></text:table-of-content>`,
    ],
    'section, bookmark and link': (s) => [
      `<text:section text:name="${s}" text:condition="${s}"><text:section-source xlink:href="file:///${s}"/>${textParagraph(
        `<text:bookmark text:name="${s}"/><text:reference-mark text:name="${s}"/><text:toc-mark text:string-value="${s}"/><text:a xlink:href="mailto:${s.replace(' ', '%20')}" office:title="${s}" office:name="${s}">x</text:a>`,
      )}</text:section>`,
    ],
    'picture and what it is called': (s) => [
      textParagraph(
        `<draw:frame draw:name="${s}"><draw:image xlink:href="Pictures/${s.replace(' ', '')}.png"/><svg:title>${s}</svg:title><svg:desc>${s}</svg:desc></draw:frame><draw:frame><draw:image><office:binary-data>${Buffer.from(s).toString('base64')}</office:binary-data></draw:image></draw:frame>`,
      ),
      { parts: { [`Pictures/${s.replace(' ', '')}.png`]: `pixels of ${s}` } },
    ],
    'chart and its picture': (s) => [
      textParagraph(object('./Object 1')),
      {
        parts: {
          'Object 1/content.xml': chartContent(
            `${s.slice(0, 2)}<text:span>${s.slice(2)}</text:span>`,
            tableCell(s, `office:value-type="string" office:string-value="${s}"`),
          ),
          'Object 1/meta.xml': `<a>${s}</a>`,
          'ObjectReplacements/Object 1': s,
        },
      },
    ],
    'other objects': (s) => [
      textParagraph(
        `${object('./Object 1')}<draw:frame><draw:object-ole xlink:href="./Object 2"/></draw:frame><draw:frame><draw:object><math:math><math:mi>${s}</math:mi></math:math></draw:object></draw:frame><draw:frame><draw:floating-frame xlink:href="https://x.example/${s}"/></draw:frame>`,
      ),
      {
        parts: {
          'Object 1/content.xml': `<math:math xmlns:math="http://www.w3.org/1998/Math/MathML">${s}</math:math>`,
          'Object 2': s,
        },
      },
    ],
    'form and control': (s) => [
      `<office:forms><form:form form:name="${s}"><form:text form:current-value="${s}"/></form:form></office:forms>${textParagraph(`<draw:control draw:control="${s}"/>`)}`,
    ],
    'text where none belongs': (s) => [`${s}<text:list>${s}</text:list>`],
  },
  ods: {
    'hidden sheet and its name': (s) => [
      sheet(s, tableCell(s)).replace('<table:table ', '<table:table table:style-name="hidden" '),
    ],
    'hidden row': (s) => [
      `<table:table table:name="B"><table:table-row-group><table:table-row table:visibility="collapse">${tableCell(s)}</table:table-row></table:table-row-group></table:table>`,
    ],
    'cell over spans and paragraphs': (s) => [
      sheet(
        'B',
        `<table:table-cell office:value-type="string"><text:p>${s.slice(0, 2)}<text:span>${s.slice(2)}</text:span></text:p><text:p>${s}</text:p></table:table-cell>`,
      ),
    ],
    'formula and its stored result': (s) => [
      sheet(
        'B',
        tableCell(
          s,
          `table:formula="of:=&quot;${s.slice(0, 3)}&quot;&amp;&quot;${s.slice(3)}&quot;" office:value-type="string" office:string-value="${s}"`,
        ),
      ),
    ],
    'result that depends on a cell': (s) => [
      sheet(
        'B',
        tableCell(s) +
          tableCell(s.slice(-3), `table:formula="of:=RIGHT([.A1];3)" office:value-type="string"`),
      ),
    ],
    'formula with the name of a sheet': (s) => [
      sheet(s, tableCell('1')) +
        sheet(
          'C',
          tableCell(
            '1',
            `table:formula="of:=[$'${s}'.A1]" office:value-type="float" office:value="1"`,
          ),
        ),
    ],
    'comment of a cell': (s) => [
      sheet(
        'B',
        `<table:table-cell office:value-type="string"><office:annotation><dc:creator>${s}</dc:creator>${textParagraph(s)}</office:annotation>${textParagraph('x')}</table:table-cell>`,
      ),
    ],
    'names, filters, validations, pivot tables': (s) => [
      `<table:content-validations><table:content-validation table:condition="${s}"><table:help-message>${textParagraph(s)}</table:help-message></table:content-validation></table:content-validations>${sheet('B', tableCell('x'))}<table:named-expressions><table:named-range table:name="${s.replace(' ', '_')}" table:cell-range-address="$B.$A$1"/></table:named-expressions><table:database-ranges><table:database-range table:name="${s}"><table:filter><table:filter-condition table:value="${s}"/></table:filter></table:database-range></table:database-ranges><table:data-pilot-tables><table:data-pilot-table table:name="${s}"/></table:data-pilot-tables><table:tracked-changes><table:cell-content-change>${textParagraph(s)}</table:cell-content-change></table:tracked-changes>`,
    ],
    'shape and chart': (s) => [
      `<table:table table:name="B"><table:shapes>${textFrame(s)}${object('./Object 1')}</table:shapes><table:table-row><table:table-cell>${textFrame(s)}</table:table-cell></table:table-row></table:table>`,
      { parts: { 'Object 1/content.xml': chartContent(s, tableCell(s)) } },
    ],
    'protected cells': (s) => [
      sheet('B', tableCell('x')).replace(
        '<table:table ',
        `<table:table table:protected="true" table:protection-key="${s}" table:print-ranges="${s}" `,
      ),
    ],
  },
  odp: {
    'hidden slide and its name': (s) => [
      `<draw:page draw:name="${s}" presentation:visibility="hidden">${textFrame(s)}</draw:page>`,
    ],
    'group of shapes': (s) => [
      slidePage(
        `<draw:g draw:name="${s}"><draw:custom-shape>${textParagraph(`${s.slice(0, 2)}<text:span>${s.slice(2)}</text:span>`)}<draw:enhanced-geometry/></draw:custom-shape></draw:g>`,
      ),
    ],
    notes: (s) => [
      slidePage(
        '',
        `<presentation:notes><draw:page-thumbnail/>${textFrame(s)}</presentation:notes>`,
      ),
    ],
    'footer of all slides': (s) => [
      `<presentation:footer-decl presentation:name="ftr1">${s}</presentation:footer-decl>`,
    ],
    animation: (s) => [
      slidePage(
        '',
        `<anim:par><anim:command anim:command="${s}"/></anim:par><presentation:animations a="${s}"/><presentation:settings><presentation:show presentation:name="${s}"/></presentation:settings>`,
      ),
    ],
    'comment on a slide': (s) => [
      slidePage(
        '',
        `<office:annotation><dc:creator>${s}</dc:creator>${textParagraph(s)}</office:annotation>`,
      ),
    ],
    'master and its prompts': (s) => [
      '',
      {
        masters: `<style:master-page style:name="Default">${textFrame(s)}<draw:frame presentation:class="title" presentation:placeholder="true"><draw:text-box>${textParagraph(`${s.slice(0, 2)}<text:span>${s.slice(2)}</text:span>`)}</draw:text-box></draw:frame></style:master-page>`,
      },
    ],
    'table and chart': (s) => [
      slidePage(
        `<draw:frame><table:table><table:table-row>${tableCell('Name')}${tableCell(s)}</table:table-row></table:table></draw:frame>${object('./Object 1')}`,
      ),
      { parts: { 'Object 1/content.xml': chartContent(s, tableCell(s)) } },
    ],
    'film and sound': (s) => [
      slidePage(`<draw:frame draw:name="x"><draw:plugin xlink:href="file:///${s}"/></draw:frame>`),
    ],
  },
};

const kinds = Object.keys(odfKinds) as Kind[];

describe('redaction of OpenDocument', () => {
  for (const kind of kinds) {
    const common = Object.entries(commonChannels).map(
      ([channel, make]): [string, (secret: string) => [string, OdfMore?]] => [
        channel,
        (s) => ['', make(s)],
      ],
    );
    for (const [channel, make] of [...common, ...Object.entries(channels[kind])]) {
      it(`removes a secret from ${kind}: ${channel}`, async () => {
        const build = (secret: string): Uint8Array => {
          const [content, more] = make(secret);
          return openDocument(kind, bodies[kind](`On ${secret}.`, content), more);
        };
        await expectRemoved(kind, name, build);
      });
    }
  }

  it('keeps the surrounding words, notes and links in place', async () => {
    const body =
      '<text:h text:outline-level="1">One</text:h>' +
      textParagraph(
        `Dear <text:span text:style-name="T1">Mara</text:span> Quellwasser,<text:tab/>&lt;hi&gt;<text:note><text:note-citation>1</text:note-citation><text:note-body>${textParagraph('A note.')}</text:note-body></text:note> <text:a xlink:href="https://example.org/a">link</text:a>`,
      ) +
      `<table:table><table:table-row>${tableCell('a')}${tableCell('b')}</table:table-row><table:table-row>${tableCell('c')}<table:table-cell/></table:table-row></table:table>`;
    const { output, result } = await redactBytes('odt', openDocument('odt', body), detector);
    const files = unzipSync(output!);
    expect(Object.keys(files)).to.deep.equal([
      'mimetype',
      'content.xml',
      'styles.xml',
      'META-INF/manifest.xml',
    ]);
    expect(result.pages).to.deep.equal(['One\nDear [PERSON],\t<hi> link\na\tb\nc\n1\nA note.']);
    expect(strFromU8(files['content.xml']!)).to.contain(
      '<text:p>Dear <text:span text:style-name="T1">[PERSON]</text:span>,<text:tab/>&lt;hi&gt;<text:note>',
    );
    expect(strFromU8(files['content.xml']!)).to.contain('xlink:href="https://example.org/a"');
    // The type is the first part, and is not compressed (ODF 1.3 part 2, 3.3).
    expect(Buffer.from(output!.subarray(30, 38)).toString()).to.equal('mimetype');
    expect(Buffer.from(output!.subarray(38, 77)).toString()).to.equal(
      'application/vnd.oasis.opendocument.text',
    );
  });

  it('writes a removed number of a sheet as text, and keeps other numbers and formulas', async () => {
    const card = 'office:value-type="float" office:value="4111111111111111"';
    const rows = [
      tableCell('Card') + tableCell('Fee') + tableCell('Sum'),
      tableCell('4.11E+15', card) +
        tableCell('12.50', 'office:value-type="float" office:value="12.5"') +
        tableCell(
          '25.00',
          'office:value-type="float" office:value="25" table:formula="of:=[.B2]*2"',
        ),
      tableCell('4111111111111111', `${card} table:number-columns-repeated="2"`) +
        tableCell('1111', 'office:value-type="string" table:formula="of:=RIGHT([.B3];4)"'),
      tableCell(
        '7',
        `office:value-type="float" office:value="7" table:formula="of:=['file:///tmp/a.ods'#$Sheet1.A1]"`,
      ) + tableCell('9', 'office:value-type="float" office:value="9" table:formula="of:=Rates*2"'),
    ];
    const names =
      '<table:named-expressions><table:named-range table:name="Rates" table:cell-range-address="$One.$A$1"/></table:named-expressions>';
    const file = openDocument('ods', sheet('One', ...rows) + names);
    const { output, result, ...rest } = await redactBytes('ods', file, detector);
    expect(failedChecks({ output, result, ...rest })).to.deep.equal([]);
    const content = strFromU8(unzipSync(output!)['content.xml']!);
    expect(content).to.not.match(/4111|4\.11E|>1111|file:|Rates/);
    expect(content).to.contain(
      '<table:table-cell office:value-type="string"><text:p>[CREDIT_CARD]</text:p></table:table-cell>',
    );
    expect(content).to.contain('office:value="25" table:formula="of:=[.B2]*2"');
    expect(content).to.contain('office:value="9"').and.contain('office:value="7"');
    expect(result.pages[0]).to.match(/^\[CREDIT_CARD\]\t12/m);
    expect(findSecret(output!, '4111111111111111')).to.deep.equal([]);
  });

  it('has a page per sheet and per slide, and reports objects that are not read', async () => {
    const sheets = sheet('One', tableCell('a')) + sheet('Two', tableCell(name));
    const workbook = await redactBytes('ods', openDocument('ods', sheets), detector);
    expect(workbook.result.pages.map((text) => text.trim())).to.deep.equal(['a', '[PERSON]']);
    const slides = slidePage(textFrame('a')) + slidePage(textFrame(name));
    const talk = await redactBytes('odp', openDocument('odp', slides), detector);
    expect(talk.result.pages.map((text) => text.trim())).to.deep.equal(['a', '[PERSON]']);
    expect(talk.result.removals.map(({ page }) => page)).to.deep.equal([2]);
    expect(talk.result.dropped).to.deep.equal([]);
  });

  it('keeps charts without their pictures, and replaces pictures', async () => {
    const body = textParagraph(
      `${object('./Object 1')}<draw:frame><draw:image xlink:href="Pictures/a.svg"/><draw:image xlink:href="Pictures/a.png"/></draw:frame>`,
    );
    const file = openDocument('odt', body, {
      parts: {
        'Object 1/content.xml': chartContent('Sales', tableCell('7')),
        'Object 1/styles.xml': `<office:document-styles ${odfNames}/>`,
        'ObjectReplacements/Object 1': 'x',
        'Pictures/a.svg': 'x',
        'Pictures/a.png': 'y',
      },
    });
    const { output, result } = await redactBytes('odt', file, detector);
    const files = unzipSync(output!);
    expect(Object.keys(files)).to.deep.equal([
      'mimetype',
      'content.xml',
      'styles.xml',
      'Object 1/content.xml',
      'Pictures/image1.png',
      'META-INF/manifest.xml',
    ]);
    expect(result.picturesReplaced).to.equal(1);
    expect(result.pages[0]).to.contain('Sales').and.contain('7');
    expect(strFromU8(files['content.xml']!)).to.not.contain('ObjectReplacements');
  });
});
