import { applyToBox, hull } from '../../geometry.ts';
import { combsOf } from '../../ink/combs.ts';
import type { Fragment } from '../../model/fragments.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import { isSure } from '../../ocr/trusted-recognition.ts';
import type { Box } from '../../results.ts';

/** Minimum number of filled cells. Fewer are check marks or numbers of copies. */
const minFilledCells = 3;

/**
 * Returns the filled parts of letter cells in a scanned form that were not read letter by letter.
 * Each box extends from the first to the last filled cell of a row, in points. Recognisers mistake
 * the sides of cells for letters.
 */
export function unreadCombs(picture: PagePicture, read: readonly Fragment[]): Box[] {
  const toDisplay = pictureToDisplay(picture);
  return combsOf(picture, 1 / Math.max(1e-6, toDisplay[0])).flatMap(({ cells }) => {
    const filled = cells
      .filter(({ isFilled }) => isFilled)
      .map(({ box }) => applyToBox(toDisplay, box));
    const unread = filled.filter((cell) => !read.some((word) => isLetterIn(word, cell)));
    const whole = hull(filled);
    return whole && filled.length >= minFilledCells && unread.length > 0 ? [whole] : [];
  });
}

/** Whether a word is the letter in a cell and was read with confidence. */
function isLetterIn({ text, confidence, glyphs, box }: Fragment, cell: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const isIn = x > cell[0] && x < cell[2] && y > cell[1] && y < cell[3];
  return isIn && (glyphs !== null || ([...text].length === 1 && isSure({ confidence, text })));
}
