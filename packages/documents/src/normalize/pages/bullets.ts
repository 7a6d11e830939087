import { applyToBox } from '../../geometry.ts';
import { hasRightToLeftLetters } from '../../model/direction.ts';
import type { LevelPage } from '../../model/words/level-page.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { PageShapes } from '../../pdf/page-shapes.ts';

/** The maximum number of small shapes. A page with more contains a drawing. */
const maxShapes = 400;

/**
 * Finds bullets that are drawn instead of written: a small round or square shape to the left of a
 * line, at the height of its lower-case letters, with nothing else to the left of the line.
 */
export function findDrawnBullets(
  page: LevelPage,
  shapes: PageShapes,
  words: readonly PageWord[],
): PageWord[] {
  const { toLevel } = page;
  const smallBoxes = shapes.paths
    .map(({ box }) => (toLevel ? applyToBox(toLevel, box) : box))
    .filter(([x0, y0, x1, y1]) => {
      const [width, height] = [x1 - x0, y1 - y0];
      return width > 1 && height > 1 && width < 12 && height < 1.5 * width && width < 1.5 * height;
    });
  if (smallBoxes.length === 0 || smallBoxes.length > maxShapes) return [];
  const sorted = [...words].sort((a, b) => a.base - b.base);
  const bullets: PageWord[] = [];
  for (const [x0, y0, x1, y1] of smallBoxes) {
    const middle = (y0 + y1) / 2;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const at = (low + high) >> 1;
      if ((sorted[at]?.base ?? 0) < middle) low = at + 1;
      else high = at;
    }
    let found: PageWord | undefined;
    let isAlone = true;
    for (let at = low; at < sorted.length; at += 1) {
      const word = sorted[at];
      if (!word || word.base > middle + 20) break;
      const { base, size, box } = word;
      if (middle < base - 0.75 * size || middle > base - 0.1 * size || x1 - x0 > 0.75 * size)
        continue;
      // In right-to-left text, bullets are to the right of the line.
      const rightToLeft = hasRightToLeftLetters(word.text);
      const gapToWord = rightToLeft ? x0 - box[2] : box[0] - x1;
      const gapBehindWord = rightToLeft ? box[0] - x1 : x0 - box[2];
      const isNearer = !found || (rightToLeft ? box[2] > found.box[2] : box[0] < found.box[0]);
      if (gapToWord > 0.2 * size && gapToWord < 2.6 * size && isNearer) found = word;
      else if (gapBehindWord > -0.5 * size && gapBehindWord < 3 * size) isAlone = false;
      else if (gapToWord > -0.5 * size && gapToWord <= 0.2 * size) isAlone = false;
    }
    if (!found || !isAlone) continue;
    const { base, size, box } = found;
    bullets.push({
      ...found,
      text: '•',
      box: [x0, box[1], x1, box[3]],
      base,
      size,
      blankBefore: true,
      blankAfter: true,
      bold: false,
      italic: false,
      href: null,
    });
  }
  return bullets;
}
