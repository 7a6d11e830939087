/** A single grey pixel, which replaces all pictures in an output. */
export const greyPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAACklEQVQI12M4AAAAwgDB+NBPEwAAAABJRU5ErkJggg==',
  'base64',
);

/** Whether a part is the placeholder picture. */
export const isPlaceholder = (bytes: Uint8Array): boolean => greyPixel.equals(bytes);
