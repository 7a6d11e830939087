import { expect } from 'chai';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { readGlyphs } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { listObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { openPdf, type PdfDocument, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { evidenceReader } from '../../../packages/documents/src/pdf/shapes/drawn-glyphs.ts';
import { fontKinds, pdfInFont, permuteDigits, shiftLetters } from '../../support/false-fonts.ts';
import { withFile } from '../../support/samples.ts';

const letters = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/** How many letters and digits of a page agree, differ, and are unclear. */
async function verdictsOf(pdf: Uint8Array): Promise<Record<string, string>> {
  return withFile(pdf, async (path) => {
    const document: PdfDocument = await openPdf(path);
    try {
      return await withPage(document, 1, (page) => {
        const frame = frameOf(document, page);
        const read = evidenceReader(document, page, { width: 612, height: 792 });
        const found: Record<string, string> = { agrees: '', differs: '', unclear: '' };
        const glyphs = readGlyphs(listObjects(document, page, frame), page, frame);
        glyphs.forEach((glyph, at) => {
          if (/[\p{L}\p{N}]/u.test(glyph.text)) {
            found[read(glyph, glyphs[at + 1]).verdict] += glyph.text;
          }
        });
        return found;
      });
    } finally {
      document.close();
    }
  });
}

describe('shapes of letters', () => {
  for (const [kind, make] of Object.entries(fontKinds)) {
    it(`show that ${kind} draws what it says`, async () => {
      const { agrees = '', differs } = await verdictsOf(pdfInFont(make, letters));
      // Thin letters that are drawn on a few pixels have no clear shape.
      expect(agrees.length).to.be.at.least(55);
      expect(agrees).to.contain('0123456789');
      expect(differs).to.equal('');
    });

    it(`show that ${kind} draws other letters`, async () => {
      const { differs = '', agrees = '' } = await verdictsOf(
        pdfInFont(make, letters, shiftLetters(1)),
      );
      expect(differs.length).to.be.at.least(55);
      expect(agrees.length).to.be.at.most(4);
    });

    it(`show each digit that ${kind} has for another`, async () => {
      const { differs, agrees } = await verdictsOf(pdfInFont(make, letters, permuteDigits));
      expect(agrees).not.to.match(/\d/);
      expect(differs).to.have.lengthOf(10);
    });
  }
});
