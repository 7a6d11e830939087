import { expect } from 'chai';
import { readPptx } from '../../../packages/documents/src/normalize/kinds/pptx/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { ns, type OfficePart, officeFile, xmlns } from '../../support/office.ts';

const type = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`;
const names = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${xmlns('a', 'r', 'c')} xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"`;
const place = (x: number, y: number): string =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="900" cy="90"/></a:xfrm>`;
const text = (...paragraphs: string[]): string =>
  `<p:txBody>${paragraphs.map((one) => (one.startsWith('<') ? one : `<a:p><a:r><a:t>${one}</a:t></a:r></a:p>`)).join('')}</p:txBody>`;
const shape = (purpose: string, body: string, at = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"/><p:nvPr>${purpose}</p:nvPr></p:nvSpPr><p:spPr>${at}</p:spPr>${body}</p:sp>`;
const slide = (body: string, rels: OfficePart['rels'] = {}, more = ''): OfficePart => ({
  type: type('slide'),
  body: `<p:sld ${names} ${more}><p:cSld><p:spTree>${body}</p:spTree></p:cSld></p:sld>`,
  rels,
});
const graphic = (content: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="g"/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;

function read(slides: OfficePart[], parts: Record<string, OfficePart> = {}) {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('');
  return readPptx(
    officeFile({
      '': { body: '', rels: { rId1: ['officeDocument', 'ppt/presentation.xml'] } },
      'ppt/presentation.xml': {
        type: type('presentation.main'),
        body: `<p:presentation ${names}><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
        rels: Object.fromEntries(
          slides.map((_, at) => [`rId${at + 1}`, ['slide', `slides/slide${9 - at}.xml`]]),
        ),
      },
      ...Object.fromEntries(slides.map((one, at) => [`ppt/slides/slide${9 - at}.xml`, one])),
      ...parts,
    }),
  );
}
const markdown = (...given: Parameters<typeof read>): string =>
  [...markdownOf(read(...given).blocks)].join('').trimEnd();

describe('a normalised presentation', () => {
  it('has its slides in order, a page each, without hidden ones', () => {
    const title = (words: string) => shape('<p:ph type="title"/>', text(words));
    const found = read([
      slide(shape('<p:ph type="ctrTitle"/>', text('Plans', 'for 2027'))),
      slide(title('Hidden'), {}, 'show="0"'),
      slide(shape('<p:ph type="sldNum" idx="4"/>', text('3')) + title('Costs')),
    ]);
    expect(found.pages).to.have.length(3);
    expect(found.pages[0]).to.include({ widthPt: 960, heightPt: 540 });
    expect(found.title).to.equal('Plans for 2027');
    expect([...markdownOf(found.blocks)].join('').trimEnd()).to.equal(
      '# Plans for 2027\n\n## Costs',
    );
    expect(found.blocks.map(({ page, role }) => [page, role])).to.deep.equal([
      [1, 'heading'],
      [3, 'heading'],
      [3, 'page_footer'],
    ]);
  });

  it('takes bullets from layout and master, and reads boxes from left to right', () => {
    const own =
      '<a:p><a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr><a:r><a:t>counted</a:t></a:r></a:p>';
    const layout: OfficePart = {
      type: type('slideLayout'),
      body: `<p:sldLayout ${names}><p:cSld><p:spTree>${shape('<p:ph idx="1"/>', '<p:txBody><a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></a:lstStyle></p:txBody>', place(0, 100))}</p:spTree></p:cSld></p:sldLayout>`,
    };
    const body =
      shape('', text('right'), place(1000, 300)) +
      shape('', text('left'), place(0, 300)) +
      shape('<p:ph idx="1"/>', text('one', 'two', own));
    const rels: OfficePart['rels'] = { rIdL: ['slideLayout', '../slideLayouts/slideLayout1.xml'] };
    expect(markdown([slide(body, rels)], { 'ppt/slideLayouts/slideLayout1.xml': layout })).to.equal(
      '- one\n- two\n\n- a) counted\n\nleft\n\nright',
    );
  });

  it('has tables, charts, diagrams, notes, comments and links', () => {
    const cell = (words: string, more = '') =>
      `<a:tc ${more}>${text(words).replaceAll('p:txBody', 'a:txBody')}</a:tc>`;
    const table = graphic(
      `<a:tbl><a:tr>${cell('Item')}${cell('Cost')}</a:tr><a:tr>${cell('All', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr></a:tbl>`,
    );
    const points = (tag: string, values: string[]) =>
      `<c:${tag}><c:numRef><c:numCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef></c:${tag}>`;
    const chart: OfficePart = {
      type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      body: `<c:chartSpace ${xmlns('c', 'a')}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>North</c:v></c:tx>${points('cat', ['Q1', 'Q2'])}${points('val', ['0.30000000000000004', '7'])}</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    };
    const data: OfficePart = {
      type: 'application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml',
      body: `<dgm:dataModel ${names}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${['Plan', 'Step'].map((words, at) => `<dgm:pt modelId="${at + 1}"><dgm:t><a:p><a:r><a:t>${words}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')}</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`,
    };
    const notes: OfficePart = {
      type: type('notesSlide'),
      body: `<p:notes ${names}><p:cSld><p:spTree>${shape('<p:ph type="sldNum"/>', text('1'))}${shape('<p:ph type="body" idx="1"/>', text('Say hello.'))}</p:spTree></p:cSld></p:notes>`,
    };
    const comments: OfficePart = {
      type: type('comments'),
      body: `<p:cmLst ${names}><p:cm authorId="0"><p:text>Check this.</p:text></p:cm></p:cmLst>`,
    };
    const linked =
      '<a:p><a:r><a:rPr b="1"><a:hlinkClick r:id="rIdW"/></a:rPr><a:t>site</a:t></a:r></a:p>';
    const body = `${shape('', text(linked))}${table}${graphic('<c:chart r:id="rIdC"/>')}${graphic('<dgm:relIds r:dm="rIdD"/>')}`;
    const found = markdown(
      [
        slide(body, {
          rIdC: ['chart', '../charts/chart1.xml'],
          rIdD: ['diagramData', '../diagrams/data1.xml'],
          rIdN: ['notesSlide', '../notesSlides/notesSlide1.xml'],
          rIdK: ['comments', '../comments/comment1.xml'],
          rIdW: ['hyperlink', 'https://example.org/a'],
        }),
      ],
      {
        'ppt/charts/chart1.xml': chart,
        'ppt/diagrams/data1.xml': data,
        'ppt/notesSlides/notesSlide1.xml': notes,
        'ppt/comments/comment1.xml': comments,
      },
    );
    expect(found).to.equal(
      [
        '[**site**](https://example.org/a)',
        '| Item | Cost |\n| - | - |\n| All | All |',
        'Sales\n\n|  | North |\n| - | - |\n| Q1 | 0.3 |\n| Q2 | 7 |',
        '- Plan\n    - Step',
        '### Notes',
        'Say hello.',
        '> Check this.',
      ].join('\n\n'),
    );
    expect(ns.c).to.include('chart');
  });

  it('is bounded for groups in groups and diagrams that refer to themselves', () => {
    const groups = `${'<p:grpSp>'.repeat(120)}${shape('', text('deep'))}${'</p:grpSp>'.repeat(120)}`;
    expect(markdown([slide(groups)])).to.equal('');
    const data: OfficePart = {
      type: 'application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml',
      body: `<dgm:dataModel ${names}><dgm:ptLst><dgm:pt modelId="1"/></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="1" destId="1"/></dgm:cxnLst></dgm:dataModel>`,
    };
    const loop = slide(graphic('<dgm:relIds r:dm="rIdD"/>'), {
      rIdD: ['diagramData', '../diagrams/data1.xml'],
    });
    expect(markdown([loop], { 'ppt/diagrams/data1.xml': data })).to.equal('<!-- image -->');
  });

  it('has the text of layout and master once a slide, unless it hides them', () => {
    const base = (
      kind: string,
      body: string,
      rels: NonNullable<OfficePart['rels']>,
      more = '',
    ): OfficePart => ({
      type: type(kind),
      body: `<p:${kind === 'slideLayout' ? 'sldLayout' : 'sldMaster'} ${names} ${more}><p:cSld><p:spTree>${body}</p:spTree></p:cSld></p:${kind === 'slideLayout' ? 'sldLayout' : 'sldMaster'}>`,
      rels,
    });
    const footers = (slideMore: string, layoutMore: string) =>
      read(
        [
          slide(
            shape('', text('Body')),
            { rIdL: ['slideLayout', '../slideLayouts/l.xml'] },
            slideMore,
          ),
        ],
        {
          'ppt/slideLayouts/l.xml': base(
            'slideLayout',
            shape('<p:ph type="title"/>', text('Click to edit')) + shape('', text('Draft')),
            { rId1: ['slideMaster', '../slideMasters/m.xml'] },
            layoutMore,
          ),
          'ppt/slideMasters/m.xml': base('slideMaster', shape('', text('Harbour Board')), {}),
        },
      ).blocks.flatMap((block) => (block.role === 'page_footer' ? [block.text] : []));
    expect(footers('', '')).to.deep.equal(['Draft', 'Harbour Board']);
    expect(footers('', 'showMasterSp="0"')).to.deep.equal(['Draft']);
    expect(footers('showMasterSp="0"', '')).to.deep.equal([]);
  });

  it('has all text of the notes, except what each page of notes repeats', () => {
    const notes: OfficePart = {
      type: type('notesSlide'),
      body: `<p:notes ${names}><p:cSld><p:spTree>${shape('<p:ph type="body" idx="1"/>', text('Say hello.'))}${shape('', text('In a box.'))}${shape('<p:ph type="sldNum" idx="5"/>', text('1'))}</p:spTree></p:cSld></p:notes>`,
    };
    const found = markdown(
      [slide(shape('', text('Body')), { rIdN: ['notesSlide', '../notesSlides/n.xml'] })],
      { 'ppt/notesSlides/n.xml': notes },
    );
    expect(found).to.equal('Body\n\n### Notes\n\nSay hello.\n\nIn a box.');
  });

  it('reports hidden slides, and hidden shapes with text', () => {
    const hidden = (body: string): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name="n" hidden="1"/><p:nvPr/></p:nvSpPr><p:spPr/>${body}</p:sp>`;
    const shown = shape('', text('Body'));
    expect(read([slide(shown), slide(shown, {}, 'show="0"')]).unread).to.deep.equal([
      'hidden slides',
    ]);
    expect(read([slide(shown + hidden(text('secret')))]).unread).to.deep.equal(['hidden shapes']);
    expect(read([slide(shown + hidden(''))]).unread).to.deep.equal([]);
  });
});
