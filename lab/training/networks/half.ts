const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** Returns a number as a 16-bit float (IEEE 754), rounded to the nearest. */
export function toHalf(value: number): number {
  single[0] = value;
  const whole = bits[0] ?? 0;
  const sign = (whole >>> 16) & 0x8000;
  const exponent = ((whole >>> 23) & 0xff) - 112;
  const fraction = (whole & 0x7fffff) | 0x800000;
  if (exponent >= 31) throw new RangeError(`${value} is too large for 16 bits.`);
  if (exponent <= 0) return exponent < -10 ? sign : sign | rounded(fraction, 14 - exponent);
  // A fraction that is rounded up to 2 correctly increases the exponent.
  return sign | ((exponent - 1) * 1024 + rounded(fraction, 13));
}

function rounded(fraction: number, shift: number): number {
  const half = 2 ** (shift - 1);
  const rest = fraction % (2 * half);
  const down = Math.floor(fraction / (2 * half));
  return rest > half || (rest === half && down % 2 === 1) ? down + 1 : down;
}
