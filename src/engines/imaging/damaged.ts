import { EngineError } from '../errors.ts';

/** The error for a picture whose bytes are inconsistent. */
export function damaged(): EngineError {
  return new EngineError('damaged', 'The image is damaged and cannot be read.');
}
