import { limits } from '@scriptorium/contracts/limits';
import { EngineError } from '@scriptorium/sandbox/errors';

/** Returns the error for a damaged picture. */
export function damagedError(): EngineError {
  return new EngineError('damaged', 'The image is damaged and cannot be read.');
}

/** Returns the error for a picture with more pixels than the limit. */
export function tooManyPixelsError(): EngineError {
  const megapixels = limits.image_pixels / 1e6;
  return new EngineError('too_many_pixels', `The image has more than ${megapixels} megapixels.`);
}
