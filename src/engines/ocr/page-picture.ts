import sharp, { type Sharp } from 'sharp';
import { EngineError } from '../errors.ts';
import {
  applyToBox,
  compose,
  displaySize,
  invert,
  type Matrix,
  userToDisplay,
} from '../geometry.ts';
import { maxImagePixels, maxPagePixels, maxPicturePixels } from '../limits.ts';
import { allocate, type PdfDocument, readFloats, renderPage, withSlots } from '../pdf/pdfium.ts';
import type { Box, Frame } from '../results.ts';
import { describeImage, imageError, openImage } from '../source.ts';
import type { GreyPicture } from './tesseract.ts';

/** A page as a grey picture, and which part of the displayed page it shows. */
export type PagePicture = GreyPicture & {
  box: Box;
  /** The finest resolution that would show more than this picture does. */
  finestDpi: number;
  /** Pixels per inch of this picture, known or guessed. */
  usedDpi: number;
};

/** The most that is ever read at: small print at 300 dpi has what the recogniser can use. */
export const fineDpi = 300;

/** Below this the letters are too small for the recogniser, and the picture is enlarged. */
const smallestDpi = 120;

/** The resolution to recognise at, for a source of `native` dpi and a wish of `most` dpi. */
export function workingDpi(
  native: number,
  most: number,
  widthPt: number,
  heightPt: number,
): number {
  const wished = native < smallestDpi ? Math.min(most, native * 3) : Math.min(native, most);
  const inches2 = (widthPt / 72) * (heightPt / 72);
  return Math.min(wished, Math.sqrt(maxPagePixels / inches2));
}

/** Grey, scaled to `width` × `height`, without padding. */
async function toGrey(image: Sharp, width: number, height: number): Promise<GreyPicture> {
  try {
    const { data, info } = await image
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .resize(width, height, { fit: 'fill' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 1)
      return { data, width: info.width, height: info.height, dpi: undefined };
    const grey = Buffer.alloc(info.width * info.height);
    for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * info.channels] ?? 0;
    return { data: grey, width: info.width, height: info.height, dpi: undefined };
  } catch (error) {
    throw imageError(error);
  }
}

/** A page of an image file at `most` dpi or less. Throws EngineError. */
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

/** FPDF_PAGEOBJ_* of PDFium's public header. */
const textObject = 1;
const imageObject = 3;
const formObject = 5;
const invisibleMode = 3;
const mostObjects = 400;

type ImageObject = { object: number; matrix: Matrix; width: number; height: number };

/** The page's picture objects, and whether anything else is drawn. Looks one form deep. */
function surveyPage(
  document: PdfDocument,
  page: number,
): { images: ImageObject[]; others: boolean } {
  const { pdfium } = document;
  const images: ImageObject[] = [];
  const count = pdfium.FPDFPage_CountObjects(page);
  let others = count > mostObjects || pdfium.FPDFPage_GetAnnotCount(page) > 0;
  for (let index = 0; index < Math.min(count, mostObjects); index += 1) {
    const object = pdfium.FPDFPage_GetObject(page, index);
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === imageObject) {
      const image = describeImageObject(document, object);
      if (image && image.width * image.height > maxPicturePixels) {
        throw new EngineError('too_large', 'A picture on the page is too large to be read.');
      }
      if (image) images.push(image);
      else others = true;
    } else if (!isInvisible(document, object, type)) {
      others = true;
    }
  }
  return { images, others };
}

/** Invisible text, alone or in a form: what other recognisers add. */
function isInvisible(document: PdfDocument, object: number, type: number): boolean {
  const { pdfium } = document;
  if (type === textObject) return pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleMode;
  if (type !== formObject) return false;
  const count = pdfium.FPDFFormObj_CountObjects(object);
  if (count > mostObjects * 10) return false;
  for (let index = 0; index < count; index += 1) {
    const inner = pdfium.FPDFFormObj_GetObject(object, index);
    if (pdfium.FPDFPageObj_GetType(inner) !== textObject) return false;
    if (pdfium.FPDFTextObj_GetTextRenderMode(inner) !== invisibleMode) return false;
  }
  return true;
}

function describeImageObject(document: PdfDocument, object: number): ImageObject | undefined {
  const { pdfium } = document;
  return withSlots(pdfium, 6, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return undefined;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = readFloats(pdfium, at, 6);
    if (!pdfium.FPDFImageObj_GetImagePixelSize(object, at, at + 4)) return undefined;
    const [width = 0, height = 0] = new Uint32Array(pdfium.heap().buffer.slice(at, at + 8));
    return width > 0 && height > 0
      ? { object, matrix: [a, b, c, d, e, f], width, height }
      : undefined;
  });
}

/** Pixels per inch of a placed image, by the lesser of its two directions. */
function dpiOf({ matrix: [a, b, c, d], width, height }: ImageObject): number {
  return Math.min((width / Math.hypot(a, b)) * 72, (height / Math.hypot(c, d)) * 72);
}

