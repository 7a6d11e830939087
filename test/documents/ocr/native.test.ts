import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createEngines } from '@scriptorium/documents';
import { findTessdata } from '@scriptorium/documents/ocr/tessdata';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';
import {
  chooseRecogniser,
  createNativeTesseract,
  findNative,
} from '../../../packages/documents/src/ocr/tesseract/native.ts';
import type { Tesseract } from '../../../packages/documents/src/ocr/tesseract/recogniser.ts';
import { scannedPdf } from '../../support/samples.ts';

const picture = { data: new Uint8Array(6).fill(255), width: 3, height: 2, dpi: 170 };

/** Programs in place of `tesseract`, so that no test needs it installed. */
describe('the native recogniser', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'native-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(script: string, name = '.'): Promise<string> {
    const path = join(folder, name, 'tesseract');
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  async function tesseractOf(script: string): Promise<Tesseract> {
    const models = { tessdata: findTessdata(), memoryBytes: 2 ** 30 };
    const path = await program(script);
    return createNativeTesseract({ ...models, native: path }, path, join(folder, 'tessdata'));
  }

  async function failure(promise: Promise<unknown>): Promise<EngineError> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof EngineError) return error;
    throw error ?? new Error('nothing was thrown');
  }

  it('is the first on PATH with a supported version', async () => {
    const old = await program("echo 'tesseract 4.1.1'", 'old');
    const broken = await program('exit 1', 'broken');
    const fit = await program("echo 'tesseract v5.3.0'; echo ' leptonica-1.82.0'", 'fit');
    const path = [old, broken, fit].map((name) => name.replace(/\/tesseract$/, '')).join(':');
    expect(findNative(`relative:${folder}/absent:${path}`)).to.equal(fit);
    expect(findNative(path.replace(/:[^:]*$/, ''))).to.equal(null);
    expect(findNative('')).to.equal(null);
  });

  it('is ignored if tesseract.js is requested, and required if it alone is allowed', () => {
    const before = process.env.PATH;
    try {
      process.env.PATH = folder;
      expect(chooseRecogniser('wasm')).to.equal(null);
      expect(chooseRecogniser('auto')).to.equal(null);
      expect(() => chooseRecogniser('native')).to.throw(/Tesseract 5 or newer was not found/);
    } finally {
      process.env.PATH = before;
    }
  });

  it('receives the picture, its resolution and plain models, but no environment', async () => {
    const tesseract = await tesseractOf(
      `env >${folder}/env; echo "$@" >${folder}/args; cat >${folder}/picture`,
    );
    process.env.ENGINE_TEST_SECRET = 'do not pass on';
    try {
      expect(await tesseract.recognise(picture, ['eng'], 'a')).to.deep.equal({
        words: [],
        lines: [],
      });
    } finally {
      delete process.env.ENGINE_TEST_SECRET;
    }
    expect((await readFile(join(folder, 'picture'))).toString('latin1')).to.equal(
      'P5\n3 2\n255\n\xff\xff\xff\xff\xff\xff',
    );
    const args = await readFile(join(folder, 'args'), 'utf8');
    expect(args).to.match(/^stdin stdout --tessdata-dir \S+ -l eng --dpi 170 /);
    const environment = await readFile(join(folder, 'env'), 'utf8');
    expect(environment).to.include('OMP_THREAD_LIMIT=1').and.not.include('ENGINE_TEST_SECRET');
    const model = findTessdata().eng ?? '';
    const bytes = await readFile(model);
    const staged = await readFile(join(folder, 'tessdata', 'eng.traineddata'));
    expect(staged.equals(model.endsWith('.gz') ? gunzipSync(bytes) : bytes)).to.equal(true);
  });

  it('reports an error however the program ends', async () => {
    const ends = [
      ['cat >/dev/null; exit 3', 'crashed'],
      // Exits before it has read the picture.
      ['exec <&-', 'none'],
      ['kill -ABRT $$', 'memory_exceeded'],
      ['kill -XCPU $$', 'deadline_exceeded'],
    ] as const;
    for (const [script, code] of ends) {
      const tesseract = await tesseractOf(script);
      const work = tesseract.recognise(picture, ['eng'], 'a');
      if (code === 'none') expect((await work).words).to.deep.equal([]);
      else expect(await failure(work), script).to.include({ code });
    }
  });

  it('limits memory, CPU time and output', async () => {
    const tesseract = await tesseractOf(`ulimit -t >${folder}/t; ulimit -v >${folder}/v`);
    await tesseract.recognise(picture, ['eng'], 'a');
    expect(Number(await readFile(join(folder, 't'), 'utf8'))).to.be.within(1, 3600);
    expect(Number(await readFile(join(folder, 'v'), 'utf8'))).to.be.below(2 ** 21);
    const endless = await tesseractOf('exec cat /dev/zero');
    expect(await failure(endless.recognise(picture, ['eng'], 'a'))).to.include({
      code: 'deadline_exceeded',
    });
  });

  it('reports the orientation of a page if it can', async () => {
    const sure = await tesseractOf(
      "printf 'Page number: 0\\nOrientation in degrees: 270\\nRotate: 90\\nOrientation confidence: 15.54\\n'",
    );
    expect(await sure.detectOrientation(picture)).to.deep.equal({
      degrees: 90,
      confidence: 15.54,
    });
    const unsure = await tesseractOf('exit 1');
    expect(await unsure.detectOrientation(picture)).to.equal(undefined);
  });

  it('returns the same text as tesseract.js, also for a sideways page', async function () {
    if (findNative() === null) this.skip();
    const letter = [
      'The quick brown fox jumps over the lazy dog',
      'while seven wizards brew a bitter potion.',
      'Please send the invoice before Friday.',
    ];
    const engines = createEngines({
      processes: 1,
      memoryBytes: 2 ** 30,
      tmpDir: tmpdir(),
      recogniser: 'native',
    });
    try {
      const path = join(folder, 'scan.pdf');
      for (const turned of [0, 90] as const) {
        await writeFile(path, await scannedPdf([letter], { rotation: turned }));
        const page = await engines.recognisePage(
          { path, mime: 'application/pdf', page: 1 },
          { deadlineMs: 600_000, isolation: 'prj_test' },
        );
        expect(page.text).to.equal(`${letter.join('\n')}\n`);
        expect(page.orientation).to.equal(turned === 0 ? 0 : 270);
      }
    } finally {
      await engines.close();
    }
  });
});
