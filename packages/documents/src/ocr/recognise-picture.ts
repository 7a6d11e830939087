import { grow, hull } from '../geometry.ts';
import type { PdfDocument } from '../pdf/pdfium.ts';
import type { PageFrame } from '../results.ts';
import type { PageWords } from './page-words.ts';
import { pictureOfPdfPage } from './pictures/page-picture.ts';
import { cropPicture, keepParts, type PagePicture } from './pictures/picture.ts';
import { placeLines, placeWords, readingToDisplay } from './placing.ts';
import { readPageText } from './reading.ts';
import type { Tesseract } from './tesseract/recogniser.ts';
import type { UnreadLines } from './unread-lines.ts';

/**
 * Recognises a picture of a page, drawn at the requested resolution. Words and lines are in points
 * on the page as displayed. With `rotate`, the page may have any orientation.
 */
export async function recognisePicture(
  tesseract: Tesseract,
  picture: (dpi: number) => Promise<PagePicture>,
  languages: readonly string[],
  isolation: string,
  rotate = true,
): Promise<PageWords> {
  const reading = await readPageText(tesseract, { picture }, { languages, rotate }, isolation);
  const map = readingToDisplay(reading);
  return { words: placeWords(reading.hocr, map, []), lines: placeLines(reading.hocr, map) };
}

/** White margin around lines, in points, because letters at the edge of a picture are misread. */
const margin = 4;

type OpenPage = { document: PdfDocument; page: number; frame: PageFrame };

/** Recognises lines of a loaded page in one picture that contains only these lines. */
export async function recogniseLines(
  tesseract: Tesseract,
  { document, page, frame }: OpenPage,
  { boxes, isLevel }: UnreadLines,
  languages: readonly string[],
  isolation: string,
): Promise<PageWords> {
  const bounds = hull(boxes);
  if (!bounds) return { words: [], lines: [] };
  const draw = async (dpi: number): Promise<PagePicture> => {
    const picture = await pictureOfPdfPage(document, page, frame, dpi);
    return cropPicture(keepParts(picture, boxes), grow(bounds, margin));
  };
  return recognisePicture(tesseract, draw, languages, isolation, !isLevel);
}
