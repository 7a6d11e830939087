import { expect } from 'chai';
import { docx, ns, paragraph, run, xlsx, xmlns } from '../../../support/office.ts';
import { openDocument, slidePage, textParagraph } from '../../../support/open-document.ts';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  type mimes,
  redactBytes,
} from '../../../support/redact-kinds.ts';
import { deck } from '../../../support/slides.ts';

const name = 'Mara Quellwasser';
/** Recognises no name, as a detector may without a sentence around it. */
const detector = createNameDetector();

const shape = (properties: string, text = ''): string =>
  `<p:sp><p:nvSpPr>${properties}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>${text}</a:p></p:txBody></p:sp>`;

/** Files with a name in attributes that no program shows in the document. */
const files: Record<string, [keyof typeof mimes, Uint8Array]> = {
  'names of shapes, and targets in other files, in DOCX': [
    'docx',
    docx(
      paragraph(
        `<w:hyperlink w:anchor="a" w:docLocation="${name}" w:tgtFrame="${name}">${run('x')}</w:hyperlink>`,
        `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="${name}" descr="A boat"/></wp:inline></w:drawing></w:r>`,
      ),
    ),
  ],
  'macros and names of shapes in XLSX': [
    'xlsx',
    xlsx(
      {
        One: { rows: '', after: '<drawing r:id="rId7"/>', rels: { rId7: ['drawing', '../d.xml'] } },
      },
      {
        parts: {
          'xl/d.xml': {
            type: 'application/vnd.openxmlformats-officedocument.drawing+xml',
            body: `<xdr:wsDr xmlns:xdr="${ns.xdr}" ${xmlns('a')}><xdr:twoCellAnchor><xdr:sp macro="${name}" textlink=""><xdr:nvSpPr><xdr:cNvPr id="2" name="${name}"/></xdr:nvSpPr></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`,
          },
        },
      },
    ),
  ],
  'names of shapes, and types of fields, in PPTX': [
    'pptx',
    deck(
      shape(
        `<p:cNvPr id="2" name="${name}"/>`,
        `<a:fld id="{1}" type="${name}"><a:t>1</a:t></a:fld>`,
      ),
    ),
  ],
  'names of sections in ODT': [
    'odt',
    openDocument('odt', `<text:section text:name="${name}">${textParagraph('x')}</text:section>`),
  ],
  'names of shapes in ODP': [
    'odp',
    openDocument(
      'odp',
      slidePage(
        `<draw:g draw:name="${name}"><draw:frame draw:name="${name}"><draw:text-box/></draw:frame></draw:g>`,
      ),
    ),
  ],
};

describe('redaction of names that are not shown', () => {
  for (const [what, [kind, bytes]] of Object.entries(files)) {
    it(`drops ${what}, whether or not they are recognised`, async () => {
      const made = await redactBytes(kind, bytes, detector);
      expect(failedChecks(made)).to.deep.equal([]);
      expect(findSecret(bytes, name)).to.not.deep.equal([]);
      expect(findSecret(made.output!, name)).to.deep.equal([]);
    });
  }

  it('reads no new name of a bookmark as an address', async () => {
    const bookmark = `<w:bookmarkStart w:id="1" w:name="Kitchen"/><w:bookmarkEnd w:id="1"/><w:hyperlink w:anchor="Kitchen">${run('x')}</w:hyperlink>`;
    const made = await redactBytes('docx', docx(paragraph(bookmark)), (text) =>
      [...text.matchAll(/bookmark1/g)].map(({ index }) => {
        return { type: 'ADDRESS', start: index, end: index + 9, score: 0.9 };
      }),
    );
    expect(failedChecks(made)).to.deep.equal([]);
    expect(findSecret(made.output!, 'bookmark1')).to.not.deep.equal([]);
  });
});
