import sharp, { type Sharp } from 'sharp';
import type { Maker } from '../../../test/support/corpus/maker.ts';
import type { Grey } from '../../../test/support/corpus/pictures.ts';
import { printLines } from '../pdf/page.ts';
import { makeLines } from '../trick.ts';

/** The pixels that a trick hides or shows: lines on white, one byte each. */
export function printLetters(maker: Maker, channel: string): Promise<Grey> {
  return printLines(maker, makeLines(maker, channel));
}

/** A picture of these lines on white that hides nothing. */
export const plainPicture = ({ data, width, height }: Grey): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');

/** Four channels, each computed from a pixel's grey. */
export function rgba(
  { data, width, height }: Grey,
  colour: (grey: number) => readonly [number, number, number, number],
): Sharp {
  const pixels = Buffer.alloc(data.length * 4);
  for (let at = 0; at < data.length; at += 1) pixels.set(colour(data[at] ?? 255), at * 4);
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

export const blankCopy = (grey: Grey): Grey => ({
  ...grey,
  data: Buffer.alloc(grey.data.length, 255),
});

/** Pictures of the same size, stacked as frames or pages. */
export function frames(pictures: readonly Grey[]): Sharp {
  const [first] = pictures;
  if (!first) throw new Error('An animation has at least one frame.');
  const { width, height } = first;
  const data = Buffer.concat(pictures.map(({ data: pixels }) => pixels));
  const raw = { width, height: height * pictures.length, channels: 1, pageHeight: height } as const;
  return sharp(data, { raw }).toColourspace('b-w');
}
