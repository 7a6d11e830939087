import { expect } from 'chai';
import { readDocx } from '../../../packages/documents/src/normalize/kinds/docx/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { docx, type OfficePart, paragraph, run, xmlns } from '../../support/office.ts';

type More = NonNullable<Parameters<typeof docx>[1]>;
const word = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;
const part = (root: string, kind: string, body: string): OfficePart => ({
  type: word(kind),
  body: `<w:${root} ${xmlns('w', 'r')}>${body}</w:${root}>`,
});
const styled = (style: string, ...runs: string[]): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs.join('')}</w:p>`;
const listed = (numId: number, level: number, text: string): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
const cell = (body: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${body}</w:tc>`;

const styles = part(
  'styles',
  'styles',
  `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>
   <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
   <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
   <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own Head"/><w:basedOn w:val="berschrift1"/></w:style>
   <w:style w:type="paragraph" w:styleId="Outlined"><w:name w:val="Part"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
   <w:style w:type="paragraph" w:styleId="Numbered"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
   <w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>
   <w:style w:type="character" w:styleId="Mono"><w:name w:val="Verbatim Char"/></w:style>`,
);
const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/>${more}<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const numbering = part(
  'numbering',
  'numbering',
  `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2.')}${level(2, 'lowerLetter', '%3)')}</w:abstractNum>
   <w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '')}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
   <w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`,
);

function read(body: string, more: More = {}) {
  return readDocx(
    docx(body, {
      ...more,
      rels: { rIdS: ['styles', 'styles.xml'], rIdN: ['numbering', 'numbering.xml'], ...more.rels },
      parts: { 'word/styles.xml': styles, 'word/numbering.xml': numbering, ...more.parts },
    }),
  );
}
const markdown = (body: string, more?: More): string =>
  [...markdownOf(read(body, more).blocks)].join('').trimEnd();

