import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Box, createBox } from '../../../packages/sandbox/src/isolation/box.ts';

const MiB = 2 ** 20;
const ordinary = 65_534;
const isRoot = process.getuid?.() === 0;

describe('the limits of what a child leaves in its box', () => {
  let folder: string;
  let box: Box;
  let sub: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'disk-use-'));
    chmodSync(folder, 0o755);
    box = createBox(join(folder, 'box-0'));
    sub = join(box.tmp, 'sub');
    mkdirSync(sub);
  });
  afterEach(() => rm(folder, { recursive: true }));

  function fill(where: string, files: number, bytes = 0): void {
    for (let at = 0; at < files; at += 1)
      writeFileSync(join(where, String(at)), Buffer.alloc(bytes));
  }

  const closed = () => join(box.tmp, 'closed');
  /** Makes a folder that only root can read. */
  function closeOff(): void {
    mkdirSync(closed());
    chmodSync(closed(), 0);
  }
  const open = () => chmodSync(closed(), 0o755);

  /** The same question, asked by an ordinary account. */
  async function askOrdinary(maxBytes: number): Promise<boolean> {
    if (!isRoot) return box.isOverfull(maxBytes);
    process.seteuid?.(ordinary);
    try {
      return await box.isOverfull(maxBytes);
    } finally {
      process.seteuid?.(0);
    }
  }

  it('hold for a hundred files in some folders', async () => {
    fill(box.out, 50, 1000);
    fill(sub, 50, 1000);
    expect(await box.isOverfull(2 * MiB)).to.equal(false);
  });

  it('count the files of all folders together', async () => {
    const folders = ['a', 'b', 'c'].map((name) => join(sub, name));
    for (const each of folders) {
      mkdirSync(each);
      fill(each, 1_700);
    }
    expect(await box.isOverfull(60 * MiB)).to.equal(true);
    expect(await askOrdinary(60 * MiB)).to.equal(true);
    // Beside a folder that cannot be read, too.
    closeOff();
    expect(await box.isOverfull(60 * MiB)).to.equal(true);
    expect(await askOrdinary(60 * MiB)).to.equal(true);
    open();
    for (let at = 0; at < 200; at += 1) rmSync(join(sub, 'c', String(at)));
    expect(await box.isOverfull(60 * MiB)).to.equal(false);
    expect(await askOrdinary(60 * MiB)).to.equal(false);
  });

  it('count the space of files below the first folder', async () => {
    fill(sub, 100, MiB);
    expect(await box.isOverfull(60 * MiB)).to.equal(true);
    expect(await askOrdinary(60 * MiB)).to.equal(true);
    expect(await box.isOverfull(110 * MiB)).to.equal(false);
  });

  it('are exceeded by what cannot be read', async () => {
    closeOff();
    expect(await askOrdinary(60 * MiB)).to.equal(true);
    open();
    expect(await askOrdinary(60 * MiB)).to.equal(false);
  });

  it('are exceeded by folders nested deeper than a path may be', async () => {
    const nest = `for (let at = 0; at < 300; at += 1) {
      require('node:fs').mkdirSync('deeper-than-a-path-may-be');
      process.chdir('deeper-than-a-path-may-be');
    }`;
    execFileSync(process.execPath, ['-e', nest], { cwd: sub });
    expect(await box.isOverfull(60 * MiB)).to.equal(true);
    execFileSync('/bin/rm', ['-rf', sub]);
  });

  it('count what is deeply nested', async () => {
    const deep = join(sub, ...Array.from({ length: 200 }, () => 'deep'));
    mkdirSync(deep, { recursive: true });
    fill(deep, 5, MiB);
    expect(await box.isOverfull(4 * MiB)).to.equal(true);
    expect(await box.isOverfull(10 * MiB)).to.equal(false);
  });

  it('count a file once that has several names', async () => {
    fill(sub, 1, 10 * MiB);
    for (let at = 1; at < 20; at += 1) linkSync(join(sub, '0'), join(box.out, String(at)));
    expect(await box.isOverfull(15 * MiB)).to.equal(false);
    expect(await box.isOverfull(9 * MiB)).to.equal(true);
  });

  it('count the space on disk of sparse files', async () => {
    writeFileSync(join(sub, 'sparse'), 'x');
    truncateSync(join(sub, 'sparse'), 2 ** 40);
    expect(await box.isOverfull(MiB)).to.equal(false);
  });

  it('count special files without opening them, and follow no link', async () => {
    execFileSync('mkfifo', [join(sub, 'pipe')]);
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    fill(outside, 10, MiB);
    symlinkSync(outside, join(sub, 'folder'));
    symlinkSync(join(outside, '0'), join(sub, 'file'));
    symlinkSync(box.tmp, join(sub, 'loop'));
    symlinkSync('/nowhere', join(sub, 'broken'));
    expect(await box.isOverfull(MiB)).to.equal(false);
  });

  it('count the space of the folders themselves', async function () {
    const long = 'long-name-'.repeat(24);
    for (let at = 0; at < 1_500; at += 1) writeFileSync(join(sub, long + at), '');
    const { blocks } = statSync(sub);
    // Some file systems keep names elsewhere.
    if (blocks < 512) this.skip();
    const most = (blocks - 1) * 512;
    expect(await box.isOverfull(most)).to.equal(true);
    expect(await box.isOverfull(most + MiB)).to.equal(false);
    // On many it keeps its size when it is empty.
    for (let at = 0; at < 1_500; at += 1) rmSync(join(sub, long + at));
    expect(await box.isOverfull(most)).to.equal(statSync(sub).blocks === blocks);
  });

  it('count what has a name that is not UTF-8', async () => {
    const strange = Buffer.concat([Buffer.from(`${sub}/`), Buffer.from([0xff, 0xfe, 0x2d, 0x80])]);
    mkdirSync(strange);
    const within = (name: number[]) => Buffer.concat([strange, Buffer.from([0x2f, ...name])]);
    writeFileSync(within([0xc3, 0x28]), Buffer.alloc(2 * MiB));
    writeFileSync(within([0xed, 0xa0, 0x80]), Buffer.alloc(2 * MiB));
    expect(await box.isOverfull(3 * MiB)).to.equal(true);
    expect(await box.isOverfull(8 * MiB)).to.equal(false);
  });

  it('do not mind files and folders that come and go', async () => {
    fill(sub, 10, MiB);
    const gone = [rename(sub, join(box.tmp, 'renamed')), box.isOverfull(60 * MiB)] as const;
    expect((await Promise.all(gone))[1]).to.equal(false);
    await rm(box.tmp, { recursive: true });
    expect(await box.isOverfull(60 * MiB)).to.equal(false);
  });

  it('report a machine that cannot be asked', async () => {
    const { lstat } = fs.promises;
    Object.assign(fs.promises, {
      lstat: async () => {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      },
    });
    syncBuiltinESMExports();
    try {
      const asked = await box.isOverfull(60 * MiB).catch((error: unknown) => error);
      expect(asked).to.include({ code: 'EIO' });
    } finally {
      Object.assign(fs.promises, { lstat });
      syncBuiltinESMExports();
    }
  });
});
