import { createNativeTesseract } from './native.ts';
import type { Tesseract } from './recogniser.ts';
import type { Models } from './tessdata.ts';
import { createWasmTesseract } from './wasm.ts';

/**
 * Creates the recogniser of a child process: the machine's `tesseract` if it is installed, which costs a
 * third less than WASM, otherwise tesseract.js.
 */
export function createTesseract(models: Models): Tesseract {
  return models.native === null
    ? createWasmTesseract(models)
    : createNativeTesseract(models, models.native);
}
