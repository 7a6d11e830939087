import { describeImage, imageError, openImage } from './source/images.ts';

/** A background colour for the transparent parts of a picture. */
export type Ground = '#ffffff' | '#000000';

/** Pixels with an alpha below this value are transparent. */
const opaque = 255;
/** Minimum difference between a tone and its background at which the tone is visible. */
const minSeen = 64;
/** If this share fewer pixels are visible on white than on black, the drawing is white. */
const lessOnWhite = 0.1;
/** If the share of transparent pixels is smaller, the drawing has white paper. */
const minClear = 0.5;

/**
 * Returns the background on which the drawing in a picture with transparent parts is visible:
 * white, or black for light letters. Null for a picture without transparent parts.
 * @throws EngineError if the picture cannot be read.
 */
export async function groundOf(path: string, page: number): Promise<Ground | null> {
  const { metadata } = await describeImage(path, page);
  if (!metadata.hasAlpha) return null;
  try {
    const alpha = await openImage(path, page)
      .extractChannel('alpha')
      .raw({ depth: 'uchar' })
      .toBuffer();
    const clear = alpha.reduce((count, value) => (value < opaque ? count + 1 : count), 0);
    if (clear === 0) return null;
    if (clear < minClear * alpha.length) return '#ffffff';
    const [onWhite, onBlack] = [await seenOn(path, page, 255), await seenOn(path, page, 0)];
    return onWhite < lessOnWhite * onBlack ? '#000000' : '#ffffff';
  } catch (error) {
    throw imageError(error);
  }
}

/** Counts the pixels of a picture that differ from a white or black background. */
async function seenOn(path: string, page: number, tone: 0 | 255): Promise<number> {
  const { data, info } = await openImage(path, page)
    .flatten({ background: { r: tone, g: tone, b: tone } })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  let seen = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    if (Math.abs((data[at] ?? tone) - tone) > minSeen) seen += 1;
  }
  return seen;
}
