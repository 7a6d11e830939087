import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, copyFile, mkdir, open, rename, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { EngineError } from '@scriptorium/sandbox/errors';
import { ask, foldersOf, runBounded } from '@scriptorium/sandbox/isolation/programs';
import { type Hocr, parseHocr } from './hocr.ts';
import { type GreyPicture, type Tesseract, toPgm } from './recogniser.ts';
import type { Models, Tessdata } from './tessdata.ts';

/** The oldest release whose models and hOCR match those of tesseract.js. */
const oldestMajor = 5;
/** Maximum hOCR of a page, in bytes; a dense page has half a megabyte. */
const maxOutput = 64 * 2 ** 20;
/** Address space for the program's libraries and models, in addition to the page. */
const librariesBytes = 2 ** 28;
/** Maximum processor time of a process, in seconds, even if it was abandoned. */
const maxSeconds = 600;

/**
 * Finds the `tesseract` on this machine, 5 or newer, in the folders of PATH; null without one.
 * Runs it once to get its version.
 */
export function findNative(path = process.env.PATH ?? ''): string | null {
  for (const folder of foldersOf(path)) {
    const program = join(folder, 'tesseract');
    const said = ask(program, ['--version']);
    const major = Number(/^tesseract v?(\d+)\./.exec(said ?? '')?.[1] ?? 0);
    if (major >= oldestMajor) return program;
  }
  return null;
}

export type RecogniserChoice = 'auto' | 'native' | 'wasm';

/**
 * Returns the program to recognise with; null for tesseract.js. Throws if `native` is required but
 * not installed.
 */
export function chooseRecogniser(wanted: RecogniserChoice): string | null {
  const program = wanted === 'wasm' ? null : findNative();
  if (program === null && wanted === 'native') {
    throw new Error(`Tesseract ${oldestMajor} or newer was not found on PATH.`);
  }
  return program;
}

function failureOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // The program aborts when it runs out of memory; the system kills it after its processor time.
  if (signal === 'SIGABRT') {
    return new EngineError('memory_exceeded', 'The page needs more memory than is allowed.');
  }
  if (signal === 'SIGXCPU' || signal === 'SIGKILL') {
    return new EngineError('deadline_exceeded', 'The page takes too long to recognise.');
  }
  return new EngineError(
    'crashed',
    `The recogniser stopped unexpectedly on this page (${signal ?? code}).`,
  );
}

/** Runs the program on a picture and returns its output. Throws EngineError. */
async function run(
  program: string,
  args: readonly string[],
  picture: GreyPicture,
  memoryBytes: number,
): Promise<string> {
  const bounds = { seconds: maxSeconds, memoryBytes: memoryBytes + librariesBytes };
  const child = runBounded(program, args, bounds);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maxOutput) parts.push(part);
      else child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(parts).toString('utf8'));
      else reject(failureOf(code, signal));
    });
    // If the program ends before it has read everything, its exit code explains why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(toPgm(picture));
  });
}

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function isGzipped(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(2);
    await file.read(head, 0, 2, 0);
    return head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/**
 * Puts the models uncompressed into `folder`, because the program reads them from one place only. A
 * model appears under its name once it is complete.
 */
async function stage(folder: string, tessdata: Tessdata, languages: readonly string[]) {
  await mkdir(folder, { recursive: true });
  for (const language of languages) {
    const from = tessdata[language];
    const to = join(folder, `${language}.traineddata`);
    if (from === undefined || (await isThere(to))) continue;
    const part = `${to}.${process.pid}`;
    if (await isGzipped(from)) {
      await pipeline(createReadStream(from), createGunzip(), createWriteStream(part));
    } else {
      // Node's permission model does not allow links to files outside the folder.
      await symlink(from, part).catch(() => copyFile(from, part));
    }
    await rename(part, to);
  }
}

/**
 * Returns the machine's own program: one process per picture, so that nothing learned from one
 * affects another.
 */
export function createNativeTesseract(
  models: Models,
  program: string,
  folder = join(tmpdir(), 'tessdata'),
): Tesseract {
  async function prepare(picture: GreyPicture, languages: readonly string[]): Promise<string[]> {
    await stage(folder, models.tessdata, languages);
    const dpi = picture.dpi === undefined ? [] : ['--dpi', String(Math.round(picture.dpi))];
    return ['stdin', 'stdout', '--tessdata-dir', folder, '-l', languages.join('+'), ...dpi];
  }

  const warmUp = (languages: readonly string[]) => stage(folder, models.tessdata, languages);

  async function recognise(picture: GreyPicture, languages: readonly string[]): Promise<Hocr> {
    const args = await prepare(picture, languages);
    // 1 is the LSTM engine alone; 3 is full layout analysis.
    args.push('--oem', '1', '--psm', '3', '-c', 'tessedit_create_hocr=1');
    return parseHocr(await run(program, args, picture, models.memoryBytes));
  }

  async function detectOrientation(picture: GreyPicture) {
    if (!('osd' in models.tessdata)) return undefined;
    const args = [...(await prepare(picture, ['osd'])), '--psm', '0'];
    try {
      const said = await run(program, args, picture, models.memoryBytes);
      const turn = /^Rotate: (\d+)$/m.exec(said)?.[1];
      const confidence = /^Orientation confidence: ([\d.]+)$/m.exec(said)?.[1];
      if (turn === undefined || confidence === undefined) return undefined;
      return { degrees: Number(turn), confidence: Number(confidence) };
    } catch (error) {
      // There is too little text, or the program was built without the legacy engine.
      if (error instanceof EngineError && error.code === 'crashed') return undefined;
      throw error;
    }
  }

  return { warmUp, recognise, detectOrientation };
}
