import { EngineError } from '../errors.ts';

/** What is said of a picture whose bytes do not hold together. */
export function damaged(): EngineError {
  return new EngineError('damaged', 'The image is damaged and cannot be read.');
}
