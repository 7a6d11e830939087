import { EngineError } from '@scriptorium/sandbox/errors';
import sharp from 'sharp';
import { applyToBox, compose, displaySize, type Matrix, userToDisplay } from '../../geometry.ts';
import { maxImagePixels, maxPicturePixels } from '../../limits.ts';
import { allocate, type PdfDocument, readFloats, withSlots } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { fineDpi, type PagePicture, toGrey, workingDpi } from './picture.ts';

/** FPDF_PAGEOBJ_* in PDFium's public header. */
const textObject = 1;
const imageObject = 3;
const formObject = 5;
const invisibleMode = 3;
const maxObjects = 400;

type ImageObject = { object: number; matrix: Matrix; width: number; height: number };

/**
 * Returns the pictures of a page, and whether the page draws other objects. Forms are searched to a
 * depth of one.
 */
export function surveyPictures(
  document: PdfDocument,
  page: number,
): { images: ImageObject[]; hasOtherObjects: boolean } {
  const { pdfium } = document;
  const images: ImageObject[] = [];
  const count = pdfium.FPDFPage_CountObjects(page);
  let hasOtherObjects = count > maxObjects || pdfium.FPDFPage_GetAnnotCount(page) > 0;
  for (let index = 0; index < Math.min(count, maxObjects); index += 1) {
    const object = pdfium.FPDFPage_GetObject(page, index);
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === imageObject) {
      const image = describeImageObject(document, object);
      if (image && image.width * image.height > maxPicturePixels) {
        throw new EngineError('too_large', 'A picture on the page is too large to be read.');
      }
      if (image) images.push(image);
      else hasOtherObjects = true;
    } else if (!isInvisible(document, object, type)) {
      hasOtherObjects = true;
    }
  }
  return { images, hasOtherObjects };
}

/** Whether an object is invisible text, alone or in a form. Other recognisers add such text. */
function isInvisible(document: PdfDocument, object: number, type: number): boolean {
  const { pdfium } = document;
  if (type === textObject) return pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleMode;
  if (type !== formObject) return false;
  const count = pdfium.FPDFFormObj_CountObjects(object);
  if (count > maxObjects * 10) return false;
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

/**
 * Returns the resolution of a placed image, in pixels per inch, in the direction with fewer pixels.
 */
export function dpiOf({ matrix: [a, b, c, d], width, height }: ImageObject): number {
  return Math.min((width / Math.hypot(a, b)) * 72, (height / Math.hypot(c, d)) * 72);
}

/** Returns the bytes of an image that consists of a single JPEG without masks. */
function jpegBytes(document: PdfDocument, { object }: ImageObject): Buffer | undefined {
  const { pdfium } = document;
  if (pdfium.FPDFImageObj_GetImageFilterCount(object) !== 1) return undefined;
  const isJpeg = withSlots(pdfium, 4, (at) => {
    const length = pdfium.FPDFImageObj_GetImageFilter(object, 0, at, 32);
    const name = Buffer.from(pdfium.heap().slice(at, at + Math.max(0, length - 1)));
    return name.toString('latin1') === 'DCTDecode';
  });
  if (!isJpeg || document.mayHaveMasks()) return undefined;
  if (pdfium.FPDFPageObj_HasTransparency(object)) return undefined;
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

/**
 * Returns the quarter turn of a picture that is placed by `map` (from the unit square, y up, to the
 * page as displayed); undefined for other angles.
 */
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
 * Returns the JPEG of a page that consists only of that JPEG. It is closer to the scan than a
 * rendered page, and cheaper.
 */
export async function embeddedPicture(
  document: PdfDocument,
  image: ImageObject,
  frame: PageFrame,
  maxDpi: number,
): Promise<PagePicture | undefined> {
  const size = displaySize(frame);
  const map = compose(userToDisplay(frame), image.matrix);
  const degrees = turnOf(map);
  const box = applyToBox(map, [0, 0, 1, 1]);
  const tolerance = 0.01 * Math.max(size.width, size.height);
  const isInside =
    box[0] > -tolerance &&
    box[1] > -tolerance &&
    box[2] < size.width + tolerance &&
    box[3] < size.height + tolerance;
  if (degrees === undefined || !isInside || image.width * image.height > maxImagePixels) {
    return undefined;
  }
  const bytes = jpegBytes(document, image);
  if (!bytes) return undefined;
  const source = sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'none' });
  const metadata = await source.metadata().catch(() => undefined);
  // The colours of CMYK JPEGs may be inverted, which PDFium handles correctly.
  if (metadata?.format !== 'jpeg' || (metadata.channels ?? 0) > 3) return undefined;
  const dpi = dpiOf(image);
  const usedDpi = workingDpi(dpi, maxDpi, box[2] - box[0], box[3] - box[1]);
  const grey = await toGrey(
    source.rotate(degrees),
    Math.max(1, Math.round(((box[2] - box[0]) / 72) * usedDpi)),
    Math.max(1, Math.round(((box[3] - box[1]) / 72) * usedDpi)),
  );
  return {
    ...grey,
    dpi: usedDpi,
    usedDpi,
    finestDpi: workingDpi(dpi, fineDpi, box[2] - box[0], box[3] - box[1]),
    box,
  };
}
