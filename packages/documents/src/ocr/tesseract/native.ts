import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, copyFile, mkdir, open, rename, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { EngineError } from '@scriptorium/sandbox/errors';
import { foldersOf, outputOf, runBounded } from '@scriptorium/sandbox/isolation/programs';
import { type Hocr, parseHocr } from './hocr.ts';
import { type GreyPicture, type Tesseract, toPgm } from './recogniser.ts';
import type { Models, Tessdata } from './tessdata.ts';

/** The oldest major version whose models and hOCR match those of tesseract.js. */
const minMajorVersion = 5;
/** Maximum size of the hOCR of a page, in bytes. A dense page has half a megabyte. */
const maxOutputBytes = 64 * 2 ** 20;
/** Address space for the libraries and models of the program, in addition to the page. */
const librariesBytes = 2 ** 28;
/** Maximum processor time of a process, in seconds. It also ends abandoned processes. */
const maxSeconds = 600;

/**
 * Finds a `tesseract` program, version 5 or newer, in the folders of PATH; null if it is not
 * installed. Runs the program once to get its version.
 */
export function findNative(path = process.env.PATH ?? ''): string | null {
  for (const folder of foldersOf(path)) {
    const program = join(folder, 'tesseract');
    const output = outputOf(program, ['--version']);
    const major = Number(/^tesseract v?(\d+)\./.exec(output ?? '')?.[1] ?? 0);
    if (major >= minMajorVersion) return program;
  }
  return null;
}

export type RecogniserChoice = 'auto' | 'native' | 'wasm';

/**
 * Returns the program for recognition; null for tesseract.js.
 * @throws Error if `native` is required but not installed.
 */
export function chooseRecogniser(choice: RecogniserChoice): string | null {
  const program = choice === 'wasm' ? null : findNative();
  if (program === null && choice === 'native') {
    throw new Error(`Tesseract ${minMajorVersion} or newer was not found on PATH.`);
  }
  return program;
}

function failureOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // The program aborts when it runs out of memory. The system kills the program when it exceeds its
  // processor time.
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

/**
 * Runs the program on a picture and returns its output.
 * @throws EngineError if the program fails.
 */
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
      if (bytes <= maxOutputBytes) parts.push(part);
      else child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(parts).toString('utf8'));
      else reject(failureOf(code, signal));
    });
    // If the program ends before it has read all input, its exit code is the error to report.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(toPgm(picture));
  });
}

async function isReadable(path: string): Promise<boolean> {
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
 * Puts the uncompressed models into `folder`, because the program reads models from one folder
 * only. A model gets its final name once it is complete.
 */
async function stageModels(folder: string, tessdata: Tessdata, languages: readonly string[]) {
  await mkdir(folder, { recursive: true });
  for (const language of languages) {
    const from = tessdata[language];
    const to = join(folder, `${language}.traineddata`);
    if (from === undefined || (await isReadable(to))) continue;
    const temporary = `${to}.${process.pid}`;
    if (await isGzipped(from)) {
      await pipeline(createReadStream(from), createGunzip(), createWriteStream(temporary));
    } else {
      // The Node.js permission model does not allow links to files outside the folder.
      await symlink(from, temporary).catch(() => copyFile(from, temporary));
    }
    await rename(temporary, to);
  }
}

/**
 * Returns the recogniser that runs the installed program. Each picture gets a new process, so that
 * adaptation to one picture does not affect another.
 */
export function createNativeTesseract(
  models: Models,
  program: string,
  folder = join(tmpdir(), 'tessdata'),
): Tesseract {
  async function prepare(picture: GreyPicture, languages: readonly string[]): Promise<string[]> {
    await stageModels(folder, models.tessdata, languages);
    const dpi = picture.dpi === undefined ? [] : ['--dpi', String(Math.round(picture.dpi))];
    return ['stdin', 'stdout', '--tessdata-dir', folder, '-l', languages.join('+'), ...dpi];
  }

  const warmUp = (languages: readonly string[]) => stageModels(folder, models.tessdata, languages);

  async function recognise(picture: GreyPicture, languages: readonly string[]): Promise<Hocr> {
    const args = await prepare(picture, languages);
    // 1 selects the LSTM engine only; 3 selects full layout analysis.
    args.push('--oem', '1', '--psm', '3', '-c', 'tessedit_create_hocr=1');
    return parseHocr(await run(program, args, picture, models.memoryBytes));
  }

  async function detectOrientation(picture: GreyPicture) {
    if (!('osd' in models.tessdata)) return undefined;
    const args = [...(await prepare(picture, ['osd'])), '--psm', '0'];
    try {
      const output = await run(program, args, picture, models.memoryBytes);
      const turn = /^Rotate: (\d+)$/m.exec(output)?.[1];
      const confidence = /^Orientation confidence: ([\d.]+)$/m.exec(output)?.[1];
      if (turn === undefined || confidence === undefined) return undefined;
      return { degrees: Number(turn), confidence: Number(confidence) };
    } catch (error) {
      // The page has too little text, or the program was built without the legacy engine.
      if (error instanceof EngineError && error.code === 'crashed') return undefined;
      throw error;
    }
  }

  return { warmUp, recognise, detectOrientation };
}
