import { applyToBox, displaySize, hull, intersection, invert } from '../geometry.ts';
import { inkOf, unreadLines } from '../ink/unread.ts';
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
const lookDpi = 150;
/** Minimum number of letters in long lines. Fewer letters are the labels of a chart. */
const minLetters = 60;

const isIn = ([x0, y0, x1, y1]: Box, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > left && x < right && y > top && y < bottom;
};

/** Returns the pictures of a loaded page that are large enough for text, as displayed. */
function largePictures(document: PdfDocument, page: number, frame: PageFrame): Box[] {
  const { width, height } = displaySize(frame);
  const { pictures, crowded } = readShapes(listObjects(document, page, frame));
  if (crowded || pictures.length > maxPictures) return [];
  return pictures.flatMap((box) => {
    const shown = intersection(box, [0, 0, width, height]);
    if (!shown || shown[2] - shown[0] < minWidth || shown[3] - shown[1] < minHeight) return [];
    return [shown];
  });
}

/**
 * The pictures with writing on a page that also has text, and the bounding box of these pictures.
 */
export type Pictured = { boxes: Box[]; around: Box };

/**
 * Returns the pictures of a loaded page that contain text other than the words of the page, such as
 * a scan below a stamp or header, or a scan in a document. Null without such pictures.
 */
export async function picturedText(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  own: readonly Word[],
): Promise<Pictured | null> {
  const large = largePictures(document, page, frame);
  const within = hull(large);
  if (!within) return null;
  const picture = cropPicture(await pictureOfPdfPage(document, page, frame, lookDpi), within);
  if (isBlankPicture(picture)) return null;
  const map = pictureToDisplay(picture);
  const toPixels = invert(map);
  const known = own.map(({ box }) => applyToBox(toPixels, box));
  const lines = unreadLines(inkOf(picture), known);
  const boxes = large.filter((box) => {
    const inside = lines.filter((line) => isIn(applyToBox(map, line.box), box));
    return inside.reduce((sum, { letters }) => sum + letters, 0) >= minLetters;
  });
  const around = hull(boxes);
  return around ? { boxes, around } : null;
}

/** Returns the words that are in such pictures. */
export const inPictures = (words: readonly Word[], { boxes }: Pictured): Word[] =>
  words.filter((word) => boxes.some((box) => isIn(word.box, box)));
