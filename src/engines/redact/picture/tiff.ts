import { rm, writeFile } from 'node:fs/promises';
import { PDFDocument, PDFName } from 'pdf-lib';
import { placeImage } from '../../pdf/image-page.ts';
import { pdfMatrix } from '../../pdf/text-run.ts';
import type { PlannedPage, RedactPagesRequest } from '../calls.ts';
import { redactPdf } from '../pdf/index.ts';
import type { RedactedPage } from '../plan.ts';

/** Redacts pages of a TIFF as a PDF of them. Throws EngineError. */
export async function redactTiff(
  { path, outPath, style }: Pick<RedactPagesRequest, 'path' | 'outPath' | 'style'>,
  plans: readonly PlannedPage[],
): Promise<RedactedPage[]> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  for (const plan of plans) {
    if (plan.state === 'failed') {
      document.addPage([Math.max(plan.widthPt, 1), Math.max(plan.heightPt, 1)]);
      continue;
    }
    const { image, matrix, widthPt, heightPt } = await placeImage(context, path, plan.page);
    const { node } = document.addPage([widthPt, heightPt]);
    node.set(PDFName.Resources, context.obj({ XObject: { Page: image } }));
    const draw = context.flateStream(`q ${pdfMatrix(matrix)} cm /Page Do Q\n`);
    node.set(PDFName.Contents, context.register(draw));
  }
  const pdfPath = `${outPath}.pages`;
  try {
    await writeFile(pdfPath, await document.save({ updateFieldAppearances: false }));
    const numbered = plans.map((plan, index) => ({ ...plan, page: index + 1 }));
    const pages = await redactPdf({ path: pdfPath, outPath, style }, numbered);
    return pages.map((page, index) => ({ ...page, page: plans[index]?.page ?? page.page }));
  } finally {
    await rm(pdfPath, { force: true });
  }
}
