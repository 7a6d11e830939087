import fs, { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createScratch,
  requireAccessible,
} from '../../../packages/sandbox/src/isolation/scratch.ts';
import { eventually } from '../../support/eventually.ts';

describe('the folder for the boxes of an engine', () => {
  const dayMs = 86_400_000;
  const clock = Date.now;
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'scratch-'));
  });
  afterEach(async () => {
    Date.now = clock;
    await rm(parent, { recursive: true, force: true });
  });

  /** Of another machine, last touched so long ago. */
  function foreign(ageMs: number): string {
    const path = join(parent, `scriptorium-engine-document-elsewhere-7-${ageMs}`);
    mkdirSync(path);
    const touched = new Date(clock() - ageMs);
    utimesSync(path, touched, touched);
    return path;
  }

  it('outlives an engine whose clock is a day ahead', async () => {
    const mine = createScratch(parent, 'document');
    const abandoned = foreign(dayMs);
    const other = foreign(0);
    Date.now = () => clock() + dayMs;
    const late = createScratch(parent, 'imaging');
    await eventually(async () => !existsSync(abandoned));
    expect([mine.path, other, late.path].map((path) => existsSync(path))).to.deep.equal([
      true,
      true,
      true,
    ]);
    await Promise.all([mine.remove(), late.remove()]);
  });

  it('is removed when abandoned, by an engine whose clock is a day behind', async () => {
    const abandoned = foreign(dayMs);
    Date.now = () => clock() - dayMs;
    const next = createScratch(parent, 'document');
    await eventually(async () => !existsSync(abandoned));
    await next.remove();
  });

  it('is refused where other accounts cannot reach it', () => {
    const within = join(parent, 'scratch', 'later');
    expect(() => requireAccessible(within)).to.throw(
      `which cannot enter '${parent}'. Run \`chmod o+x\``,
    );
    chmodSync(parent, 0o711);
    requireAccessible(within);
  });

  it('is touched on a full disk, by the clock of the file system', async () => {
    Date.now = () => clock() - dayMs;
    const mine = createScratch(parent, 'document', 10);
    const { mkdtempSync: make } = fs;
    fs.mkdtempSync = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    syncBuiltinESMExports();
    try {
      const longAgo = new Date(clock() - dayMs);
      utimesSync(mine.path, longAgo, longAgo);
      await eventually(async () => clock() - statSync(mine.path).mtimeMs < dayMs / 2);
    } finally {
      fs.mkdtempSync = make;
      syncBuiltinESMExports();
      await mine.remove();
    }
  });
});
