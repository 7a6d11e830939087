import { createNativeTesseract } from './native.ts';
import type { Tesseract } from './recogniser.ts';
import type { Models } from './tessdata.ts';
import { createWasmTesseract } from './wasm.ts';

/**
 * Creates the recogniser of a child process: the installed `tesseract` program, which is a third
 * faster than WASM, or else tesseract.js.
 */
export function createTesseract(models: Models): Tesseract {
  return models.native === null
    ? createWasmTesseract(models)
    : createNativeTesseract(models, models.native);
}
