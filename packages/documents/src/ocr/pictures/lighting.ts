import type { Grey } from '../../ink/components.ts';
import { byGround, type Ground, groundOf } from '../../ink/ground.ts';

/**
 * Side of the squares in which the tone of the paper is measured, in points: larger than the height
 * of a line.
 */
const squarePt = 16;
/** The share of pixels in a square that are at most as light as the paper. */
const ofPaper = 0.85;
/** Maximum tone of paper in a shadow, as a share of the lightest tone. */
const inShadow = 0.85;
/** Minimum share of squares in a shadow on an unevenly lit page. */
const minShadow = 0.08;
/**
 * Minimum tone of paper, as a share of the lightest tone. Darker ground is a bar or a photo, which
 * is lightened no further.
 */
const darkest = 0.25;
/** The tone to which all paper is set. */
const paper = 245;

/** Returns the tone of the lightest paper, ignoring the few squares with glare. */
function lightest({ tones }: Ground): number {
  const sorted = tones.slice().sort();
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 255;
}

/**
 * Returns the picture of a page with even lighting: content in a shadow, or in the fold of a book,
 * becomes as clear as the rest. Null if the page is already lit evenly.
 */
export function evenlyLit<Picture extends Grey>(picture: Picture, dpi: number): Picture | null {
  const side = Math.max(4, Math.round((squarePt / 72) * dpi));
  const ground = groundOf(picture, side, ofPaper);
  const max = lightest(ground);
  const min = Math.max(1, darkest * max);
  const shadow = ground.tones.filter((tone) => tone >= min && tone < inShadow * max).length;
  if (shadow < minShadow * ground.tones.length) return null;
  const data = byGround(
    picture,
    ground,
    (tone) => paper / Math.max(min, tone),
    (tone, by) => Math.floor(tone * by),
  );
  return { ...picture, data };
}
