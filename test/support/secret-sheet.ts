import sharp from 'sharp';
import { imageOf } from './samples.ts';

/** The secrets on the sheet. */
export const sheetSecrets = ['jane.roe@example.com', '536-22-8765'];
/** Its lines. */
export const sheetLines = [
  'Minutes of the garden club',
  'The hedge was cut in the autumn',
  `Write to ${sheetSecrets[0]}`,
  `Social security number ${sheetSecrets[1]}`,
  'The pond froze twice last winter',
];

/** Letters and digits only, in lower case. */
export const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** A picture with raw samples. */
interface RawPicture {
  raw: Buffer;
  width: number;
  height: number;
}

/**
 * The sheet in other colours.
 * @param channels the samples of a pixel
 * @param samplesOf the samples for how dark the print is there, from 0 to 1, and the row
 */
export async function secretSheet(
  channels: number,
  samplesOf: (darkness: number, row: number) => readonly number[],
): Promise<RawPicture> {
  const { data, info } = await sharp(await imageOf('png', sheetLines))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const raw = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const darkness = 1 - (data[at * info.channels] ?? 255) / 255;
    raw.set(samplesOf(darkness, Math.floor(at / width)), at * channels);
  }
  return { raw, width, height };
}
