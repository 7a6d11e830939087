import { displaySize } from '../../geometry.ts';
import { type PdfDocument, renderPage } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { describeImage, openImage } from '../../source.ts';
import { dpiOf, ownPicture, surveyPictures } from './own-picture.ts';
import { fineDpi, type PagePicture, toGrey, workingDpi } from './picture.ts';

/** A page of an image file, at `most` dpi or less. Throws EngineError. */
export async function pictureOfImage(
  path: string,
  number: number,
  most: number,
): Promise<PagePicture> {
  const page = await describeImage(path, number);
  const used = workingDpi(page.dpi, most, page.widthPt, page.heightPt);
  const scale = used / page.dpi;
  const grey = await toGrey(
    openImage(path, number).autoOrient(),
    Math.max(1, Math.round(page.pixelWidth * scale)),
    Math.max(1, Math.round(page.pixelHeight * scale)),
  );
  return {
    ...grey,
    dpi: page.dpiKnown ? used : undefined,
    box: [0, 0, page.widthPt, page.heightPt],
    finestDpi: workingDpi(page.dpi, fineDpi, page.widthPt, page.heightPt),
    usedDpi: used,
  };
}

/**
 * A loaded PDF page as a greyscale picture, at `most` dpi or less: its own JPEG if it consists of
 * one, otherwise drawn by PDFium. Huge pages are drawn at a lower resolution. Throws EngineError.
 */
export async function pictureOfPdfPage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  most: number,
): Promise<PagePicture> {
  const { images, others } = surveyPictures(document, page);
  const [only] = images;
  if (only && images.length === 1 && !others) {
    const own = await ownPicture(document, only, frame, most);
    if (own) return own;
  }
  const size = displaySize(frame);
  const finest = images.length === 0 || others ? 300 : Math.max(...images.map(dpiOf));
  const native = Math.max(150, Math.min(300, Number.isFinite(finest) ? finest : 300));
  const used = workingDpi(native, most, size.width, size.height);
  const raster = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round((size.width / 72) * used)),
    height: Math.max(1, Math.round((size.height / 72) * used)),
    grey: true,
    annotations: true,
  });
  return {
    data: raster.data,
    width: raster.width,
    height: raster.height,
    dpi: used,
    usedDpi: used,
    finestDpi: workingDpi(native, fineDpi, size.width, size.height),
    box: [0, 0, size.width, size.height],
  };
}
