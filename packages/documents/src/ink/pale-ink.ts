import type { Box } from '../results.ts';
import { adjustToBackground, measureBackground } from './background.ts';
import { boxMask } from './box-mask.ts';
import type { GreyRaster } from './components.ts';
import { unreadInk, withLetters } from './unread-ink.ts';

/**
 * Side of the squares in which the tone of the background is measured, in pixels. Larger than the
 * height of a line of print.
 */
const squareSide = 36;
/**
 * Share of the pixels of a square that are at least as dark as its background. Half, because ink
 * may be darker or lighter.
 */
const backgroundShare = 0.5;
/**
 * Maximum difference between pale ink and its background. Stronger ink is visible without
 * stretching.
 */
const maxPaleContrast = 24;
/**
 * Minimum difference between pale ink and its background. Below it, ink cannot be distinguished
 * from rounding errors.
 */
const minPaleContrast = 2;
/** The tone of the palest ink in a stretched picture. */
const palestTone = 255 - (minPaleContrast * 255) / maxPaleContrast;
/** Maximum grain at which the palest ink is legible. */
const maxGrain = 1;
/** Sampling interval for measuring grain, in pixels. Not a divisor of common picture widths. */
const grainInterval = 7;
/** Width of the edges of strong ink, whose tones resemble pale ink, in pixels. */
const edgeWidth = 3;
/** Minimum number of pixels of pale ink in a word. */
const minPixels = 40;

/** Returns the grain: the median difference between adjacent pixels. */
function grainOf({ data }: GreyRaster): number {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = 0; at + 1 < data.length; at += grainInterval) {
    counts[Math.abs(data[at]! - data[at + 1]!)]! += 1;
    total += 1;
  }
  let [grain, counted] = [0, counts[0]!];
  while (counted * 2 < total) counted += counts[++grain]!;
  return grain;
}

/** Converts a colour picture to greyscale. */
function greyOf(channels: readonly GreyRaster[]): GreyRaster {
  const [red, green, blue] = channels;
  if (!red) throw new Error('A picture has at least one channel.');
  if (!green || !blue) return red;
  const data = red.data.map(
    (tone, at) => (30 * tone + 59 * green.data[at]! + 11 * blue.data[at]!) / 100,
  );
  return { ...red, data };
}

/**
 * Stretches the contrast of a picture so that pale ink becomes black. The picture need not contain
 * pale ink.
 */
export function stretchContrast<Picture extends GreyRaster>(picture: Picture): Picture {
  const by = 255 / maxPaleContrast;
  const data = adjustToBackground(
    picture,
    measureBackground(picture, squareSide, backgroundShare),
    (tone) => tone,
    (tone, level) => 255 - Math.abs(tone - level) * by,
  );
  return { ...picture, data };
}

/**
 * Marks the pixels of strong ink in a stretched picture, and the pixels around them, which are its
 * edges.
 */
function markStrongInk({ data, width, height }: GreyRaster): Uint8Array {
  const rows = new Uint8Array(data.length);
  const near = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1)
    markNear(data, 0, rows, { from: y * width, step: 1, count: width });
  for (let x = 0; x < width; x += 1)
    markNear(rows, 1, near, { from: x, step: width, count: height });
  return near;
}

/**
 * Marks the pixels along a row or column that are at most `edgeWidth` pixels away from a pixel of
 * this tone.
 */
function markNear(
  data: Uint8Array,
  tone: number,
  near: Uint8Array,
  { from, step, count }: { from: number; step: number; count: number },
): void {
  let marked = -1;
  for (let at = 0; at < count; at += 1) {
    if (data[from + at * step] !== tone) continue;
    const last = Math.min(count - 1, at + edgeWidth);
    for (let to = Math.max(marked + 1, at - edgeWidth); to <= last; to += 1)
      near[from + to * step] = 1;
    marked = last;
  }
}

/** Whether a view of a channel has enough pale ink for a word outside the known boxes. */
function hasPaleInk(view: GreyRaster, near: Uint8Array, known: readonly Box[]): boolean {
  const { data, width } = view;
  const isKnown = boxMask(view, known);
  let found = 0;
  for (let at = 0; at < data.length; at += 1) {
    if (data[at]! > palestTone || near[at] === 1) continue;
    if (isKnown(at % width, Math.floor(at / width))) continue;
    found += 1;
    if (found >= minPixels) return true;
  }
  return false;
}

/** Returns a view of a channel that contains only its pale ink. Blank if the channel has none. */
function keepPaleInk(view: GreyRaster, near: Uint8Array): GreyRaster {
  const data = new Uint8Array(view.data);
  for (let at = 0; at < data.length; at += 1) if (near[at] === 1) data[at] = 255;
  return { ...view, data };
}

/**
 * Searches a picture of about 150 dpi for apparent text in ink that barely differs from its
 * background, either in colour or once converted to grey.
 * @param channels the picture, once per channel
 * @returns a function that examines one channel. It returns a picture in which pale ink is black,
 * or null if all pale ink is in the known boxes, which are in pixels
 */
export function paleInkFinder<Picture extends GreyRaster>(
  channels: readonly Picture[],
): (channel: number, known: readonly Box[]) => Picture | null {
  const plain = greyOf(channels);
  if (grainOf(plain) > maxGrain) return () => null;
  const grey = stretchContrast(plain);
  const near = markStrongInk(grey);
  return (channel, known) => {
    const picture = channels[channel];
    if (!picture || grainOf(picture) > maxGrain) return null;
    const view = channels.length === 1 ? { ...picture, data: grey.data } : stretchContrast(picture);
    if (!hasPaleInk(view, near, known)) return null;
    return unreadInk(withLetters(keepPaleInk(view, near)), known).lines.length > 0 ? view : null;
  };
}
