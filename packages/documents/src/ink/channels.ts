import type { GreyRaster } from './components.ts';

/**
 * Returns the colour channels of a picture, without transparency, each as a greyscale picture. A
 * picture without colour has one channel.
 */
export function channelsOf(
  data: Uint8Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): GreyRaster[] {
  const colours = isGrey(data, channels) ? [0] : [0, 1, 2];
  return colours.map((colour) => {
    const tones = new Uint8Array(width * height);
    for (let at = 0, from = colour; at < tones.length; at += 1, from += channels) {
      tones[at] = data[from]!;
    }
    return { data: tones, width, height };
  });
}

function isGrey(data: Uint8Array, channels: number): boolean {
  if (channels < 3) return true;
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  }
  return true;
}
