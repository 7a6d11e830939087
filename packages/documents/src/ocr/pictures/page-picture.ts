import sharp, { type Sharp } from 'sharp';
import { displaySize } from '../../geometry.ts';
import { maxImagePixels } from '../../limits.ts';
import { renderChannels, renderPage } from '../../pdf/bitmaps.ts';
import type { PdfDocument } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { describeImage, imageError, openImage } from '../../source/images.ts';
import { type BackgroundColour, chooseBackground } from '../../transparency.ts';
import { dpiOf, embeddedPicture, surveyPictures } from './embedded-picture.ts';
import { fineDpi, type PagePicture, toChannels, toGrey, workingDpi } from './picture.ts';

/**
 * The background on which a picture is viewed: black, white, or none (transparency is ignored).
 */
export type View = BackgroundColour | 'without alpha';

/**
 * Returns the views of a page of an image file, the best one first. A picture with transparent
 * parts may show different letters on another background, and in programs that ignore transparency.
 */
export async function viewsOfImage(path: string, pageNumber: number): Promise<[View, ...View[]]> {
  const ground = await chooseBackground(path, pageNumber);
  if (!ground) return ['#ffffff'];
  return [ground, ground === '#ffffff' ? '#000000' : '#ffffff', 'without alpha'];
}

/**
 * Returns a page of an image file at `maxDpi` or less. By default, the background is the one on
 * which the drawing is visible.
 * @throws EngineError if the page cannot be read.
 */
export async function pictureOfImage(
  path: string,
  pageNumber: number,
  maxDpi: number,
  view?: View,
): Promise<PagePicture> {
  const { about, width, height, image, ground } = await drawImage(
    path,
    pageNumber,
    maxDpi,
    'b-w',
    view,
  );
  return { ...about, ...(await toGrey(image, width, height, ground)), dpi: about.dpi };
}

/** Returns each channel of a page of an image file; one picture if all channels are equal. */
export async function channelsOfImage(
  path: string,
  pageNumber: number,
  maxDpi: number,
  view?: View,
): Promise<PagePicture[]> {
  const { about, width, height, image, ground } = await drawImage(
    path,
    pageNumber,
    maxDpi,
    'srgb',
    view,
  );
  const channels = await toChannels(image, width, height, ground);
  return channels.map((channel) => ({ ...channel, ...about }));
}

/**
 * Returns the inputs for drawing a page of an image file: its pixels, the target size and the
 * background.
 */
async function drawImage(
  path: string,
  pageNumber: number,
  maxDpi: number,
  space: 'b-w' | 'srgb',
  view?: View,
) {
  const page = await describeImage(path, pageNumber);
  const usedDpi = workingDpi(page.dpi, maxDpi, page.widthPt, page.heightPt);
  const scale = usedDpi / page.dpi;
  const background = view ?? (await chooseBackground(path, pageNumber)) ?? '#ffffff';
  const about: Omit<PagePicture, 'data' | 'width' | 'height'> = {
    dpi: page.isDpiKnown ? usedDpi : undefined,
    box: [0, 0, page.widthPt, page.heightPt],
    finestDpi: workingDpi(page.dpi, fineDpi, page.widthPt, page.heightPt),
    usedDpi,
  };
  return {
    about,
    width: Math.max(1, Math.round(page.pixelWidth * scale)),
    height: Math.max(1, Math.round(page.pixelHeight * scale)),
    image:
      background === 'without alpha'
        ? await withoutAlpha(path, pageNumber, space)
        : openImage(path, pageNumber).autoOrient(),
    ground: background === 'without alpha' ? undefined : background,
  };
}

/**
 * Returns the tones of a picture without alpha, including transparent parts. Scaling would lose
 * their tones.
 */
async function withoutAlpha(
  path: string,
  pageNumber: number,
  space: 'b-w' | 'srgb',
): Promise<Sharp> {
  try {
    const { data, info } = await openImage(path, pageNumber)
      .autoOrient()
      .removeAlpha()
      .toColourspace(space)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return sharp(data, { raw: { width, height, channels }, limitInputPixels: maxImagePixels });
  } catch (error) {
    throw imageError(error);
  }
}

/**
 * Returns a loaded PDF page as a greyscale picture at `maxDpi` or less: the JPEG of the page if
 * it consists of one, otherwise a picture drawn by PDFium. Huge pages are drawn at a lower
 * resolution.
 * @throws EngineError if the page cannot be drawn.
 */
export async function pictureOfPdfPage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  maxDpi: number,
): Promise<PagePicture> {
  const pictures = surveyPictures(document, page);
  const [onlyImage] = pictures.images;
  if (onlyImage && pictures.images.length === 1 && !pictures.hasOtherObjects) {
    const embedded = await embeddedPicture(document, onlyImage, frame, maxDpi);
    if (embedded) return embedded;
  }
  const { about, ...pixels } = sizeAt(frame, maxDpi, pictures);
  const { data, width, height } = renderPage(document.pdfium, page, {
    ...pixels,
    grey: true,
    annotations: true,
  });
  return { data, width, height, ...about };
}

/**
 * Returns each channel of a loaded PDF page, drawn by PDFium; one picture if all channels are
 * equal.
 */
export function channelsOfPdfPage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  maxDpi: number,
): PagePicture[] {
  const { about, ...pixels } = sizeAt(frame, maxDpi, surveyPictures(document, page));
  const channels = renderChannels(document.pdfium, page, { ...pixels, annotations: true });
  return channels.map((channel) => ({ ...channel, ...about }));
}

/** Returns the size at which a page is drawn, in pixels, and what its picture is about. */
function sizeAt(
  frame: PageFrame,
  maxDpi: number,
  { images, hasOtherObjects }: ReturnType<typeof surveyPictures>,
) {
  const size = displaySize(frame);
  const finestDpi = images.length === 0 || hasOtherObjects ? 300 : Math.max(...images.map(dpiOf));
  const native = Math.max(150, Math.min(300, Number.isFinite(finestDpi) ? finestDpi : 300));
  const usedDpi = workingDpi(native, maxDpi, size.width, size.height);
  const about: Omit<PagePicture, 'data' | 'width' | 'height'> = {
    dpi: usedDpi,
    usedDpi,
    finestDpi: workingDpi(native, fineDpi, size.width, size.height),
    box: [0, 0, size.width, size.height],
  };
  return {
    width: Math.max(1, Math.round((size.width / 72) * usedDpi)),
    height: Math.max(1, Math.round((size.height / 72) * usedDpi)),
    about,
  };
}
