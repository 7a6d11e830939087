import type { GreyRaster } from './components.ts';

/**
 * Returns a function that computes a value once for each picture, because several searches of a page
 * need it. The pixels of the picture must not change afterwards.
 */
export function oncePerPicture<Value extends object>(
  compute: (picture: GreyRaster) => Value,
): (picture: GreyRaster) => Value {
  const values = new WeakMap<GreyRaster, Value>();
  return (picture) => {
    const known = values.get(picture);
    if (known) return known;
    const value = compute(picture);
    values.set(picture, value);
    return value;
  };
}
