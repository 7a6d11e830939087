import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Reading } from '../../../test/support/corpus/reading.ts';
import { runTool } from '../../bench/support/redaction/tools.ts';
import { contentOf, isAlike, type View } from './views.ts';

/** Smaller pictures contain no words. */
const minWidth = 40;
const minHeight = 10;
/** Narrower pictures are enlarged, because a recogniser needs a minimum size of letters. */
const minRecognisedWidth = 700;
/** The minimum confidence of a word, in percent. */
const minConfidence = 70;
/** With fewer letters in such words, a picture may be rotated. */
const minConfidentLetters = 10;

/** Reads pictures, each once even if several programs drew it. */
export async function recogniseAll(views: readonly View[], scratch: string): Promise<Reading[]> {
  const distinctViews: View[] = [];
  const readings: Reading[] = [];
  await mkdir(scratch, { recursive: true });
  for (const view of views) {
    if (distinctViews.some((other) => isAlike(view, other))) continue;
    distinctViews.push(view);
    const content = contentOf(view);
    if (!content || content.width < minWidth || content.height < minHeight) continue;
    const text = await recognise(content, scratch);
    readings.push({ by: `tesseract on ${view.by}`, text, kind: 'picture' });
  }
  return readings;
}

/** Upright, and rotated to each side if that shows next to nothing. */
async function recognise(view: View, scratch: string): Promise<string> {
  const { data, width, height } = view;
  const upright = sharp(data, { raw: { width, height, channels: 1 } });
  const enlarged = width < minRecognisedWidth ? upright.resize({ width: width * 2 }) : upright;
  const picture = isDark(view) ? enlarged.negate() : enlarged;
  const { text, letters } = await readWords(picture, scratch);
  if (letters >= minConfidentLetters) return text;
  const pixels = await picture.png().toBuffer();
  const texts = [text];
  for (const angle of [90, 180, 270]) {
    texts.push((await readWords(sharp(pixels).rotate(angle), scratch)).text);
  }
  return texts.join('\n');
}

/** The words of a picture, and the number of letters in those that were read with confidence. */
async function readWords(
  picture: Sharp,
  scratch: string,
): Promise<{ text: string; letters: number }> {
  const path = join(scratch, 'view.png');
  const border = { top: 20, bottom: 20, left: 20, right: 20, extendWith: 'copy' } as const;
  await picture.extend(border).png({ compressionLevel: 1 }).toFile(path);
  try {
    // Not the config file `tsv`, which Debian ships in the library's package.
    const asTable = ['-c', 'tessedit_create_tsv=1'];
    const table = await runTool('tesseract', [path, '-', '--dpi', '200', '--psm', '6', ...asTable]);
    // The last two of twelve columns are the confidence and the text; other rows than words have
    // none.
    const rows = table
      .toString()
      .split('\n')
      .map((row) => row.split('\t'))
      .filter((row) => row[0] === '5');
    const certain = rows
      .filter((row) => Number(row[10]) >= minConfidence)
      .map((row) => row[11] ?? '');
    return {
      text: rows.map((row) => row[11]).join(' '),
      letters: certain.join('').match(/[\p{L}\p{N}]/gu)?.length ?? 0,
    };
  } finally {
    await rm(path, { force: true });
  }
}

function isDark({ data }: View): boolean {
  let sum = 0;
  for (const value of data) sum += value;
  return sum < 110 * data.length;
}
