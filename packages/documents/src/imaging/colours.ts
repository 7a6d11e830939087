/** The colours of a picture. */

interface Colour {
  red: number;
  green: number;
  blue: number;
  count: number;
}

const maxColours = 6;
/** Maximum distance between similar colours in RGB (0 to 441). */
const minDistance = 48;
/** Minimum share of pixels of a colour. Colours with a smaller share are noise. */
const minShare = 0.01;

/**
 * Returns the main colours of a picture as `#rrggbb`, most frequent first; six at most. `pixels`
 * are the RGB values (three bytes per pixel) of a small version of the picture over white.
 */
export function paletteOf(pixels: Uint8Array): string[] {
  const buckets = bucketsOf(pixels);
  const mainColours: Colour[] = [];
  for (const bucket of buckets) {
    if (mainColours.length === maxColours) break;
    if (mainColours.every((colour) => distance(colour, bucket) >= minDistance))
      mainColours.push({ ...bucket });
  }
  const groups = mainColours.map((): Colour => ({ red: 0, green: 0, blue: 0, count: 0 }));
  for (const bucket of buckets) {
    const distances = mainColours.map((colour) => distance(colour, bucket));
    const group = groups[distances.indexOf(Math.min(...distances))];
    if (group) mergeInto(group, bucket);
  }
  const total = pixels.length / 3;
  return groups
    .sort((a, b) => b.count - a.count)
    .filter(({ count }, at) => at === 0 || count / total >= minShare)
    .map(hexOf);
}

/**
 * Groups pixels by the upper four bits of each channel. Returns the mean of each group, the largest
 * group first.
 */
function bucketsOf(pixels: Uint8Array): Colour[] {
  const buckets = new Map<number, Colour>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const bucket = buckets.get(key);
    if (bucket) mergeInto(bucket, { red, green, blue, count: 1 });
    else buckets.set(key, { red, green, blue, count: 1 });
  }
  return [...buckets.values()].sort((a, b) => b.count - a.count);
}

/** Updates the mean with the pixels of `other`. */
function mergeInto(mean: Colour, other: Colour): void {
  const count = mean.count + other.count;
  mean.red += ((other.red - mean.red) * other.count) / count;
  mean.green += ((other.green - mean.green) * other.count) / count;
  mean.blue += ((other.blue - mean.blue) * other.count) / count;
  mean.count = count;
}

function distance(a: Colour, b: Colour): number {
  return Math.hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

function hexOf({ red, green, blue }: Colour): string {
  const hexByte = (channel: number) => Math.round(channel).toString(16).padStart(2, '0');
  return `#${hexByte(red)}${hexByte(green)}${hexByte(blue)}`;
}
