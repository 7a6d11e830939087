import type { Hocr } from './hocr.ts';
import { createNativeTesseract } from './native.ts';
import type { Models } from './tessdata.ts';
import { createWasmTesseract } from './wasm.ts';

/** A grey picture for the recogniser. */
export type GreyPicture = {
  data: Uint8Array;
  width: number;
  height: number;
  /** Its true resolution; undefined where that is not known. A false one doubles the errors. */
  dpi: number | undefined;
};

export type Tesseract = {
  /** Loads what recognising needs, before anybody's picture is there. */
  warmUp(languages: readonly string[]): Promise<void>;
  /** Recognises a picture. `isolation` names whose it is: nothing learned crosses owners. */
  recognise(picture: GreyPicture, languages: readonly string[], isolation: string): Promise<Hocr>;
  /** How the page must be turned, clockwise, to read upright; undefined where it cannot tell. */
  detectOrientation(
    picture: GreyPicture,
  ): Promise<{ degrees: number; confidence: number } | undefined>;
};

/** Wraps pixels as a binary PGM: Leptonica reads it for nothing and it claims no resolution. */
export function toPgm({ data, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);
}

/**
 * The recogniser of one child process: the machine's own program where there is one, which costs a
 * third less than the same in WASM, else tesseract.js.
 */
export function createTesseract(models: Models): Tesseract {
  return models.native === null
    ? createWasmTesseract(models)
    : createNativeTesseract(models, models.native);
}
