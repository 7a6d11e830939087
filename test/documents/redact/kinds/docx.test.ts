import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { docx, ns, type OfficePart, paragraph, run, xmlns } from '../../../support/office.ts';
import { documentParts } from '../../../support/part-kinds.ts';
import {
  createNameDetector,
  createSecretDetector,
  expectRemoved,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createSecretDetector(name);
const word = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;

type More = NonNullable<Parameters<typeof docx>[1]>;
const partOf = (root: string, body: string, type: string): OfficePart => ({
  type,
  body: `<w:${root} ${xmlns('w', 'r', 'a', 'v', 'o', 'wp')}>${body}</w:${root}>`,
});
const textBox = (text: string): string => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`;
const field = (instruction: string, shown: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** Channels: a body and further parts for a secret. */
const channels: Record<string, (secret: string) => [body: string, more?: More]> = {
  run: (s) => [paragraph(run(`I, ${s}, am`))],
  'over runs': (s) => [
    paragraph(
      run(s.slice(0, 2)),
      `<w:r><w:rPr><w:b/></w:rPr><w:t>${s.slice(2, 5)}</w:t></w:r>`,
      run(s.slice(5)),
    ),
  ],
  'beside another run': (s) => [paragraph(run('Tenant'), run(s), run('Phone 12'))],
  'hidden text': (s) => [paragraph(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>${s}</w:t></w:r>`)],
  table: (s) => [`<w:tbl><w:tr><w:tc>${paragraph(run(s))}</w:tc></w:tr></w:tbl>`],
  'inserted text': (s) => [
    paragraph(`<w:ins w:id="1" w:author="${s}" w:date="2020-01-01T00:00:00Z">${run(s)}</w:ins>`),
  ],
  'deleted text': (s) => [
    paragraph(
      `<w:del w:id="1" w:author="${s}"><w:r><w:delText>${s}</w:delText></w:r></w:del>`,
      run('x'),
    ),
  ],
  'moved text': (s) => [
    paragraph(
      `<w:moveFromRangeStart w:id="1" w:name="${s}" w:author="${s}"/><w:moveFrom w:id="2">${run(s)}</w:moveFrom><w:moveFromRangeEnd w:id="1"/>`,
      `<w:moveTo w:id="3">${run(s)}</w:moveTo>`,
    ),
  ],
  'changed looks': (s) => [
    `<w:p><w:pPr><w:pPrChange w:id="1" w:author="${s}"><w:pPr/></w:pPrChange></w:pPr>${run('x')}</w:p>`,
  ],
  'deleted row': (s) => [
    `<w:tbl><w:tr><w:tc>${paragraph(run('x'))}</w:tc></w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr><w:tc>${paragraph(run(s))}</w:tc></w:tr></w:tbl>`,
  ],
  header: (s) => [
    `<w:sectPr><w:headerReference w:type="default" r:id="rId${s.length}"/></w:sectPr>`,
    {
      rels: { [`rId${s.length}`]: ['header', `header-${s.replace(' ', '')}.xml`] },
      parts: {
        [`word/header-${s.replace(' ', '')}.xml`]: partOf('hdr', paragraph(run(s)), word('header')),
      },
    },
  ],
  footer: (s) => [
    '<w:sectPr><w:footerReference w:type="default" r:id="rId5"/></w:sectPr>',
    {
      rels: { rId5: ['footer', 'footer1.xml'] },
      parts: { 'word/footer1.xml': partOf('ftr', paragraph(run(s)), word('footer')) },
    },
  ],
  footnote: (s) => [
    paragraph('<w:r><w:footnoteReference w:id="2"/></w:r>'),
    {
      rels: { rId5: ['footnotes', 'footnotes.xml'] },
      parts: {
        'word/footnotes.xml': partOf(
          'footnotes',
          `<w:footnote w:id="2">${paragraph(run(s))}</w:footnote>`,
          word('footnotes'),
        ),
      },
    },
  ],
  endnote: (s) => [
    paragraph('<w:r><w:endnoteReference w:id="2"/></w:r>'),
    {
      rels: { rId5: ['endnotes', 'endnotes.xml'] },
      parts: {
        'word/endnotes.xml': partOf(
          'endnotes',
          `<w:endnote w:id="2">${paragraph(run(s))}</w:endnote>`,
          word('endnotes'),
        ),
      },
    },
  ],
  comment: (s) => [
    paragraph(
      '<w:commentRangeStart w:id="1"/>',
      run('x'),
      '<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>',
    ),
    {
      rels: { rId5: ['comments', 'comments.xml'] },
      parts: {
        'word/comments.xml': partOf(
          'comments',
          `<w:comment w:id="1" w:author="${s}">${paragraph(run(s))}</w:comment>`,
          word('comments'),
        ),
      },
    },
  ],
  people: (s) => [
    paragraph(run('x')),
    {
      rels: { rId5: ['people', 'people.xml'] },
      parts: { 'word/people.xml': { type: word('people'), body: `<people a="${s}"/>` } },
    },
  ],
  properties: (s) => [
    paragraph(run('x')),
    {
      root: {
        rId2: ['core-properties', 'docProps/core.xml'],
        rId3: ['extended-properties', 'docProps/app.xml'],
        rId4: ['custom-properties', 'docProps/custom.xml'],
      },
      parts: Object.fromEntries(
        ['core', 'app', 'custom'].map((part) => [
          `docProps/${part}.xml`,
          { body: `<p><creator>${s}</creator></p>` },
        ]),
      ),
    },
  ],
  'custom XML': (s) => [
    paragraph(
      `<w:customXml w:element="${s}">${run('x')}</w:customXml><w:smartTag w:element="e"><w:smartTagPr><w:attr w:name="n" w:val="${s}"/></w:smartTagPr>${run('y')}</w:smartTag>`,
    ),
    {
      rels: { rId5: ['customXml', '../customXml/item1.xml'] },
      parts: { 'customXml/item1.xml': { body: `<p>${s}</p>` } },
    },
  ],
  'content control': (s) => [
    `<w:sdt><w:sdtPr><w:alias w:val="${s}"/><w:tag w:val="${s}"/><w:dataBinding w:xpath="/${s}"/><w:dropDownList><w:listItem w:displayText="${s}" w:value="${s}"/></w:dropDownList></w:sdtPr><w:sdtContent>${paragraph(run(s))}</w:sdtContent></w:sdt>`,
  ],
  hyperlink: (s) => [
    paragraph(`<w:hyperlink r:id="rId5" w:tooltip="${s}">${run('x')}</w:hyperlink>`),
    { rels: { rId5: ['hyperlink', `mailto:${s.replace(' ', '%20')}`] } },
  ],
  'field of a link': (s) => [paragraph(field(` HYPERLINK "mailto:${s}" `, 'x'))],
  'field in one element': (s) => [
    paragraph(`<w:fldSimple w:instr=" AUTHOR &quot;${s}&quot; ">${run(s)}</w:fldSimple>`),
  ],
  'field that stays': (s) => [paragraph(field(` SEQ "${s}" `, '1'))],
  'form field': (s) => [
    paragraph(
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="${s}"/><w:helpText w:val="${s}"/><w:textInput><w:default w:val="${s}"/></w:textInput></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMTEXT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`,
    ),
  ],
  bookmark: (s) => [
    paragraph(
      `<w:bookmarkStart w:id="1" w:name="${s.replace(' ', '_')}"/>`,
      run('x'),
      '<w:bookmarkEnd w:id="1"/>',
      `<w:hyperlink w:anchor="${s.replace(' ', '_')}">${run('y')}</w:hyperlink>`,
      field(` REF ${s.replace(' ', '_')} \\h `, 'x'),
    ),
  ],
  'picture and what it is called': (s) => [
    paragraph(
      `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="${s}" descr="${s}"/><a:graphic><a:graphicData uri="${ns.pic}"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="${s}.png"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId5"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
    ),
    {
      rels: { rId5: ['image', `media/${s.replace(' ', '')}.png`] },
      parts: { [`word/media/${s.replace(' ', '')}.png`]: { body: `pixels of ${s}` } },
    },
  ],
  'text box in both branches': (s) => [
    paragraph(
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><a:graphic><a:graphicData uri="${ns.wps}"><wps:wsp><wps:txbx>${textBox(s)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape alt="${s}"><v:textbox>${textBox(s)}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
  ],
  'drawn word': (s) => [
    paragraph(`<w:r><w:pict><v:shape><v:textpath string="${s}"/></v:shape></w:pict></w:r>`),
  ],
  'diagram, which is not read': (s) => [
    paragraph(
      `<w:r><w:drawing><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><a:t>${s}</a:t></a:graphicData></a:graphic></w:drawing></w:r>`,
    ),
  ],
  chart: (s) => [
    paragraph(
      `<w:r><w:drawing><a:graphic><a:graphicData uri="${ns.c}"><c:chart r:id="rId5"/></a:graphicData></a:graphic></w:drawing></w:r>`,
    ),
    {
      rels: { rId5: ['chart', 'charts/chart1.xml'] },
      parts: {
        'word/charts/chart1.xml': {
          type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
          body: `<c:chartSpace ${xmlns('c', 'a', 'r')}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>${s}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:cat><c:strRef><c:f>'${s}'!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>${s}</c:v></c:pt></c:strCache></c:strRef></c:cat></c:chart><c:externalData r:id="rId1"/></c:chartSpace>`,
          rels: { rId1: ['package', '../embeddings/book.xlsx'] },
        },
        'word/embeddings/book.xlsx': { body: s },
      },
    },
  ],
  'embedded object and macros': (s) => [
    paragraph(
      `<w:r><w:object><v:shape alt="${s}"/><o:OLEObject r:id="rId5" ProgID="${s}"/></w:object></w:r>`,
    ),
    {
      rels: { rId5: ['oleObject', 'embeddings/a.bin'], rId6: ['vbaProject', 'vbaProject.bin'] },
      parts: { 'word/embeddings/a.bin': { body: s }, 'word/vbaProject.bin': { body: s } },
    },
  ],
  glossary: (s) => [
    paragraph(run('x')),
    {
      rels: { rId5: ['glossaryDocument', 'glossary/document.xml'] },
      parts: {
        'word/glossary/document.xml': partOf('glossaryDocument', run(s), word('document.glossary')),
      },
    },
  ],
  settings: (s) => [
    paragraph(run('x')),
    {
      rels: { rId5: ['settings', 'settings.xml'] },
      parts: {
        'word/settings.xml': partOf(
          'settings',
          `<w:docVars><w:docVar w:name="a" w:val="${s}"/></w:docVars><w:mailMerge><w:query w:val="${s}"/></w:mailMerge><w:rsids><w:rsid w:val="00AA1234"/></w:rsids><w:evenAndOddHeaders/>`,
          word('settings'),
        ),
      },
    },
  ],
  'style and numbering': (s) => [
    `<w:p><w:pPr><w:pStyle w:val="${s.replace(' ', '')}"/></w:pPr>${run('x')}</w:p>`,
    {
      rels: { rId5: ['styles', 'styles.xml'], rId6: ['numbering', 'numbering.xml'] },
      parts: {
        'word/styles.xml': partOf(
          'styles',
          `<w:style w:customStyle="1" w:styleId="${s.replace(' ', '')}"><w:name w:val="Letter of ${s}"/></w:style>`,
          word('styles'),
        ),
        'word/numbering.xml': partOf(
          'numbering',
          `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="${s} %1"/></w:lvl></w:abstractNum>`,
          word('numbering'),
        ),
      },
    },
  ],
  'sessions and permissions': (s) => [
    `<w:p w:rsidR="00AA1234" w14:paraId="12345678"><w:permStart w:id="1" w:ed="${s}"/>${run('x')}<w:permEnd w:id="1"/></w:p>`,
  ],
  'unknown namespace': (s) => [
    `<secret xmlns="http://secret.example/">${s}</secret>${paragraph(`<w:r xmlns:e="http://secret.example/" e:a="${s}"><w:t>x</w:t></w:r>`)}`,
  ],
  'comment, instruction, character data': (s) => [
    `<!-- ${s} --><?secret ${s}?>${paragraph(`<w:r><w:t><![CDATA[I, ${s}]]></w:t></w:r>`)}`,
  ],
  'text where none belongs': (s) => [`<w:p>${s}<w:r>${s}<w:t>x</w:t></w:r></w:p>`],
  formula: (s) => [paragraph(`<m:oMath><m:r><m:t>${s}</m:t></m:r></m:oMath>`)],
};

describe('redaction of DOCX', () => {
  for (const [channel, make] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const build = (secret: string): Uint8Array => {
        const [body, more] = make(secret);
        return docx(paragraph(run(`On ${secret}.`)) + body, more);
      };
      await expectRemoved('docx', name, build);
    });
  }

  it('removes a value written in symbols of a font of letters', async () => {
    const symbols = [...'4111111111111111'].map(
      (digit) =>
        `<w:r><w:sym w:font="Arial" w:char="F0${digit.charCodeAt(0).toString(16)}"/></w:r>`,
    );
    const tick = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>';
    const body = paragraph(run('Card '), ...symbols, run(' is due'), tick);
    const { output } = await redactBytes('docx', docx(body), detector);
    const text = strFromU8(unzipSync(output!)['word/document.xml']!);
    expect(text).to.not.match(/F031/);
    expect(text).to.not.match(/>1</);
    expect(text).to.contain('[CREDIT_CARD]').and.contain(' is due').and.contain('w:char="F0FC"');
  });

  it('reads text that is shown from the right as it is shown', async () => {
    const mirrored = (text: string): string => [...text].reverse().join('');
    const bold = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`;
    const body = paragraph(
      run('Seen by '),
      `<w:bdo w:val="rtl">${run(mirrored('wasser, once'))}${bold(mirrored('Mara Quell'))}</w:bdo>`,
    );
    const redacted = await redactBytes('docx', docx(body), detector);
    const text = strFromU8(unzipSync(redacted.output!)['word/document.xml']!);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(text.replace(/<[^>]*>/g, '').trim()).to.equal('Seen by [PERSON], once');
    expect(text).to.contain('<w:rPr><w:b/></w:rPr>');
  });

  it('keeps the surrounding words in place', async () => {
    const body = [
      paragraph(
        run('Dear '),
        `<w:r><w:rPr><w:b/></w:rPr><w:t>Mara</w:t></w:r>`,
        run(' Quellwasser, &lt;hi&gt;'),
      ),
      `<w:tbl><w:tr><w:tc>${paragraph(run('a'))}</w:tc><w:tc>${paragraph(run('b'))}</w:tc></w:tr></w:tbl>`,
      paragraph(run('x'), '<w:r><w:tab/><w:t>y</w:t><w:br/><w:t>z</w:t></w:r>'),
    ];
    const { output, result } = await redactBytes('docx', docx(body.join('')), detector);
    const document = strFromU8(unzipSync(output!)['word/document.xml']!);
    expect(document).to.contain(
      '<w:p><w:r><w:t xml:space="preserve">Dear </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>[PERSON]</w:t></w:r><w:r><w:t xml:space="preserve">, &lt;hi&gt;</w:t></w:r></w:p>',
    );
    expect(result.pages).to.deep.equal(['Dear [PERSON], <hi>\na\tb\nx\ty\nz\n']);
    expect(result.removals).to.have.length(1);
  });

  it('gives single parts the names that programs expect', async () => {
    const more = {
      rels: {
        rId5: ['styles', 'my-styles.xml'] as [string, string],
        rId6: ['styles', 'others.xml'] as [string, string],
      },
      parts: {
        'word/my-styles.xml': partOf('styles', '<w:docDefaults/>', word('styles')),
        'word/others.xml': partOf('styles', '<w:latentStyles/>', word('styles')),
      },
    };
    const { output } = await redactBytes('docx', docx(paragraph(run('x')), more), detector);
    const files = unzipSync(output!);
    const styles = Object.keys(files).filter((name) => name.includes('styles'));
    expect(styles).to.deep.equal(['word/styles.xml']);
    expect(strFromU8(files['word/styles.xml']!)).to.contain('docDefaults');
  });

  it('keeps links and fields that refer to the document itself', async () => {
    const body = paragraph(
      `<w:bookmarkStart w:id="1" w:name="there"/>`,
      field(' REF there \\h ', 'see'),
      `<w:hyperlink r:id="rId9">${run('x')}</w:hyperlink>`,
    );
    const more = { rels: { rId9: ['hyperlink', 'https://example.org/a'] as [string, string] } };
    const { output } = await redactBytes('docx', docx(body, more), detector);
    const files = unzipSync(output!);
    expect(strFromU8(files['word/document.xml']!)).to.contain('w:name="bookmark1"');
    expect(strFromU8(files['word/document.xml']!)).to.contain(' REF bookmark1 \\h ');
    expect(strFromU8(files['word/document.xml']!)).to.contain('<w:hyperlink r:id="rId1">');
    expect(strFromU8(files['word/_rels/document.xml.rels']!)).to.contain('"https://example.org/a"');
  });

  it('has nothing of parts that are not read, whatever their kind, and reports those with text', async () => {
    const secret = 'Leopold Anzenfeld';
    const kinds = [...documentParts.complete, ...documentParts.reported, 'somethingNew'];
    for (const kind of kinds) {
      const redacted = await redactBytes(
        'docx',
        docx(paragraph(run('Text')), {
          rels: { rId77: [kind, 'other/part.xml'] },
          parts: {
            'word/other/part.xml': {
              body: `<a xmlns="${ns.w}">${secret}</a>`,
              rels: { rId1: [kind, 'inner.xml'] },
            },
            'word/other/inner.xml': { body: `<a xmlns="${ns.w}">${secret}</a>` },
          },
        }),
        createNameDetector(),
      );
      expect(failedChecks(redacted), kind).to.deep.equal([]);
      expect(findSecret(redacted.output!, secret), kind).to.deep.equal([]);
    }
    const dropped = async (kind: string) =>
      (
        await redactBytes(
          'docx',
          docx(paragraph(run('Text')), {
            rels: { rId77: [kind, 'other/part.xml'] },
            parts: { 'word/other/part.xml': { body: '<a/>' } },
          }),
          createNameDetector(),
        )
      ).result.dropped;
    for (const kind of ['aFChunk', 'oleObject', 'package', 'diagramData', 'somethingNew']) {
      expect(await dropped(kind)).to.deep.equal([kind]);
    }
    for (const kind of ['comments', 'theme', 'customXml', 'vbaProject']) {
      expect(await dropped(kind)).to.deep.equal([]);
    }
  });
});
