import {
  type DamagedDocuments,
  damagePdf,
  laterOperations,
  openDamaged,
  pdfDamages,
} from '../support/damaged-documents.ts';
import { damageTiff, tiffDamages } from '../support/damaged-tiff.ts';

/** What damaged-pages shows for ocr and one place of each damage, for the other operations and places. */
describe('a document with any damaged page', () => {
  let on: DamagedDocuments;
  before(async () => {
    on = await openDamaged();
  });

  for (const page of [1, 3]) {
    for (const damage of Object.keys(tiffDamages) as (keyof typeof tiffDamages)[]) {
      it(`has its other pages processed: page ${page} of a TIFF with ${damage}`, async () => {
        await on.requireOtherPages(await on.read(damageTiff(on.tiff, damage, page)), page);
      });
    }
    for (const damage of Object.keys(pdfDamages) as (keyof typeof pdfDamages)[]) {
      it(`has its other pages processed: page ${page} of a PDF that is ${damage}`, async () => {
        await on.requireOtherPages(await on.read(await damagePdf(damage, page)), page);
      });
    }
  }

  for (const op of laterOperations) {
    it(`is processed by ${op} as far as it can be read: page 2 of a TIFF with no width`, async () => {
      await on.requireReadablePages(op, damageTiff(on.tiff, 'no width', 2));
    });
  }
});
