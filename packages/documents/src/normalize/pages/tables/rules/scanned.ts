import { applyToBox, invert } from '../../../../geometry.ts';
import { type PagePicture, pictureToDisplay } from '../../../../ocr/pictures/picture.ts';
import type { Box } from '../../../../results.ts';
import type { PageRules, Rule } from '../types.ts';
import { detectRules } from './detect-rules.ts';

/** The resolution at which lines are one pixel wide. A higher resolution only costs more time. */
export const rulesDpi = 100;

/** The margin by which blacked-out areas exceed their boxes, in points. */
const boxMargin = 2;

/** Paints boxes of a picture white, because a blacked-out word is not a line. */
function whiten(picture: PagePicture, boxes: readonly Box[]): void {
  const { data, width, height } = picture;
  const toPicture = invert(pictureToDisplay(picture));
  for (const [left, top, right, bottom] of boxes) {
    const box: Box = [left - boxMargin, top - boxMargin, right + boxMargin, bottom + boxMargin];
    const [x0, y0, x1, y1] = applyToBox(toPicture, box);
    const from = Math.min(width, Math.max(0, Math.floor(x0)));
    const to = Math.min(width, Math.max(from, Math.ceil(x1)));
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y1); y += 1) {
      data.fill(255, y * width + from, y * width + to);
    }
  }
}

/**
 * Returns the lines in a picture of a page, in points of the page as displayed. `redacted` boxes
 * are left out and painted white in the picture.
 */
export function scannedRules(picture: PagePicture, redacted: readonly Box[]): PageRules {
  whiten(picture, redacted);
  const [scale, , , , left, top] = pictureToDisplay(picture);
  const { across, down } = detectRules(picture, scale);
  const shift = (
    { from, to, at, thickness }: Rule,
    offsetAlong: number,
    offsetAcross: number,
  ): Rule => ({
    from: from + offsetAlong,
    to: to + offsetAlong,
    at: at + offsetAcross,
    thickness,
  });
  return {
    across: across.map((rule) => shift(rule, left, top)),
    down: down.map((rule) => shift(rule, top, left)),
    fills: [],
  };
}
