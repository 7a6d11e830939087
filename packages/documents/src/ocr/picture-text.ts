import { applyToBox, displaySize, hull, intersection, invert } from '../geometry.ts';
import { unreadLines, withLetters } from '../ink/unread-ink.ts';
import { listObjects } from '../pdf/page-objects.ts';
import { readShapes } from '../pdf/page-shapes.ts';
import type { PdfDocument } from '../pdf/pdfium.ts';
import type { Box, PageFrame, Word } from '../results.ts';
import { pictureOfPdfPage } from './pictures/page-picture.ts';
import { cropPicture, isBlankPicture, pictureToDisplay } from './pictures/picture.ts';

/**
 * Minimum size of a picture that may contain text, in points. Smaller pictures are logos and icons.
 */
const minWidth = 72;
const minHeight = 24;
/** Maximum number of pictures. If there are more, they are parts of a drawing. */
const maxPictures = 200;
/** The resolution at which pictures are searched for writing. */
const searchDpi = 150;
/** Minimum number of letters in long lines. Fewer letters are the labels of a chart. */
const minLetters = 60;

const isIn = ([x0, y0, x1, y1]: Box, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > left && x < right && y > top && y < bottom;
};

/** Returns the pictures of a loaded page that are large enough for text, as displayed. */
function largePictures(document: PdfDocument, page: number, frame: PageFrame): Box[] {
  const { width, height } = displaySize(frame);
  const { pictures, truncated } = readShapes(listObjects(document, page, frame));
  if (truncated || pictures.length > maxPictures) return [];
  return pictures.flatMap((box) => {
    const visible = intersection(box, [0, 0, width, height]);
    if (!visible || visible[2] - visible[0] < minWidth || visible[3] - visible[1] < minHeight)
      return [];
    return [visible];
  });
}

/**
 * The pictures with writing on a page that also has text, and the bounding box of these pictures.
 */
export type PicturesWithText = { boxes: Box[]; bounds: Box };

/**
 * Returns the pictures of a loaded page that contain text other than the words of the page, such as
 * a scan below a stamp or header, or a scan in a document. Null without such pictures.
 */
export async function findPicturesWithText(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  words: readonly Word[],
): Promise<PicturesWithText | null> {
  const candidates = largePictures(document, page, frame);
  const searchArea = hull(candidates);
  if (!searchArea) return null;
  const picture = cropPicture(await pictureOfPdfPage(document, page, frame, searchDpi), searchArea);
  if (isBlankPicture(picture)) return null;
  const map = pictureToDisplay(picture);
  const toPixels = invert(map);
  const knownBoxes = words.map(({ box }) => applyToBox(toPixels, box));
  const lines = unreadLines(withLetters(picture), knownBoxes);
  const boxes = candidates.filter((box) => {
    const linesInside = lines.filter((line) => isIn(applyToBox(map, line.box), box));
    return linesInside.reduce((sum, { letters }) => sum + letters, 0) >= minLetters;
  });
  const bounds = hull(boxes);
  return bounds ? { boxes, bounds } : null;
}

/** Returns the words that are in pictures with text. */
export const wordsInPictures = (words: readonly Word[], { boxes }: PicturesWithText): Word[] =>
  words.filter((word) => boxes.some((box) => isIn(word.box, box)));
