import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import {
  type DamagedDocuments,
  damagePdf,
  laterOperations,
  openDamaged,
  pdfDamages,
} from '../support/damaged-documents.ts';
import { cutTiff, damageTiff, tiffDamages } from '../support/damaged-tiff.ts';
import { textOf } from '../support/samples.ts';

/** One place for each damage; damaged-pages-everywhere has the others. */
describe('a document with a damaged page', () => {
  let on: DamagedDocuments;
  before(async () => {
    on = await openDamaged();
  });

  for (const damage of Object.keys(tiffDamages) as (keyof typeof tiffDamages)[]) {
    it(`has its other pages processed: page 2 of a TIFF with ${damage}`, async () => {
      await on.requireOtherPages(await on.read(damageTiff(on.tiff, damage, 2)), 2);
    });
  }

  for (const damage of Object.keys(pdfDamages) as (keyof typeof pdfDamages)[]) {
    it(`has its other pages processed: page 2 of a PDF that is ${damage}`, async () => {
      await on.requireOtherPages(await on.read(await damagePdf(damage, 2)), 2);
    });
  }

  it('has its other pages processed if a TIFF is truncated, and reports the loss', async () => {
    const job = await on.read(cutTiff(on.tiff, 2));
    await on.requireOtherPages(job, 3);
    expect(job.warnings.map(({ code }) => code)).to.include('source_repaired');
  });

  it('has an empty page as large as the damaged one', async () => {
    const job = await on.read(damageTiff(on.tiff, 'pixels that do not decode', 2));
    const pdf = await PDFDocument.load(await on.output(job, 'searchable_pdf'));
    const sizes = pdf.getPages().map((page) => page.getSize());
    expect(sizes[1]).to.deep.equal(sizes[0]);
  });

  for (const damage of ['pixels that do not decode', 'no width'] as const) {
    it(`fails without outputs if all of its pages have ${damage}`, async () => {
      const job = await on.read(damageTiff(on.tiff, damage, 1, 2, 3));
      expect(job.state).to.equal('failed');
      expect(job.error).to.include({ retryable: false });
      expect(job.outputs).to.deep.equal([]);
    });
  }

  it('succeeds if other pages were selected, and warns about the uncopied one', async () => {
    const damaged = damageTiff(on.tiff, 'pixels that do not decode', 2);
    const job = await on.read(damaged, { pages: '1,3' });
    expect([job.state, job.error]).to.deep.equal(['succeeded', null]);
    expect(job.warnings.map(({ code }) => code)).to.deep.equal(['page_left_empty']);
    const texts = await textOf(await on.output(job, 'searchable_pdf'));
    expect(on.wordsShownOn(texts)).to.deep.equal(['aardvark', 'notice', 'crocodile']);
  });

  for (const op of laterOperations) {
    it(`is processed by ${op} as far as it can be read`, async () => {
      await on.requireReadablePages(op, damageTiff(on.tiff, 'pixels that do not decode', 2));
    });
  }

  it('is retryable exactly if one of its failed pages is', async () => {
    const job = await on.read(damageTiff(on.tiff, 'pixels that do not decode', 2));
    const pages = await on.pages(job.id);
    const failed = pages.filter(({ state }) => state === 'failed');
    expect(failed.map(({ error }) => error!.retryable)).to.deep.equal([job.error!.retryable]);
  });
});
