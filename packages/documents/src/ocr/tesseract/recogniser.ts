import type { Hocr } from './hocr.ts';

/** A greyscale picture for the recogniser. */
export type GreyPicture = {
  data: Uint8Array;
  width: number;
  height: number;
  /** The true resolution; undefined if unknown, since a wrong one doubles the errors. */
  dpi: number | undefined;
};

export type Tesseract = {
  /** Loads what recognition needs, before any picture arrives. */
  warmUp(languages: readonly string[]): Promise<void>;
  /** Recognises a picture. `isolation` is its project: nothing learned is kept for another. */
  recognise(picture: GreyPicture, languages: readonly string[], isolation: string): Promise<Hocr>;
  /** Degrees clockwise to turn the page upright; undefined if it cannot be determined. */
  detectOrientation(
    picture: GreyPicture,
  ): Promise<{ degrees: number; confidence: number } | undefined>;
};

/** Encodes pixels as a binary PGM, which Leptonica reads at no cost and which has no resolution. */
export function toPgm({ data, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);
}
