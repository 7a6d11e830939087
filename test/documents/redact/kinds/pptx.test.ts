import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { ns, type OfficePart, xlsx, xmlns } from '../../../support/office.ts';
import { presentationParts } from '../../../support/part-kinds.ts';
import {
  createNameDetector,
  createSecretDetector,
  expectRemoved,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';
import { deck, pptx, presentationNames, textShape } from '../../../support/slides.ts';

const name = 'Mara Quellwasser';
const detector = createSecretDetector(name);

type More = NonNullable<Parameters<typeof deck>[1]>;
const graphic = (uri: string, content: string, alt = ''): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="${alt}" descr="${alt}"/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="${uri}">${content}</a:graphicData></a:graphic></p:graphicFrame>`;
const diagram = 'http://schemas.openxmlformats.org/drawingml/2006/diagram';
const cell = (text: string): string =>
  `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const drawingPart = (kind: string, root: string, body: string): OfficePart => ({
  type: `application/vnd.openxmlformats-officedocument.drawingml.${kind}+xml`,
  body: `<${root} xmlns:dgm="${diagram}" ${xmlns('c', 'a', 'r')}>${body}</${root}>`,
});
const slidePart = (root: string, body: string, kind = root): OfficePart => ({
  type: `application/vnd.openxmlformats-officedocument.presentationml.${kind}+xml`,
  body: `<p:${root} ${presentationNames}>${body}</p:${root}>`,
});
const diagramParts = (s: string): More => ({
  rels: {
    rId5: ['diagramData', '../diagrams/data1.xml'],
    rId6: ['diagramLayout', '../diagrams/layout1.xml'],
    rId7: ['diagramQuickStyle', '../diagrams/quickStyle1.xml'],
    rId8: ['diagramColors', '../diagrams/colors1.xml'],
    rId9: ['diagramDrawing', '../diagrams/drawing1.xml'],
  },
  parts: {
    'ppt/diagrams/data1.xml': drawingPart(
      'diagramData',
      'dgm:dataModel',
      `<dgm:ptLst><dgm:pt modelId="{1}"><dgm:prSet phldrT="${s}"/><dgm:t><a:bodyPr/><a:p><a:r><a:t>${s.slice(0, 2)}</a:t></a:r><a:r><a:t>${s.slice(2)}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>`,
    ),
    'ppt/diagrams/layout1.xml': drawingPart(
      'diagramLayout',
      'dgm:layoutDef',
      '<dgm:title val=""/>',
    ),
    'ppt/diagrams/quickStyle1.xml': drawingPart('diagramStyle', 'dgm:styleDef', ''),
    'ppt/diagrams/colors1.xml': drawingPart('diagramColors', 'dgm:colorsDef', ''),
    'ppt/diagrams/drawing1.xml': { body: `<a>${s}</a>` },
  },
});
const relIds = '<dgm:relIds r:dm="rId5" r:lo="rId6" r:qs="rId7" r:cs="rId8"/>';

/** Channels: the shapes of a slide and further parts for a secret. */
const channels: Record<string, (secret: string) => [shapes: string, more?: More]> = {
  'run of a shape': (s) => [textShape([[`I, ${s}, am`]])],
  'over runs': (s) => [textShape([[s.slice(0, 2), s.slice(2, 5), s.slice(5)]])],
  'references to characters': (s) => [
    textShape([[[...s].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join('')]]),
  ],
  'escapes of characters': (s) => [
    textShape([[`${s.replace('a', '_x0061_').replace(' ', '_x0020_')}_x000B_`], [s]]),
  ],
  'names of designs and a link that is not valid': (s) => [
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"><a:hlinkClick r:id="rId5" invalidUrl="mailto:${s}"/></p:cNvPr></p:nvSpPr></p:sp>`,
    {
      rels: { rId5: ['hyperlink', 'https://example.org/'] },
      mainRels: { rId7: ['theme', 'theme/theme1.xml'], rId8: ['tableStyles', 'tableStyles.xml'] },
      parts: {
        'ppt/theme/theme1.xml': {
          type: 'application/vnd.openxmlformats-officedocument.theme+xml',
          body: `<a:theme xmlns:a="${ns.a}" name="Design of ${s}"/>`,
        },
        'ppt/tableStyles.xml': {
          type: 'application/vnd.openxmlformats-officedocument.presentationml.tableStyles+xml',
          body: `<a:tblStyleLst xmlns:a="${ns.a}"><a:tblStyle styleId="{1}" styleName="Table of ${s}"/></a:tblStyleLst>`,
        },
      },
    },
  ],
  table: (s) => [
    graphic(
      'http://schemas.openxmlformats.org/drawingml/2006/table',
      `<a:tbl><a:tr>${cell('a')}${cell(s)}</a:tr></a:tbl>`,
    ),
  ],
  'shape of a group, which is hidden': (s) => [
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="${s}" hidden="1"/></p:nvGrpSpPr>${textShape([[s]])}</p:grpSp>`,
  ],
  'name of a slide': (s) => [
    '',
    {
      parts: {
        'ppt/slides/slide1.xml': slidePart(
          'sld',
          `<p:cSld name="${s}"><p:spTree/></p:cSld>`,
          'slide',
        ),
      },
    },
  ],
  'hidden slide': (s) => [
    '',
    {
      parts: {
        'ppt/slides/slide1.xml': {
          ...slidePart('sld', '', 'slide'),
          body: `<p:sld show="0" ${presentationNames}><p:cSld><p:spTree>${textShape([[s]])}</p:spTree></p:cSld></p:sld>`,
        },
      },
    },
  ],
  'slide outside the list': (s) => [
    '',
    {
      rels: { rId5: ['slide', 'slide9.xml'] },
      mainRels: { rId9: ['slide', 'slides/slide9.xml'] },
      parts: {
        'ppt/slides/slide9.xml': slidePart(
          'sld',
          `<p:cSld><p:spTree>${textShape([[s]])}</p:spTree></p:cSld>`,
          'slide',
        ),
      },
    },
  ],
  layout: (s) => ['', { layout: textShape([[s]]) }],
  'prompt of a layout, over runs': (s) => [
    '',
    { layout: textShape([[s.slice(0, 2), s.slice(2)]], 'body') },
  ],
  master: (s) => ['', { master: textShape([[`Copyright ${s}`]]) }],
  notes: (s) => [
    '',
    {
      rels: { rId5: ['notesSlide', '../notesSlides/notesSlide1.xml'] },
      parts: {
        'ppt/notesSlides/notesSlide1.xml': {
          ...slidePart(
            'notes',
            `<p:cSld><p:spTree>${textShape([[s]])}</p:spTree></p:cSld>`,
            'notesSlide',
          ),
          rels: { rId1: ['slide', '../slides/slide1.xml'] },
        },
      },
    },
  ],
  'comments and their authors': (s) => [
    '',
    {
      rels: { rId5: ['comments', '../comments/comment1.xml'] },
      mainRels: {
        rId9: ['commentAuthors', 'commentAuthors.xml'],
        rId8: ['authors', 'authors.xml'],
      },
      parts: {
        'ppt/comments/comment1.xml': slidePart(
          'cmLst',
          `<p:cm authorId="1"><p:text>${s}</p:text></p:cm>`,
          'comments',
        ),
        'ppt/commentAuthors.xml': slidePart(
          'cmAuthorLst',
          `<p:cmAuthor id="1" name="${s}"/>`,
          'commentAuthors',
        ),
        'ppt/authors.xml': { body: `<a name="${s}"/>` },
      },
    },
  ],
  'properties, thumbnail and custom XML': (s) => [
    '',
    {
      root: {
        rId2: ['core-properties', 'docProps/core.xml'],
        rId3: ['extended-properties', 'docProps/app.xml'],
        rId4: ['custom-properties', 'docProps/custom.xml'],
        rId5: ['thumbnail', 'docProps/thumbnail.jpeg'],
        rId6: ['customXml', 'customXml/item1.xml'],
      },
      parts: Object.fromEntries(
        [
          'docProps/core.xml',
          'docProps/app.xml',
          'docProps/custom.xml',
          'docProps/thumbnail.jpeg',
          'customXml/item1.xml',
        ].map((part) => [part, { body: `<p><creator>${s}</creator></p>` }]),
      ),
    },
  ],
  'programs and revisions': (s) => [
    '',
    {
      after: `<p:custDataLst><p:tags r:id="rId7"/></p:custDataLst><p:extLst><p:ext uri="${s}"><p14:media name="${s}"/></p:ext></p:extLst>`,
      main: `<p:custShowLst><p:custShow name="${s}" id="0"/></p:custShowLst><p:modifyVerifier hashData="${s}"/><p:extLst><p:ext uri="a"><p14:sectionLst><p14:section name="${s}"/></p14:sectionLst></p:ext></p:extLst>`,
      rels: { rId7: ['tags', '../tags/tag1.xml'] },
      mainRels: {
        rId7: ['revisionInfo', 'revisionInfo.xml'],
        rId8: ['presProps', 'presProps.xml'],
        rId9: ['viewProps', 'viewProps.xml'],
        rId10: ['vbaProject', 'vbaProject.bin'],
        rId11: ['handoutMaster', 'handoutMaster1.xml'],
      },
      parts: Object.fromEntries(
        [
          'tags/tag1.xml',
          'revisionInfo.xml',
          'presProps.xml',
          'viewProps.xml',
          'vbaProject.bin',
          'handoutMaster1.xml',
        ].map((part) => [`ppt/${part}`, { body: `<a b="${s}">${s}</a>` }]),
      ),
    },
  ],
  'link and what it says': (s) => [
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="${s}" descr="${s}" title="${s}"><a:hlinkClick r:id="rId5" tooltip="${s}"/><a:hlinkHover r:id="rId5" tooltip="${s}"/></p:cNvPr></p:nvSpPr></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3" name="y"><a:hlinkClick r:id="" action="ppaction://macro?name=${s}"/></p:cNvPr></p:nvSpPr></p:sp>`,
    { rels: { rId5: ['hyperlink', `mailto:${s.replace(' ', '%20')}`] } },
  ],
  'picture and what it is called': (s) => [
    `<p:pic><p:nvPicPr><p:cNvPr id="5" name="${s}.png" descr="${s}"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId5"/></p:blipFill></p:pic>`,
    {
      rels: { rId5: ['image', `../media/${s.replace(' ', '')}.png`] },
      parts: { [`ppt/media/${s.replace(' ', '')}.png`]: { body: `pixels of ${s}` } },
    },
  ],
  'film, animation and sound': (s) => [
    `<p:pic><p:nvPicPr><p:cNvPr id="5" name="x"/><p:nvPr><a:videoFile r:link="rId5"/></p:nvPr></p:nvPicPr></p:pic>`,
    {
      after: `<p:transition><p:sndAc><p:stSnd><p:snd r:embed="rId6" name="${s}"/></p:stSnd></p:sndAc></p:transition><p:timing><p:tnLst><p:cmd cmd="${s}"/></p:tnLst></p:timing>`,
      rels: { rId5: ['video', `file:///C:/${s}.mp4`], rId6: ['audio', '../media/a.wav'] },
      parts: { 'ppt/media/a.wav': { body: s } },
    },
  ],
  chart: (s) => [
    graphic(ns.c, '<c:chart r:id="rId5"/>', s),
    {
      rels: { rId5: ['chart', '../charts/chart1.xml'] },
      parts: {
        'ppt/charts/chart1.xml': {
          ...drawingPart(
            'chart',
            'c:chartSpace',
            `<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>${s.slice(0, 2)}</a:t></a:r><a:r><a:t>${s.slice(2)}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:cat><c:strRef><c:f>'${s}'!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>${s}</c:v></c:pt></c:strCache></c:strRef></c:cat></c:chart><c:externalData r:id="rId1"/>`,
          ),
          rels: { rId1: ['package', '../embeddings/book.xlsx'] },
        },
        'ppt/embeddings/book.xlsx': { body: xlsx({ [s]: { rows: '' } }) },
      },
    },
  ],
  diagram: (s) => [graphic(diagram, relIds, s), diagramParts(s)],
  'diagram without its layout': (s) => {
    const { rels, parts } = diagramParts(s);
    const { rId6: _, ...others } = rels ?? {};
    return [graphic(diagram, relIds, s), { rels: others, parts: parts ?? {} }];
  },
  'embedded file': (s) => [
    graphic(
      'http://schemas.openxmlformats.org/presentationml/2006/ole',
      `<mc:AlternateContent><mc:Choice Requires="v"><p:oleObj name="${s}" r:id="rId5"/></mc:Choice><mc:Fallback><p:oleObj name="${s}" r:id="rId5"><p:pic/></p:oleObj></mc:Fallback></mc:AlternateContent>`,
      s,
    ),
    {
      rels: { rId5: ['package', '../embeddings/book.xlsx'] },
      parts: { 'ppt/embeddings/book.xlsx': { body: xlsx({ [s]: { rows: '' } }) } },
    },
  ],
  'unknown namespace': (s) => [
    `<secret xmlns="http://secret.example/">${s}</secret><p:sp xmlns:e="http://secret.example/" e:a="${s}"/>`,
  ],
  'comment, instruction, text where none belongs': (s) => [
    `<!-- ${s} --><?secret ${s}?><p:sp>${s}</p:sp>`,
  ],
};

describe('redaction of PPTX', () => {
  for (const [channel, make] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const build = (secret: string): Uint8Array => {
        const [shapes, { master = '', ...more } = {}] = make(secret);
        return deck(shapes, { ...more, master: textShape([[`On ${secret}.`]]) + master });
      };
      await expectRemoved('pptx', name, build);
    });
  }

  it('has a page per slide, with its notes, and the text of the master on the first', async () => {
    const notes = slidePart(
      'notes',
      `<p:cSld><p:spTree>${textShape([['Ask', ` ${name}`]])}</p:spTree></p:cSld>`,
      'notesSlide',
    );
    const file = deck(textShape([['Plan']], 'title') + textShape([['for ', name], ['soon']]), {
      master: textShape([['Company']]),
      layout: textShape([['Click to edit']], 'title'),
      rels: { rId5: ['notesSlide', '../notesSlides/notesSlide1.xml'] },
      parts: { 'ppt/notesSlides/notesSlide1.xml': notes },
    });
    const { result, output } = await redactBytes('pptx', file, detector);
    expect(result.pages).to.deep.equal(['Plan\nfor [PERSON]\nsoon\nAsk [PERSON]\nCompany\n']);
    const slide = strFromU8(unzipSync(output!)['ppt/slides/slide1.xml']!);
    expect(slide).to.contain('<a:r><a:t>for </a:t></a:r><a:r><a:t>[PERSON]</a:t></a:r>');
    const two = await redactBytes(
      'pptx',
      pptx([
        { title: 'One', lines: [] },
        { title: name, lines: ['x'] },
      ]),
      detector,
    );
    expect(two.result.pages).to.deep.equal(['One\n', '[PERSON]\nx\n']);
    expect(two.result.removals.map(({ page }) => page)).to.deep.equal([2]);
  });

  it('keeps charts, diagrams and links between slides', async () => {
    const chart = graphic(ns.c, '<c:chart r:id="rId3"/>');
    const { rels, parts } = diagramParts('Start');
    const file = deck(
      `${chart}${graphic(diagram, relIds)}<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"><a:hlinkClick r:id="rId4" action="ppaction://hlinksldjump"/></p:cNvPr></p:nvSpPr></p:sp>`,
      {
        rels: {
          rId3: ['chart', '../charts/chart1.xml'],
          rId4: ['slide', 'slide1.xml'],
          ...rels,
        },
        parts: {
          'ppt/charts/chart1.xml': drawingPart('chart', 'c:chartSpace', '<c:chart/>'),
          ...parts,
        },
      },
    );
    const { output, result } = await redactBytes('pptx', file, detector);
    const files = unzipSync(output!);
    expect(Object.keys(files).filter((part) => /charts|diagrams/.test(part))).to.have.length(5);
    const slide = strFromU8(files['ppt/slides/slide1.xml']!);
    expect(slide).to.match(/relIds r:dm="rId\d" r:lo="rId\d" r:qs="rId\d" r:cs="rId\d"/);
    expect(slide).to.contain('action="ppaction://hlinksldjump"').and.contain('c:chart r:id');
    expect(result.dropped).to.deep.equal([]);
  });

  it('follows slides that link to each other in a long chain', async () => {
    const count = 1500;
    const file = unzipSync(pptx(Array.from({ length: count }, () => ({ title: 'x', lines: [] }))));
    for (let at = 1; at < count; at += 1) {
      file[`ppt/slides/_rels/slide${at}.xml.rels`] = Buffer.from(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${ns.r}/slide" Target="slide${at + 1}.xml"/></Relationships>`,
      );
    }
    const { zipSync } = await import('fflate');
    const redacted = await redactBytes('pptx', zipSync(file), detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.result.pages).to.have.length(count);
  });

  it('has nothing of parts that are not read, whatever their kind, and reports those with text', async () => {
    const secret = 'Leopold Anzenfeld';
    const redactWith = (kind: string) =>
      redactBytes(
        'pptx',
        deck('', {
          rels: { rId77: [kind, '../other/part.xml'] },
          parts: {
            'ppt/other/part.xml': {
              body: `<a xmlns="${ns.a}">${secret}</a>`,
              rels: { rId1: [kind, 'inner.xml'] },
            },
            'ppt/other/inner.xml': { body: `<a xmlns="${ns.a}">${secret}</a>` },
          },
        }),
        createNameDetector(),
      );
    for (const kind of [...presentationParts.complete, ...presentationParts.reported, 'newKind']) {
      const redacted = await redactWith(kind);
      expect(failedChecks(redacted), kind).to.deep.equal([]);
      expect(findSecret(redacted.output!, secret), kind).to.deep.equal([]);
    }
    for (const kind of [...presentationParts.reported, 'newKind']) {
      expect((await redactWith(kind)).result.dropped, kind).to.deep.equal([kind]);
    }
    for (const kind of ['comments', 'theme', 'customXml', 'vbaProject']) {
      expect((await redactWith(kind)).result.dropped, kind).to.deep.equal([]);
    }
  });
});
