import type { Grey } from '../../ink/components.ts';
import { byGround, type Ground, groundOf } from '../../ink/ground.ts';

/**
 * Side of the squares in which the tone of the paper is measured, in points: higher than a line of
 * print.
 */
const squarePt = 16;
/** Share of the pixels of a square that are at most as light as its paper. */
const ofPaper = 0.85;
/** Maximum tone of paper in shadow, as a share of the lightest. */
const inShadow = 0.85;
/** Minimum share of such squares on an unevenly lit page. */
const minShadow = 0.08;
/**
 * Minimum tone of the ground, as a share of the lightest; darker ground is a bar or a photo, and is
 * not lightened further.
 */
const darkest = 0.25;
/** The tone that all paper is set to. */
const paper = 245;

/** Returns the tone of the lightest paper, without the few squares that glare. */
function lightest({ tones }: Ground): number {
  const sorted = tones.slice().sort();
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 255;
}

/**
 * Returns a picture of a page as if it were lit evenly: content in a shadow, or in the fold of a
 * book, is as clear as the rest. Null if the page is lit evenly.
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
