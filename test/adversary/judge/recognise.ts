import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { read } from '../../../bench/support/redaction/tools.ts';
import type { Reading } from '../../support/corpus/reading.ts';
import { isAlike, type View } from './views.ts';

/** Smaller pictures hold no words. */
const leastWidth = 40;
const leastHeight = 12;
/** With fewer letters than this read upright, a picture may lie on its side. */
const fewLetters = 60;
/** The letter height in dots of an inch that a recogniser needs is reached by enlarging. */
const smallest = 700;

/** Reads what pictures show, each once however many programs drew it. */
export async function recogniseAll(views: readonly View[], scratch: string): Promise<Reading[]> {
  const seen: View[] = [];
  const readings: Reading[] = [];
  await mkdir(scratch, { recursive: true });
  for (const view of views) {
    if (view.width < leastWidth || view.height < leastHeight) continue;
    if (isEmpty(view) || seen.some((other) => isAlike(view, other))) continue;
    seen.push(view);
    const text = await recognise(view, scratch);
    readings.push({ by: `tesseract on ${view.by}`, text, kind: 'picture' });
  }
  return readings;
}

/** Upright, and on each side if that says next to nothing. */
async function recognise(view: View, scratch: string): Promise<string> {
  const { data, width, height } = view;
  const upright = sharp(data, { raw: { width, height, channels: 1 } });
  const enlarged = width < smallest ? upright.resize({ width: width * 2 }) : upright;
  const picture = isDark(view) ? enlarged.negate() : enlarged;
  const text = await words(picture, scratch);
  if (lettersIn(text) >= fewLetters) return text;
  const pixels = await picture.png().toBuffer();
  const turned: string[] = [text];
  for (const angle of [90, 180, 270])
    turned.push(await words(sharp(pixels).rotate(angle), scratch));
  return turned.join('\n');
}

async function words(picture: Sharp, scratch: string): Promise<string> {
  const path = join(scratch, 'view.png');
  await picture
    .extend({ top: 20, bottom: 20, left: 20, right: 20, extendWith: 'copy' })
    .png({ compressionLevel: 1 })
    .toFile(path);
  try {
    return (await read('tesseract', [path, '-', '--dpi', '200', '--psm', '6'])).toString();
  } finally {
    await rm(path, { force: true });
  }
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

function isEmpty({ data }: View): boolean {
  let [low, high] = [255, 0];
  for (const value of data) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < 6;
}

function isDark({ data }: View): boolean {
  let sum = 0;
  for (const value of data) sum += value;
  return sum < 110 * data.length;
}
