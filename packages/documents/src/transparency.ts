import { describeImage, imageError, openImage } from './source/images.ts';

/** A background colour for the transparent parts of a picture. */
export type BackgroundColour = '#ffffff' | '#000000';

/** Pixels with an alpha below this value are transparent. */
const opaqueAlpha = 255;
/** Minimum difference between a tone and its background at which the tone is visible. */
const minToneDifference = 64;
/** Maximum ratio of pixels visible on white to pixels visible on black for a white drawing. */
const maxShareOnWhite = 0.1;
/** Minimum share of transparent pixels. A picture with fewer is assumed to have white paper. */
const minTransparentShare = 0.5;

/**
 * Returns the background on which the drawing in a picture with transparent parts is visible:
 * white, or black for light letters. Null for a picture without transparent parts.
 * @throws EngineError if the picture cannot be read.
 */
export async function chooseBackground(
  path: string,
  page: number,
): Promise<BackgroundColour | null> {
  const { metadata } = await describeImage(path, page);
  if (!metadata.hasAlpha) return null;
  try {
    const alpha = await openImage(path, page)
      .extractChannel('alpha')
      .raw({ depth: 'uchar' })
      .toBuffer();
    const transparentCount = alpha.reduce(
      (count, value) => (value < opaqueAlpha ? count + 1 : count),
      0,
    );
    if (transparentCount === 0) return null;
    if (transparentCount < minTransparentShare * alpha.length) return '#ffffff';
    const [onWhite, onBlack] = [
      await countVisiblePixels(path, page, 255),
      await countVisiblePixels(path, page, 0),
    ];
    return onWhite < maxShareOnWhite * onBlack ? '#000000' : '#ffffff';
  } catch (error) {
    throw imageError(error);
  }
}

/** Counts the pixels of a picture that differ from a white or black background. */
async function countVisiblePixels(path: string, page: number, tone: 0 | 255): Promise<number> {
  const { data, info } = await openImage(path, page)
    .flatten({ background: { r: tone, g: tone, b: tone } })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  let visibleCount = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    if (Math.abs((data[at] ?? tone) - tone) > minToneDifference) visibleCount += 1;
  }
  return visibleCount;
}
