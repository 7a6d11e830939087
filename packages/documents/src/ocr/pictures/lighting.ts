import { adjustToBackground, type Background, measureBackground } from '../../ink/background.ts';
import type { GreyRaster } from '../../ink/components.ts';

/**
 * Side of the squares in which the tone of the paper is measured, in points: larger than the height
 * of a line.
 */
const squarePt = 16;
/** The share of pixels in a square that are at most as light as the paper. */
const paperQuantile = 0.85;
/** Maximum tone of paper in a shadow, as a share of the lightest tone. */
const maxShadowTone = 0.85;
/** Minimum share of squares in a shadow on an unevenly lit page. */
const minShadowShare = 0.08;
/**
 * Minimum tone of paper, as a share of the lightest tone. Darker ground is a bar or a photo, which
 * is lightened no further.
 */
const minPaperTone = 0.25;
/** The tone to which all paper is set. */
const targetTone = 245;

/** Returns the tone of the lightest paper, ignoring the few squares with glare. */
function lightestPaper({ tones }: Background): number {
  const sorted = tones.slice().sort();
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 255;
}

/**
 * Returns the picture of a page with even lighting: content in a shadow, or in the fold of a book,
 * becomes as clear as the rest of the page. Null if the page is already lit evenly.
 */
export function evenLighting<Picture extends GreyRaster>(
  picture: Picture,
  dpi: number,
): Picture | null {
  const side = Math.max(4, Math.round((squarePt / 72) * dpi));
  const ground = measureBackground(picture, side, paperQuantile);
  const max = lightestPaper(ground);
  const min = Math.max(1, minPaperTone * max);
  const shadow = ground.tones.filter((tone) => tone >= min && tone < maxShadowTone * max).length;
  if (shadow < minShadowShare * ground.tones.length) return null;
  const data = adjustToBackground(
    picture,
    ground,
    (tone) => targetTone / Math.max(min, tone),
    (tone, factor) => Math.floor(tone * factor),
  );
  return { ...picture, data };
}
