/**
 * Measures the positions of recognised words and how many are found, compared with OCRmyPDF if that is
 * on PATH.
 *
 *   npx tsx lab/bench/documents/ocr-boxes.ts <folder> [best]
 *
 * The folder contains PDFs with a text layer. Their first pages are rendered like scans: at 150, 200
 * and 300 dpi in turn, in grey, with noise, some skewed, as JPEGs of varying quality. The ground truth
 * is the output of `pdftotext -bbox` on the sources, which also reads both searchable PDFs. Each word
 * is scored by the horizontal overlap (intersection over union) of its box with the nearest equal word
 * on its line. `KEEP=1` keeps the files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apply, applyToBox, type Matrix, rotateAbout } from '@scriptorium/documents/geometry';
import { readPages } from '@scriptorium/documents/pdf/text-layer';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { rasterOf } from '../../../test/support/samples.ts';
import { hasCommand, npmModelFolder } from './recognition.ts';

type Box = [number, number, number, number];
type Word = { text: string; box: Box };

/** How the pages are rendered, in turn. The skew is in degrees clockwise. */
const renderings = [
  { dpi: 300, skew: 0, quality: 85, noise: 6 },
  { dpi: 200, skew: 0.6, quality: 75, noise: 8 },
  { dpi: 150, skew: 0, quality: 35, noise: 4 },
  { dpi: 200, skew: 0, quality: 60, noise: 10 },
  { dpi: 150, skew: -0.4, quality: 80, noise: 6 },
] as const;

async function renderScan(pdf: Buffer, { dpi, skew, quality, noise }: (typeof renderings)[number]) {
  const { data, width, height } = await rasterOf(pdf, 1, dpi);
  const channels = data.length / (width * height) === 1 ? 1 : 3;
  const grey = sharp(data, { raw: { width, height, channels } }).toColourspace('b-w');
  const upright = await grey.raw().toBuffer();
  const skewed = sharp(upright, { raw: { width, height, channels: 1 } })
    .rotate(skew, { background: '#ffffff' })
    .toColourspace('b-w');
  const { data: skewedPixels, info } = await skewed.raw().toBuffer({ resolveWithObject: true });
  const left = Math.floor((info.width - width) / 2);
  const top = Math.floor((info.height - height) / 2);
  const page = Buffer.alloc(width * height);
  let seed = dpi + quality;
  for (let at = 0; at < page.length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    const value =
      skewedPixels[(top + Math.floor(at / width)) * info.width + left + (at % width)] ?? 255;
    page[at] = Math.min(255, Math.max(0, value + ((seed >> 16) % (2 * noise + 1)) - noise));
  }
  return sharp(page, { raw: { width, height, channels: 1 } })
    .jpeg({ quality })
    .toBuffer();
}

/** The words of each page from pdftotext, with boxes in points from the top left. */
function wordsOf(pdf: string): Word[][] {
  const html = execFileSync('pdftotext', ['-bbox', pdf, '-'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const wordPattern =
    /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)<\/word>/g;
  return html
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(wordPattern)].map(([, x0, y0, x1, y1, text = '']) => ({
        text: text.replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity),
        box: [Number(x0), Number(y0), Number(x1), Number(y1)],
      })),
    );
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** The horizontal overlap of each word found, and the number of words. */
function overlaps(truth: readonly Word[], found: readonly Word[]): number[] {
  return truth.flatMap(({ text, box }) => {
    let best: { distance: number; overlap: number } | undefined;
    for (const other of found) {
      if (other.text !== text) continue;
      const height = Math.min(box[3], other.box[3]) - Math.max(box[1], other.box[1]);
      if (height <= 0) continue;
      const distance = Math.abs(box[0] + box[2] - other.box[0] - other.box[2]) / 2;
      if (distance > 36 || (best && best.distance <= distance)) continue;
      const shared = Math.min(box[2], other.box[2]) - Math.max(box[0], other.box[0]);
      const whole = Math.max(box[2], other.box[2]) - Math.min(box[0], other.box[0]);
      best = { distance, overlap: Math.max(0, shared) / whole };
    }
    return best ? [best.overlap] : [];
  });
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / (list.length || 1);

async function main(folder: string, best: boolean): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'bench-ocr-boxes-'));
  try {
    const input = join(work, 'in.pdf');
    const document = await PDFDocument.create({ updateMetadata: false });
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.pdf'))
      .sort();
    const truth: { name: string; words: Word[] }[] = [];
    for (const [index, name] of names.entries()) {
      const rendering = renderings[index % renderings.length] ?? renderings[0];
      const bytes = readFileSync(join(folder, name));
      const image = await document.embedJpg(await renderScan(bytes, rendering));
      const [width, height] = [
        (image.width / rendering.dpi) * 72,
        (image.height / rendering.dpi) * 72,
      ];
      document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
      const rotation: Matrix = rotateAbout(width / 2, height / 2, rendering.skew);
      const words = (wordsOf(join(folder, name))[0] ?? []).map(({ text, box }) => ({
        text,
        box: skewBox(rotation, box),
      }));
      truth.push({ name: `${name} ${rendering.dpi}`, words });
    }
    writeFileSync(input, await document.save());
    const report = (side: string, found: readonly Word[][]) => {
      const pages = truth.map(({ words }, index) => overlaps(words, found[index] ?? []));
      const all = pages.flat();
      const wordsOfTruth = truth.reduce((sum, { words }) => sum + words.length, 0);
      const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
      console.log(
        `${side}: horizontal overlap ${mean(all).toFixed(4)}; ` +
          `${share(all.length, wordsOfTruth)} of ${wordsOfTruth} words read`,
      );
      const line = truth.map(({ name, words }, index) => {
        const page = pages[index] ?? [];
        return `${name} ${mean(page).toFixed(3)} ${share(page.length, words.length)}`;
      });
      console.log(`  ${line.join(', ')}`);
    };
    const script = fileURLToPath(new URL('ocr.ts', import.meta.url));
    const ours = join(work, 'ours.pdf');
    const models = best ? [npmModelFolder()] : [];
    execFileSync(process.execPath, ['--import', 'tsx', script, '--ours', input, ours, ...models]);
    const results: Word[][] = [];
    for await (const { page, words } of readPages(`${ours}.ndjson`)) {
      results[page - 1] = words.map(({ text, box }) => ({ text, box }));
    }
    report('ours, words', results);
    report('ours, text layer', wordsOf(ours));
    if (!hasCommand('ocrmypdf')) return;
    const theirs = join(work, 'theirs.pdf');
    spawnSync('ocrmypdf', ['-q', '-O0', '-j2', '--output-type', 'pdf', input, theirs]);
    report('ocrmypdf', wordsOf(theirs));
  } finally {
    if (process.env.KEEP === undefined) rmSync(work, { recursive: true, force: true });
    else console.log(work);
  }
}

/** The box of a skewed word: its middle line is rotated, its width kept. */
function skewBox(rotation: Matrix, [x0, y0, x1, y1]: Box): Box {
  const middle = (y0 + y1) / 2;
  const [left, , right] = applyToBox(rotation, [x0, middle, x1, middle]);
  const [, y] = apply(rotation, (x0 + x1) / 2, middle);
  return [left, y - (y1 - y0) / 2, right, y + (y1 - y0) / 2];
}

const [folder, model] = process.argv.slice(2);
if (folder && existsSync(folder) && hasCommand('pdftotext')) {
  await main(folder, model === 'best');
} else {
  console.log('lab/bench/documents/ocr-boxes: no folder given, or no pdftotext; skipped');
}
