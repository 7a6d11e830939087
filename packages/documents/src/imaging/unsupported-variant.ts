import { EngineError } from '@scriptorium/sandbox/errors';

/**
 * Returns the error for a valid picture in a variant that this build of libvips does not support;
 * null if the message has another cause.
 */
export function unsupportedVariantError(message: string): EngineError | null {
  const [, method, scheme] =
    /(\S[\w -]{0,30}) compression support is not configured|compression scheme (\d{1,5}) \w{1,20} decoding is not implemented/i.exec(
      message,
    ) ?? [];
  const compression = method?.replace(/^.*: /, '') ?? (scheme && `scheme ${scheme}`);
  if (compression) {
    return new EngineError('unsupported', `TIFF compression is not supported: ${compression}.`);
  }
  const hasUnsupportedSamples =
    /unsupported tiff image type|no known route from|samples_per_pixel not a whole number|not SGI-compressed|unsupported bitspersample|thunder decoder only supports|samples out of range/i.test(
      message,
    );
  if (!hasUnsupportedSamples) return null;
  return new EngineError('unsupported', 'The samples or colours of the image are not supported.');
}