/** The bytes of an image that is one JPEG and nothing else. */
function jpegBytes(document: PdfDocument, { object }: ImageObject): Buffer | undefined {
  const { pdfium } = document;
  if (pdfium.FPDFImageObj_GetImageFilterCount(object) !== 1) return undefined;
  const isJpeg = withSlots(pdfium, 4, (at) => {
    const length = pdfium.FPDFImageObj_GetImageFilter(object, 0, at, 32);
    const name = Buffer.from(pdfium.heap().slice(at, at + Math.max(0, length - 1)));
    return name.toString('latin1') === 'DCTDecode';
  });
  if (!isJpeg || pdfium.FPDFPageObj_HasTransparency(object)) return undefined;
  const size = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (size <= 0) return undefined;
  const at = allocate(pdfium, size);
  try {
    pdfium.FPDFImageObj_GetImageDataRaw(object, at, size);
    return Buffer.from(pdfium.heap().slice(at, at + size));
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}

/** How a picture placed by `map` (unit square, y up, to the display) must be turned, if squarely. */
function turnOf([a, b, c, d]: Matrix): 0 | 90 | 180 | 270 | undefined {
  const tolerance = 1e-3 * Math.max(Math.hypot(a, b), Math.hypot(c, d));
  if (Math.abs(b) < tolerance && Math.abs(c) < tolerance) {
    if (a > 0 && d < 0) return 0;
    if (a < 0 && d > 0) return 180;
  }
  if (Math.abs(a) < tolerance && Math.abs(d) < tolerance) {
    if (b > 0 && c > 0) return 90;
    if (b < 0 && c < 0) return 270;
  }
  return undefined;
}

/**
 * The page's own JPEG where the page is nothing but that: nearer to the scanner, and cheaper, than
 * drawing it again.
 */
async function ownPicture(
  document: PdfDocument,
  image: ImageObject,
  frame: Frame,
  most: number,
): Promise<PagePicture | undefined> {
  const size = displaySize(frame);
  const map = compose(userToDisplay(frame), image.matrix);
  const degrees = turnOf(map);
  const box = applyToBox(map, [0, 0, 1, 1]);
  const slack = 0.01 * Math.max(size.width, size.height);
  const inside =
    box[0] > -slack &&
    box[1] > -slack &&
    box[2] < size.width + slack &&
    box[3] < size.height + slack;
  if (degrees === undefined || !inside || image.width * image.height > maxImagePixels) {
    return undefined;
  }
  const bytes = jpegBytes(document, image);
  if (!bytes) return undefined;
  const source = sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'none' });
  const metadata = await source.metadata().catch(() => undefined);
  // Four-colour JPEGs come inverted or not, by rules that PDFium knows better.
  if (metadata?.format !== 'jpeg' || (metadata.channels ?? 0) > 3) return undefined;
  const dpi = dpiOf(image);
  const used = workingDpi(dpi, most, box[2] - box[0], box[3] - box[1]);
  const grey = await toGrey(
    source.rotate(degrees),
    Math.max(1, Math.round(((box[2] - box[0]) / 72) * used)),
    Math.max(1, Math.round(((box[3] - box[1]) / 72) * used)),
  );
  return {
    ...grey,
    dpi: used,
    usedDpi: used,
    finestDpi: workingDpi(dpi, fineDpi, box[2] - box[0], box[3] - box[1]),
    box,
  };
}

/**
 * A loaded PDF page as a grey picture at `most` dpi or less: its own JPEG where it is one, else
 * drawn by PDFium. Huge pages are drawn at fewer dpi. Throws EngineError.
 */
export async function pictureOfPdfPage(
  document: PdfDocument,
  page: number,
  frame: Frame,
  most: number,
): Promise<PagePicture> {
  const { images, others } = surveyPage(document, page);
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

/** From pixels of the picture to points of the displayed page. */
export function pictureToDisplay({ width, height, box: [x0, y0, x1, y1] }: PagePicture): Matrix {
  return [(x1 - x0) / width, 0, 0, (y1 - y0) / height, x0, y0];
}

/** The part of a picture that shows `box` of the page, to whole pixels. */
export function cropPicture(picture: PagePicture, box: Box): PagePicture {
  const map = pictureToDisplay(picture);
  const [left, top, right, bottom] = applyToBox(invert(map), box);
  const x0 = Math.min(picture.width - 1, Math.max(0, Math.floor(left)));
  const y0 = Math.min(picture.height - 1, Math.max(0, Math.floor(top)));
  const width = Math.min(picture.width, Math.max(x0 + 1, Math.ceil(right))) - x0;
  const height = Math.min(picture.height, Math.max(y0 + 1, Math.ceil(bottom))) - y0;
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = (y0 + y) * picture.width + x0;
    data.set(picture.data.subarray(from, from + width), y * width);
  }
  return {
    ...picture,
    data,
    width,
    height,
    box: applyToBox(map, [x0, y0, x0 + width, y0 + height]),
  };
}

/** The same picture turned clockwise by quarter turns. */
export async function turnPicture(picture: GreyPicture, degrees: number): Promise<GreyPicture> {
  const { width, height, data, dpi } = picture;
  const { data: turned, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(degrees)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: turned, width: info.width, height: info.height, dpi };
}

/** True where a picture is of one tone: there is nothing to read on it. */
export function isBlank({ data }: GreyPicture): boolean {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (const tone of data) {
    sum += tone;
    squares += tone * tone;
    count += 1;
    // What was seen so far never comes closer to its mean again: most pages end in their first line.
    if (count % 4096 === 0 && isUneven(sum, squares, count, data.length)) return false;
  }
  return !isUneven(sum, squares, count, data.length);
}

/** Whether tones stand off their mean by 1 or more, as a standard deviation over `all` pixels. */
function isUneven(sum: number, squares: number, count: number, all: number): boolean {
  return squares - (sum * sum) / count >= all - 1;
}
