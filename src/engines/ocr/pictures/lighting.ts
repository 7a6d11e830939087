import type { Grey } from '../../ink/components.ts';
import { byGround, type Ground, groundOf } from '../../ink/ground.ts';

/** The tone of the paper is measured in squares of this many points: higher than a line of print. */
const squarePt = 16;
/** The share of the pixels of a square that are at most as light as its paper. */
const ofPaper = 0.85;
/** Paper that is darker than this share of the lightest is in shadow. */
const inShadow = 0.85;
/** With a smaller share of such squares, a page is lit evenly. */
const leastShadow = 0.08;
/** Ground that is darker than this share of the lightest is a bar or a photo, and is not lightened further. */
const darkest = 0.25;
/** The tone that all paper is given. */
const paper = 245;

/** The tone of the lightest paper, without the few squares that glare. */
function lightest({ tones }: Ground): number {
  const sorted = tones.slice().sort();
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 255;
}

/**
 * A picture of a page as if it were lit evenly: what lies in a shadow, or in the fold of a book, is as clear
 * as the rest. Null if the page is lit evenly.
 */
export function evenlyLit<Picture extends Grey>(picture: Picture, dpi: number): Picture | null {
  const side = Math.max(4, Math.round((squarePt / 72) * dpi));
  const ground = groundOf(picture, side, ofPaper);
  const most = lightest(ground);
  const least = Math.max(1, darkest * most);
  const shadow = ground.tones.filter((tone) => tone >= least && tone < inShadow * most).length;
  if (shadow < leastShadow * ground.tones.length) return null;
  const data = byGround(
    picture,
    ground,
    (tone) => paper / Math.max(least, tone),
    (tone, by) => Math.floor(tone * by),
  );
  return { ...picture, data };
}
