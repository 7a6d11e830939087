import { rm, writeFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { PDFDocument, PDFName } from 'pdf-lib';
import { placeImage } from '../../../pdf/image-page.ts';
import { pdfMatrix } from '../../../pdf/text-run.ts';
import type { PlannedPage } from '../../contract/plan.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { LaidOutPage, LayOutRequest, RedactPagesRequest } from '../../contract/requests.ts';
import { layOutPdf, redactPdf } from '../pdf/index.ts';

/**
 * Redacts pages of a TIFF and writes them as a PDF.
 * @throws EngineError if the file cannot be redacted
 */
export async function redactTiff(
  { path, outPath, style, box }: Pick<RedactPagesRequest, 'path' | 'outPath' | 'style' | 'box'>,
  plans: readonly PlannedPage[],
): Promise<RedactedPage[]> {
  return withPdf(path, outPath, plans, (pdfPath, renumbered) =>
    redactPdf({ path: pdfPath, outPath, style, box }, renumbered),
  );
}

/**
 * Computes where boxes would be painted on the pages of a TIFF.
 * @throws EngineError if the file cannot be read
 */
export async function layOutTiff(
  { path, workPath, box }: Pick<LayOutRequest, 'path' | 'workPath' | 'box'>,
  plans: readonly PlannedPage[],
): Promise<LaidOutPage[]> {
  return withPdf(path, workPath, plans, (pdfPath, renumbered) =>
    layOutPdf({ path: pdfPath, workPath, box }, renumbered),
  );
}

/**
 * Writes pages of a TIFF as a PDF for the duration of `run`. Returns the resulting pages with their
 * numbers in the TIFF.
 */
async function withPdf<Page extends { page: number }>(
  path: string,
  workPath: string,
  plans: readonly PlannedPage[],
  run: (pdfPath: string, renumbered: PlannedPage[]) => Promise<Page[]>,
): Promise<Page[]> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const unreadable = new Set<number>();
  for (const plan of plans) {
    if (plan.state === 'failed') {
      document.addPage([Math.max(plan.widthPt, 1), Math.max(plan.heightPt, 1)]);
      continue;
    }
    const placedImage = await placeImage(context, path, plan.page, false).catch(nullIfDamaged);
    if (!placedImage) {
      // No part of the page can be shown, so it is left empty, like a page that failed earlier.
      unreadable.add(plan.page);
      document.addPage([Math.max(plan.widthPt, 1), Math.max(plan.heightPt, 1)]);
      continue;
    }
    const { image, matrix, widthPt, heightPt } = placedImage;
    const { node } = document.addPage([widthPt, heightPt]);
    node.set(PDFName.Resources, context.obj({ XObject: { Page: image } }));
    const draw = context.flateStream(`q ${pdfMatrix(matrix)} cm /Page Do Q\n`);
    node.set(PDFName.Contents, context.register(draw));
  }
  const pdfPath = `${workPath}.pages`;
  try {
    await writeFile(pdfPath, await document.save({ updateFieldAppearances: false }));
    const renumbered = plans.map((plan, index): PlannedPage => {
      const { widthPt, heightPt } = plan;
      const page = index + 1;
      if (unreadable.has(plan.page)) return { state: 'failed', page, widthPt, heightPt };
      return { ...plan, page };
    });
    const pages = await run(pdfPath, renumbered);
    return pages.map((page, index) => ({ ...page, page: plans[index]?.page ?? page.page }));
  } finally {
    await rm(pdfPath, { force: true });
  }
}

/** Returns null if the page itself is damaged. Temporary errors are thrown. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof EngineError && !error.retryable) return null;
  throw error;
}
