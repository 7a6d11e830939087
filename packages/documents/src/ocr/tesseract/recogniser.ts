import type { Hocr } from './hocr.ts';

/** A greyscale picture for the recogniser. */
export type GreyPicture = {
  data: Uint8Array;
  width: number;
  height: number;
  /** The exact resolution; undefined if unknown, because a wrong resolution doubles the errors. */
  dpi: number | undefined;
};

export type Tesseract = {
  /** Loads code and models before the first picture. */
  warmUp(languages: readonly string[]): Promise<void>;
  /**
   * Recognises a picture. `isolation` is the project of the picture. Adaptations are not kept for
   * other projects.
   */
  recognise(picture: GreyPicture, languages: readonly string[], isolation: string): Promise<Hocr>;
  /**
   * Returns the clockwise turn that makes the page upright, in degrees; undefined if it cannot be
   * determined.
   */
  detectOrientation(
    picture: GreyPicture,
  ): Promise<{ degrees: number; confidence: number } | undefined>;
};

/**
 * Encodes pixels as a binary PGM, an uncompressed format without a resolution.
 */
export function toPgm({ data, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);
}
