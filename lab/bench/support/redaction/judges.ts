import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Reading } from '../../../../test/support/corpus/reading.ts';
import { sweep } from '../../../../test/support/corpus/sweep.ts';
import { hasTool, runTool, type Tool } from './tools.ts';

/** A way to read a PDF; `scratch` is an empty folder. */
interface Judge {
  needs: readonly Tool[];
  read(path: string, scratch: string): Promise<Reading[]>;
}

const textReading = (reader: string, bytes: Buffer): Reading => ({
  by: reader,
  text: bytes.toString(),
  kind: 'text',
});

/** Readers of text, of bytes and of attachments. */
const textReaders: readonly Judge[] = [
  {
    needs: ['pdftotext'],
    read: async (path) => [
      textReading('pdftotext', await runTool('pdftotext', [path, '-'])),
      textReading('pdftotext -raw', await runTool('pdftotext', ['-raw', path, '-'])),
    ],
  },
  {
    needs: ['qpdf'],
    async read(path) {
      const args = ['--qdf', '--object-streams=disable', '--decrypt', path, '-'];
      return sweep(await runTool('qpdf', args, [0, 3]), 'qpdf --qdf');
    },
  },
  { needs: [], read: async (path) => sweep(await readFile(path), 'sweep of all streams') },
  {
    needs: ['strings'],
    read: async (path) => [
      { by: 'strings', text: (await runTool('strings', ['-a', path])).toString(), kind: 'bytes' },
      {
        by: 'strings -e b',
        text: (await runTool('strings', ['-a', '-e', 'b', path])).toString(),
        kind: 'bytes',
      },
    ],
  },
  {
    needs: ['mutool'],
    read: async (path) => [
      textReading('mutool draw', await runTool('mutool', ['draw', '-q', '-F', 'text', path])),
    ],
  },
  {
    needs: ['gs'],
    read: async (path) => [
      textReading(
        'gs txtwrite',
        await runTool('gs', ['-q', '-dSAFER', '-sDEVICE=txtwrite', '-o', '-', path]),
      ),
    ],
  },
  {
    needs: ['pdfdetach'],
    async read(path, scratch) {
      const list = textReading('pdfdetach -list', await runTool('pdfdetach', ['-list', path]));
      // Names are taken from the list: as file names they could point anywhere.
      const count = Number(/^(\d+) embedded/.exec(list.text)?.[1] ?? 0);
      const files = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const out = join(scratch, `attachment-${index}`);
          await runTool('pdfdetach', ['-save', String(index + 1), '-o', out, path]);
          return textReading('pdfdetach -save', await readFile(out));
        }),
      );
      return [list, ...files];
    },
  },
  {
    needs: ['pdfinfo'],
    read: (path) =>
      Promise.all(
        [[], ['-meta'], ['-js'], ['-dests'], ['-url'], ['-struct-text']].map(async (args) =>
          textReading(
            `pdfinfo ${args.join(' ')}`.trim(),
            await runTool('pdfinfo', [...args, path]),
          ),
        ),
      ),
  },
];

/** Readers of pixels: pages as displayed, whole media boxes, and the pictures in the file. */
const pixelReaders: readonly Judge[] = [
  {
    needs: ['pdftoppm', 'tesseract'],
    async read(path, scratch) {
      await runTool('pdftoppm', ['-r', '300', '-gray', '-png', path, join(scratch, 'page')]);
      return recogniseAll(scratch, /^page-/, 'tesseract on pages at 300 dpi');
    },
  },
  {
    needs: ['pdfimages', 'tesseract'],
    async read(path, scratch) {
      await runTool('pdfimages', ['-png', path, join(scratch, 'picture')]);
      return recogniseAll(scratch, /^picture-/, 'tesseract on pictures in the file');
    },
  },
];

async function recogniseAll(folder: string, names: RegExp, by: string): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const name of (await readdir(folder)).filter((file) => names.test(file)).sort()) {
    const path = join(folder, name);
    const { width, height } = await sharp(path).metadata();
    // Masks and dots, which contain no text.
    if (width >= 16 && height >= 16) {
      const words = await runTool('tesseract', [path, '-', '--dpi', '300']);
      readings.push({ by, text: words.toString(), kind: 'picture' });
    }
    await rm(path);
  }
  return readings;
}

/**
 * Everything that external tools read from a PDF. `look` includes pictures, which takes seconds.
 */
export async function readAll(
  path: string,
  scratch: string,
  includesPictures: boolean,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const judge of includesPictures ? [...textReaders, ...pixelReaders] : textReaders) {
    if (!judge.needs.every(hasTool)) continue;
    await mkdir(scratch, { recursive: true });
    try {
      readings.push(...(await judge.read(path, scratch)));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  return readings;
}

/** The words of one page, as pdftotext reads them. */
export async function wordsOf(path: string, page: number): Promise<string[]> {
  const range = ['-f', String(page), '-l', String(page)];
  const bytes = await runTool('pdftotext', ['-raw', ...range, path, '-']);
  return bytes.toString().split(/\s+/).filter(Boolean);
}

/** Counts the letters of `expected` that are among the words. Each word is used once. */
export function countLettersFound(expected: readonly string[], words: readonly string[]): number {
  const remaining = new Map<string, number>();
  for (const word of words) remaining.set(word, (remaining.get(word) ?? 0) + 1);
  let letters = 0;
  for (const word of expected) {
    const count = remaining.get(word) ?? 0;
    if (count === 0) continue;
    remaining.set(word, count - 1);
    letters += word.length;
  }
  return letters;
}
