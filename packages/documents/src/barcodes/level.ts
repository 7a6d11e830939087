import sharp from 'sharp';
import { compose, invert, type Matrix, rotateAbout } from '../geometry.ts';
import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';

/** Minimum share of the edges of stripes that have one direction. */
const minCoherence = 0.35;
/** Maximum angle at which stripes are decoded without being levelled, in degrees. */
const maxSlant = 2;

/** A picture that was rotated or scaled, and the map from its pixels to those of the original. */
export interface View {
  picture: GreyRaster;
  toOriginal: Matrix;
}

/** Returns a picture rotated so that its stripes are upright; null if they are upright or level. */
export async function levelStripes(picture: GreyRaster, degrees: number): Promise<View | null> {
  const slant = degrees - Math.round(degrees / 90) * 90;
  if (Math.abs(slant) <= maxSlant) return null;
  const { data, width, height } = picture;
  const { data: turned, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(-slant, { background: '#ffffff' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const toTurned = compose(
    [1, 0, 0, 1, (info.width - width) / 2, (info.height - height) / 2],
    rotateAbout(width / 2, height / 2, -slant),
  );
  return {
    picture: { data: turned, width: info.width, height: info.height },
    toOriginal: invert(toTurned),
  };
}

/**
 * Returns the direction in which the tones of the stripes in the middle of a picture change, in
 * degrees; null without stripes. The corners of the picture show what is around them.
 */
export function directionOfStripes(picture: GreyRaster): number | null {
  const { width, height } = picture;
  const middle: Box = [width / 4, height / 4, (3 * width) / 4, (3 * height) / 4];
  const { degrees, coherence } = directionOfEdges(picture, middle);
  return coherence < minCoherence ? null : degrees;
}

/** The common direction of the edges in a part of a picture. */
interface EdgeDirection {
  /** The direction in which the tones change most, clockwise from the x axis. */
  degrees: number;
  /** The share of the edges that have this direction. */
  coherence: number;
  /** The mean square of the change of tone at a pixel. */
  strength: number;
}

/** Measures the direction of the edges in a part of a picture. */
export function directionOfEdges(
  { data, width, height }: GreyRaster,
  [left, top, right, bottom]: Box,
): EdgeDirection {
  const [x0, x1] = [Math.max(1, Math.floor(left)), Math.min(width - 1, Math.ceil(right))];
  const [y0, y1] = [Math.max(1, Math.floor(top)), Math.min(height - 1, Math.ceil(bottom))];
  let [xx, yy, xy] = [0, 0, 0];
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0, at = y * width + x0; x < x1; x += 1, at += 1) {
      const dx = data[at + 1]! - data[at - 1]!;
      const dy = data[at + width]! - data[at - width]!;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
  }
  return {
    degrees: (Math.atan2(2 * xy, xx - yy) * 90) / Math.PI,
    coherence: Math.hypot(xx - yy, 2 * xy) / Math.max(1, xx + yy),
    strength: (xx + yy) / Math.max(1, (x1 - x0) * (y1 - y0)),
  };
}