describe('a normalised Word document', () => {
  it('has headings by style in any language, by inheritance and by outline level', () => {
    const body = [
      styled('Titel', run('All')),
      styled('berschrift1', run('One')),
      styled('Own', run('Two')),
      styled('Outlined', run('Deep')),
      paragraph(run('Text')),
    ].join('');
    expect(markdown(body)).to.equal('# All\n\n## One\n\n## Two\n\n#### Deep\n\nText');
    expect(read(body)).to.include({ title: 'All', language: 'de-DE' });
  });

  it('numbers lists as Word does: nested, interrupted, resumed and restarted', () => {
    const body = [
      listed(1, 0, 'first'),
      listed(1, 1, 'sub'),
      listed(1, 2, 'letter'),
      paragraph(),
      paragraph(run('Between.')),
      listed(1, 1, 'sub two'),
      listed(1, 0, 'second'),
      listed(2, 0, 'bullet'),
      listed(1, 0, 'third'),
      listed(3, 0, 'again'),
      styled('Numbered', run('Scope')),
    ].join('');
    expect(markdown(body).split('\n').filter(Boolean)).to.deep.equal([
      '1. first',
      '    - 1.1. sub',
      '        - a) letter',
      'Between.',
      '- 1.2. sub two',
      '2. second',
      '- bullet',
      '3. third',
      '1. again',
      '## 1.1 Scope',
    ]);
  });

  it('has tables with merged cells, and frames as text', () => {
    const nested = `<w:tbl><w:tr>${cell(paragraph(run('n1')))}${cell(paragraph(run('n2')))}</w:tr></w:tbl>`;
    const body = `<w:tbl>
      <w:tr>${cell(paragraph(run('Wide')), '<w:gridSpan w:val="2"/>')}${cell(paragraph(run('C')))}</w:tr>
      <w:tr>${cell(paragraph(run('Tall')), '<w:vMerge w:val="restart"/>')}${cell(paragraph(run('x')) + paragraph(run('y')))}${cell(nested)}</w:tr>
      <w:tr>${cell(paragraph(), '<w:vMerge/>')}${cell(paragraph(run('z')))}${cell(paragraph())}</w:tr>
      <w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell(paragraph(run('gone')))}</w:tr></w:tbl>
      <w:tbl><w:tr>${cell(paragraph(run('Framed')))}</w:tr></w:tbl>`;
    const [table, framed] = read(body).blocks;
    expect(framed).to.include({ role: 'paragraph', text: 'Framed' });
    expect(table).to.include({ role: 'table', rows: 3, columns: 3 });
    const cells = table?.role === 'table' ? table.cells : [];
    expect(
      cells.map(({ row, column, rowSpan, columnSpan, text }) => [
        row,
        column,
        rowSpan,
        columnSpan,
        text,
      ]),
    ).to.deep.equal([
      [0, 0, 1, 2, 'Wide'],
      [0, 2, 1, 1, 'C'],
      [1, 0, 2, 1, 'Tall'],
      [1, 1, 1, 1, 'x\ny'],
      [1, 2, 1, 1, 'n1\tn2'],
      [2, 1, 1, 1, 'z'],
      [2, 2, 1, 1, ''],
    ]);
  });

  it('has notes in their places, and headers and footers around the text', () => {
    const more: More = {
      rels: {
        rIdF: ['footnotes', 'footnotes.xml'],
        rIdE: ['endnotes', 'endnotes.xml'],
        rIdH: ['header', 'header1.xml'],
      },
      parts: {
        'word/footnotes.xml': part(
          'footnotes',
          'footnotes',
          `<w:footnote w:id="0" w:type="separator">${paragraph(run('no'))}</w:footnote><w:footnote w:id="7">${paragraph('<w:r><w:footnoteRef/></w:r>', run(' Below.'))}</w:footnote>`,
        ),
        'word/endnotes.xml': part(
          'endnotes',
          'endnotes',
          `<w:endnote w:id="7">${paragraph(run('Last.'))}</w:endnote>`,
        ),
        'word/header1.xml': part('hdr', 'header', paragraph(run('Confidential'))),
      },
    };
    const body = paragraph(
      run('Word'),
      '<w:r><w:footnoteReference w:id="7"/></w:r>',
      run(' more'),
      '<w:r><w:endnoteReference w:id="7"/></w:r>',
    );
    expect(markdown(body, more)).to.equal('Word[^1] more[^i]\n\n[^1]: Below.\n\n[^i]: Last.');
    expect(read(body, more).blocks[0]).to.include({ role: 'page_header', text: 'Confidential' });
  });

  it('keeps visible content only: insertions, field results and links', () => {
    const field = (code: string, shown: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = [
      paragraph(
        run('Kept '),
        `<w:ins w:id="1">${run('in')}</w:ins>`,
        '<w:del w:id="2"><w:r><w:delText>out</w:delText></w:r></w:del>',
        '<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>',
        '<w:commentRangeStart w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>',
      ),
      paragraph(
        field(' PAGE ', '3'),
        run(' of '),
        field('HYPERLINK "https://example.com"', 'that'),
      ),
      paragraph(
        `<w:hyperlink r:id="rIdL">${run('link')}</w:hyperlink>`,
        `<w:hyperlink r:id="rIdX">${run(' bad')}</w:hyperlink>`,
      ),
    ].join('');
    const rels: More['rels'] = {
      rIdL: ['hyperlink', 'https://example.org/a'],
      rIdX: ['hyperlink', 'javascript:alert(1)'],
    };
    expect(markdown(body, { rels })).to.equal(
      'Kept in\n\n3 of [that](https://example.com)\n\n[link](https://example.org/a) bad',
    );
  });

  it('recognises tick boxes from content controls, symbol fonts and old forms', () => {
    const control = (on: 0 | 1): string =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${on}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(on ? '☒' : '☐')}</w:sdtContent></w:sdt>`;
    const old = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = [
      paragraph(control(1), run(' Design')),
      paragraph(control(0), run(' Build')),
      paragraph('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', run(' Sign')),
      paragraph(old, run(' Old')),
      paragraph(run('☐ Typed')),
      paragraph(run('Yes '), control(1), run(' no '), control(0)),
    ].join('');
    expect(markdown(body)).to.equal(
      '- [x] Design\n- [ ] Build\n- [x] Sign\n- [x] Old\n- [ ] Typed\n\nYes ☒ no ☐',
    );
  });

  it('contains text boxes once, and pictures by their descriptions', () => {
    const box = `<w:txbxContent>${paragraph(run('In the box'))}</w:txbxContent>`;
    const body = paragraph(
      run('Beside'),
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A duck&#10;Description automatically generated"/><pic:pic/></wp:inline></w:drawing></w:r>',
      '<w:r><w:pict><v:shape><v:imagedata/></v:shape></w:pict></w:r>',
    );
    expect(markdown(body)).to.equal(
      'Beside\n\nIn the box\n\n<!-- image: A duck -->\n\n<!-- image -->',
    );
  });

  it('has formulas in LaTeX', () => {
    const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const cases: [string, string][] = [
      [`<m:f><m:num>${r('a')}</m:num><m:den>${r('b')}</m:den></m:f>`, '\\frac{a}{b}'],
      [
        `<m:sSup><m:e><m:f><m:num>${r('a')}</m:num><m:den>${r('b')}</m:den></m:f></m:e><m:sup>${r('2')}</m:sup></m:sSup>`,
        '{\\frac{a}{b}}^{2}',
      ],
      [`<m:rad><m:deg>${r('3')}</m:deg><m:e>${r('x')}</m:e></m:rad>`, '\\sqrt[3]{x}'],
      [
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`,
        '\\sum_{i=1}^{n}i',
      ],
      [`<m:func><m:fName>${r('sin')}</m:fName><m:e>${r('x')}</m:e></m:func>`, '\\sin(x)'],
      [
        `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr><m:e>${r('α')}</m:e></m:d>`,
        '\\left[ \\alpha \\right.',
      ],
      [
        `<m:m><m:mr><m:e>${r('1')}</m:e><m:e>${r('0')}</m:e></m:mr><m:mr><m:e>${r('0')}</m:e><m:e>${r('1')}</m:e></m:mr></m:m>`,
        '\\begin{matrix}1&0\\\\ 0&1\\end{matrix}',
      ],
      [`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr><m:e>${r('v')}</m:e></m:acc>`, '\\vec{v}'],
    ];
    for (const [omml, latex] of cases) {
      expect(markdown(paragraph(`<m:oMathPara><m:oMath>${omml}</m:oMath></m:oMathPara>`))).to.equal(
        `$$${latex}$$`,
      );
    }
    expect(markdown(paragraph(run('So '), `<m:oMath>${r('𝑥=1')}</m:oMath>`))).to.equal('So $x=1$');
  });

  it('joins lines of code and marks quotations', () => {
    const body = [
      styled('Code', run('if (x)')),
      styled('Code', run('  return;')),
      paragraph(
        '<w:r><w:rPr><w:rStyle w:val="Mono"/></w:rPr><w:t>x</w:t></w:r>',
        '<w:r><w:t xml:space="preserve"> is </w:t></w:r>',
        '<w:r><w:rPr><w:b/><w:i w:val="0"/></w:rPr><w:t>bold</w:t></w:r>',
      ),
    ].join('');
    expect(markdown(body)).to.equal('```\nif (x)\n  return;\n```\n\n`x` is **bold**');
  });

  it('is rejected if the file is something else', () => {
    expect(() => readDocx(Buffer.from('no archive at all, but text'))).to.throw(
      'not of its declared type',
    );
  });

  it('has comments with their authors, and charts as tables', () => {
    const comments = part(
      'comments',
      'comments',
      `<w:comment w:id="4" w:author="Ada">${paragraph(run('Is this so?'))}</w:comment>`,
    );
    const chart: OfficePart = {
      type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      body: `<c:chartSpace ${xmlns('c')}><c:chart><c:plotArea><c:pieChart><c:ser><c:tx><c:v>Share</c:v></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Tea</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>40</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:pieChart><c:valAx><c:title><c:tx><c:v>in EUR</c:v></c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`,
    };
    const reference = '<w:r><w:commentReference w:id="4"/></w:r>';
    const drawing =
      '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="rIdC"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const found = markdown(paragraph(run('It is.'), reference) + paragraph(drawing), {
      rels: { rIdK: ['comments', 'comments.xml'], rIdC: ['chart', 'charts/chart1.xml'] },
      parts: { 'word/comments.xml': comments, 'word/charts/chart1.xml': chart },
    });
    expect(found).to.equal(
      'It is.[^c1]\n\nin EUR\n\n|  | Share |\n| - | - |\n| Tea | 40 |\n\n[^c1]: Ada: Is this so?',
    );
  });

  it('has what it takes from parts in other formats', () => {
    const chunk = '<w:altChunk r:id="rIdA"/>';
    const withChunk = (name: string, type: string, body: string | Uint8Array) =>
      read(paragraph(run('Before')) + chunk + paragraph(run('After')), {
        rels: { rIdA: ['aFChunk', name] },
        parts: { [`word/${name}`]: { type, body } },
      });
    const shown = (...given: Parameters<typeof withChunk>): string =>
      [...markdownOf(withChunk(...given).blocks)].join('').trimEnd();
    const html = '<html><body><h1>Fees</h1><table><tr><td>Berth</td><td>12</td></tr></table>';
    const around = (text: string): string => `Before\n\n${text}\n\nAfter`;
    const table = '| Berth | 12 |\n| - | - |';
    expect(shown('a.html', 'text/html', html)).to.equal(around(`# Fees\n\n${table}`));
    expect(shown('a.xhtml', 'application/xhtml+xml', html)).to.contain(table);
    expect(shown('a.txt', 'text/plain', 'Plain words')).to.equal(around('Plain words'));
    expect(shown('a.rtf', 'application/rtf', '{\\rtf1 Rich words\\par}')).to.equal(
      around('Rich words'),
    );
    const inner = docx(paragraph(run('Inner words')));
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
    expect(shown('a.docx', word, inner)).to.equal(around('Inner words'));
    const mht = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--`;
    expect(shown('a.mht', 'message/rfc822', mht)).to.contain(table);
    expect(withChunk('a.html', 'text/html', html).unread).to.deep.equal([]);
  });

  it('reports such a part if it cannot be read, and ends in documents that contain themselves', () => {
    const of = (type: string, body: string | Uint8Array) =>
      read(
        `${paragraph('<w:r/>')}<w:tbl><w:tr><w:tc><w:altChunk r:id="rIdA"/></w:tc></w:tr></w:tbl>`,
        {
          rels: { rIdA: ['aFChunk', 'a.part'] },
          parts: { 'word/a.part': { type, body } },
        },
      ).unread;
    expect(of('application/x-other', 'words')).to.deep.equal(['aFChunk']);
    expect(of('application/rtf', 'not rtf')).to.deep.equal(['aFChunk']);
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
    let nested = docx(paragraph(run('innermost')));
    for (let level = 0; level < 8; level += 1) {
      nested = docx('<w:altChunk r:id="rIdA"/>', {
        rels: { rIdA: ['aFChunk', 'a.docx'] },
        parts: { 'word/a.docx': { type, body: nested } },
      });
    }
    expect(readDocx(nested).unread).to.deep.equal(['aFChunk']);
  });

  it('has diagrams as lists', () => {
    const dgm = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
    const point = (id: string, text: string): string =>
      `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const data = `<dgm:dataModel ${dgm} ${xmlns('a')}><dgm:ptLst>${point('1', 'Board')}${point('2', 'Crew')}</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="1" destId="2"/></dgm:cxnLst></dgm:dataModel>`;
    const drawing = `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><dgm:relIds ${dgm} r:dm="rIdD"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
    const found = markdown(paragraph(drawing), {
      rels: { rIdD: ['diagramData', 'diagrams/data1.xml'] },
      parts: { 'word/diagrams/data1.xml': { body: data } },
    });
    expect(found).to.equal('- Board\n    - Crew');
  });

  it('has letters along a line, such as a watermark', () => {
    const mark =
      '<w:r><w:pict><v:shape alt="x"><v:textpath string="CONFIDENTIAL"/></v:shape></w:pict></w:r>';
    const header = part('hdr', 'header', paragraph(mark));
    const found = read(paragraph(run('Text')), {
      rels: { rIdH: ['header', 'header1.xml'] },
      parts: {
        'word/header1.xml': {
          ...header,
          body: header.body.toString().replace('<w:hdr ', `<w:hdr ${xmlns('v')} `),
        },
      },
    });
    expect(found.blocks[0]).to.include({ role: 'page_header', text: 'CONFIDENTIAL' });
  });

  it('reads a part in another format once, and is bounded in how often it is shown', () => {
    const html = '<p>a</p>'.repeat(1000);
    const shown = (times: number) =>
      readDocx(
        docx('<w:altChunk r:id="rIdA"/>'.repeat(times), {
          rels: { rIdA: ['aFChunk', 'a.html'] },
          parts: { 'word/a.html': { type: 'text/html', body: html } },
        }),
      );
    expect(shown(20).blocks).to.have.length(20_000);
    expect(() => shown(1000)).to.throw(/more than 400000 paragraphs/);
  });

  it('reports hidden text, and nothing for hidden codes of fields and ends of paragraphs', () => {
    const hidden = (content: string): string => `<w:r><w:rPr><w:vanish/></w:rPr>${content}</w:r>`;
    const unread = (body: string) => read(body).unread;
    expect(unread(paragraph(run('a'), hidden('<w:t>secret</w:t>')))).to.deep.equal(['hidden text']);
    expect(unread(paragraph(run('a'), hidden('<w:t> </w:t>')))).to.deep.equal([]);
    const code = `${hidden('<w:fldChar w:fldCharType="begin"/>')}${hidden('<w:instrText>XE "a"</w:instrText>')}${hidden('<w:t>XE</w:t>')}${hidden('<w:fldChar w:fldCharType="end"/>')}`;
    expect(unread(paragraph(run('a'), code))).to.deep.equal([]);
    expect(unread('<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr></w:p>')).to.deep.equal([]);
  });
});
