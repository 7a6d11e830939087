import fs, { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { stripTiff } from '../../../packages/documents/src/imaging/strip/tiff.ts';
import { describeImage } from '../../../packages/documents/src/source/images.ts';

describe('pictures on a failing disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'short-writes-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are stripped whole, however little each write takes', async () => {
    const path = join(folder, 'in.tif');
    const channels = 3;
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    await sharp({ create: { width: 90, height: 70, channels, background: '#fff', noise } })
      .tiff({ compression: 'none' })
      .toFile(path);
    const strip = (name: string): Buffer => {
      const outPath = join(folder, name);
      stripTiff(path, outPath, 'all');
      return readFileSync(outPath);
    };
    const whole = strip('whole.tif');
    const { writeSync } = fs;
    const write = (out: number, bytes: Buffer, from: number, length: number, at: number): number =>
      writeSync(out, bytes, from, Math.min(length, 1_000), at);
    Object.assign(fs, { writeSync: write });
    syncBuiltinESMExports();
    try {
      expect(strip('short.tif').equals(whole)).to.equal(true);
    } finally {
      Object.assign(fs, { writeSync });
      syncBuiltinESMExports();
    }
  });

  it('are not called damaged if the file cannot be read', async () => {
    const failed = await describeImage(join(folder, 'gone.tif'), 1).catch((e: unknown) => e);
    expect(failed).to.include({ code: 'ENOENT', syscall: 'stat' });
  });
});
