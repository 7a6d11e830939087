import { expect } from 'chai';
import { readDocx } from '../../../packages/documents/src/normalize/kinds/docx/index.ts';
import { readPptx } from '../../../packages/documents/src/normalize/kinds/pptx/index.ts';
import { readXlsx } from '../../../packages/documents/src/normalize/kinds/xlsx/index.ts';
import { docx, ns, officeFile, paragraph, run, xlsx } from '../../support/office.ts';
import { documentParts, presentationParts, workbookParts } from '../../support/part-kinds.ts';

const relation = (kind: string, target: string) => ({
  rels: { rId77: [kind, target] as [string, string] },
});
const body = `<a xmlns="${ns.w}"/>`;

const readers: [string, typeof documentParts, (kind: string) => readonly string[]][] = [
  [
    'a Word document',
    documentParts,
    (kind) =>
      readDocx(
        docx(paragraph(run('Text')), {
          ...relation(kind, 'other/part.xml'),
          parts: { 'word/other/part.xml': { body } },
        }),
      ).unread ?? [],
  ],
  [
    'a workbook',
    workbookParts,
    (kind) =>
      readXlsx(
        xlsx(
          {
            S: {
              rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
              ...relation(kind, '../other/part.xml'),
            },
          },
          { parts: { 'xl/other/part.xml': { body } } },
        ),
      ).unread ?? [],
  ],
  [
    'a presentation',
    presentationParts,
    (kind) =>
      readPptx(
        officeFile({
          '': { body: '', rels: { rId1: ['officeDocument', 'ppt/presentation.xml'] } },
          'ppt/presentation.xml': {
            type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
            body: '<p:presentation xmlns:p="p"/>',
            ...relation(kind, 'other/part.xml'),
          },
          'ppt/other/part.xml': { body },
        }),
      ).unread ?? [],
  ],
];

describe('parts that are not read', () => {
  for (const [what, { complete, reported }, unreadWith] of readers) {
    it(`are reported of ${what}, by their kinds, and no others`, () => {
      const found = [...complete, ...reported].filter((kind) => unreadWith(kind).length > 0);
      expect(found).to.deep.equal(reported);
      for (const kind of reported) expect(unreadWith(kind)).to.deep.equal([kind]);
    });

    it(`are reported of ${what} if nothing is known of them`, () => {
      expect(unreadWith('somethingNew')).to.deep.equal(['somethingNew']);
      expect(unreadWith('<Ann Author>'.replaceAll('<', '&lt;'))).to.deep.equal(['unknown']);
    });
  }

  it('are reported if they are in other files that belong to the document', () => {
    const rels = { rId9: ['subDocument', 'file:///chapter-2.docx'] as [string, string] };
    expect(readDocx(docx(paragraph(run('Text')), { rels })).unread).to.deep.equal(['subDocument']);
  });

  it('are not the workbook behind a chart, but what is drawn on it', () => {
    const chart = {
      type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      body: `<c:chartSpace xmlns:c="${ns.c}"/>`,
    };
    const unread = (kind: string): readonly string[] =>
      readDocx(
        docx(paragraph(run('Text')), {
          rels: { rId9: ['chart', 'charts/chart1.xml'] },
          parts: {
            'word/charts/chart1.xml': { ...chart, ...relation(kind, '../other/part.xml') },
            'word/other/part.xml': { body },
          },
        }),
      ).unread ?? [];
    expect(unread('package')).to.deep.equal([]);
    expect(unread('chartUserShapes')).to.deep.equal(['chartUserShapes']);
  });
});
