import sharp, { type Sharp } from 'sharp';
import { displaySize } from '../../geometry.ts';
import { channelsOf } from '../../ink/channels.ts';
import { maxImagePixels } from '../../limits.ts';
import { type PdfDocument, renderPage } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { describeImage, imageError, openImage } from '../../source/images.ts';
import { type Ground, groundOf } from '../../transparency.ts';
import { dpiOf, ownPicture, surveyPictures } from './own-picture.ts';
import { fineDpi, type PagePicture, toChannels, toGrey, workingDpi } from './picture.ts';

/**
 * The background on which a picture is viewed: black or white, or none, which ignores transparency.
 */
export type View = Ground | 'without alpha';

/**
 * Returns the views of a page of an image file, the best one first. A picture with transparent
 * parts may show different letters on another background, and in programs that ignore transparency.
 */
export async function viewsOfImage(path: string, number: number): Promise<[View, ...View[]]> {
  const ground = await groundOf(path, number);
  if (!ground) return ['#ffffff'];
  return [ground, ground === '#ffffff' ? '#000000' : '#ffffff', 'without alpha'];
}

/**
 * Returns a page of an image file at `most` dpi or less. By default, the background is the one on
 * which the drawing is visible.
 * @throws EngineError if the page cannot be read.
 */
export async function pictureOfImage(
  path: string,
  number: number,
  most: number,
  view?: View,
): Promise<PagePicture> {
  const { about, width, height, image, ground } = await drawImage(path, number, most, 'b-w', view);
  return { ...about, ...(await toGrey(image, width, height, ground)), dpi: about.dpi };
}

/** Returns each channel of a page of an image file; one picture if all channels are equal. */
export async function channelsOfImage(
  path: string,
  number: number,
  most: number,
  view?: View,
): Promise<PagePicture[]> {
  const { about, width, height, image, ground } = await drawImage(path, number, most, 'srgb', view);
  const channels = await toChannels(image, width, height, ground);
  return channels.map((channel) => ({ ...channel, ...about }));
}

/**
 * Returns the inputs for drawing a page of an image file: its pixels, the target size and the
 * background.
 */
async function drawImage(
  path: string,
  number: number,
  most: number,
  space: 'b-w' | 'srgb',
  view?: View,
) {
  const page = await describeImage(path, number);
  const used = workingDpi(page.dpi, most, page.widthPt, page.heightPt);
  const scale = used / page.dpi;
  const seen = view ?? (await groundOf(path, number)) ?? '#ffffff';
  const about: Omit<PagePicture, 'data' | 'width' | 'height'> = {
    dpi: page.dpiKnown ? used : undefined,
    box: [0, 0, page.widthPt, page.heightPt],
    finestDpi: workingDpi(page.dpi, fineDpi, page.widthPt, page.heightPt),
    usedDpi: used,
  };
  return {
    about,
    width: Math.max(1, Math.round(page.pixelWidth * scale)),
    height: Math.max(1, Math.round(page.pixelHeight * scale)),
    image:
      seen === 'without alpha'
        ? await withoutAlpha(path, number, space)
        : openImage(path, number).autoOrient(),
    ground: seen === 'without alpha' ? undefined : seen,
  };
}

/**
 * Returns the tones of a picture without alpha, including transparent parts. Scaling would lose
 * their tones.
 */
async function withoutAlpha(path: string, number: number, space: 'b-w' | 'srgb'): Promise<Sharp> {
  try {
    const { data, info } = await openImage(path, number)
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
 * Returns a loaded PDF page as a greyscale picture at `most` dpi or less: the JPEG of the page if
 * it consists of one, otherwise a picture drawn by PDFium. Huge pages are drawn at a lower
 * resolution.
 * @throws EngineError if the page cannot be drawn.
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
  const { raster, about } = drawPage(document, page, frame, most, { images, others, grey: true });
  return { data: raster.data, width: raster.width, height: raster.height, ...about };
}

/**
 * Returns each channel of a loaded PDF page, drawn by PDFium; one picture if all channels are
 * equal.
 */
export function channelsOfPdfPage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  most: number,
): PagePicture[] {
  const how = { ...surveyPictures(document, page), grey: false };
  const { raster, about } = drawPage(document, page, frame, most, how);
  return channelsOf(raster.data, raster).map((channel) => ({ ...channel, ...about }));
}

function drawPage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  most: number,
  { images, others, grey }: ReturnType<typeof surveyPictures> & { grey: boolean },
) {
  const size = displaySize(frame);
  const finest = images.length === 0 || others ? 300 : Math.max(...images.map(dpiOf));
  const native = Math.max(150, Math.min(300, Number.isFinite(finest) ? finest : 300));
  const used = workingDpi(native, most, size.width, size.height);
  const raster = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round((size.width / 72) * used)),
    height: Math.max(1, Math.round((size.height / 72) * used)),
    grey,
    annotations: true,
  });
  const about: Omit<PagePicture, 'data' | 'width' | 'height'> = {
    dpi: used,
    usedDpi: used,
    finestDpi: workingDpi(native, fineDpi, size.width, size.height),
    box: [0, 0, size.width, size.height],
  };
  return { raster, about };
}
