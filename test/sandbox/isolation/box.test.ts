import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFor } from '@scriptorium/sandbox/isolation/kinds';
import { expect } from 'chai';
import { type Box, createBox } from '../../../packages/sandbox/src/isolation/box.ts';

describe('the box of a child', () => {
  let folder: string;
  let box: Box;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'box-test-'));
    box = createBox(join(folder, 'box-0'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Gives the child a task with one output, and writes it. */
  async function write(to: string): Promise<void> {
    await box.pack({ reads: [], writes: [to] });
    writeFileSync(String(box.toInsidePaths(to)), 'output');
  }

  it('keeps no output for which the destination has no room', async () => {
    // The device is always full.
    await write('/dev/full');
    const failed = await box.unpack().catch((error: unknown) => error);
    expect(failed).to.include({ code: 'ENOSPC' });
    expect(readdirSync(box.out)).to.deep.equal([]);
  });

  it('keeps no output of a task that failed once the next begins', async () => {
    await write(join(folder, 'first'));
    await write(join(folder, 'second'));
    expect(readdirSync(box.out)).to.have.length(1);
    await box.unpack();
    expect(readdirSync(folder)).to.have.members(['box-0', 'second']);
  });

  it('copies no more output than a child may have files', async () => {
    const to = join(folder, 'output');
    await write(to);
    // Its holes would become bytes.
    truncateSync(String(box.toInsidePaths(to)), 9 * 2 ** 30);
    const failed = await box.unpack().catch((error: unknown) => error);
    expect(failed).to.include({ code: 'too_large' });
    expect(existsSync(to)).to.equal(false);
    expect(readdirSync(box.out)).to.deep.equal([]);
  });

  it('gives another account inputs that it can only read', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    chmodSync(folder, 0o711);
    const owner = accountFor(7);
    const given = join(folder, 'given');
    writeFileSync(given, 'input', { mode: 0o600 });
    const other = createBox(join(folder, 'box-7'), owner);
    await other.pack({ reads: [given], writes: [] });
    const path = String(other.toInsidePaths(given));
    const as = (script: string) =>
      spawnSync('/bin/sh', ['-c', script, 'sh', path], { ...owner, encoding: 'utf8' });
    expect(as('cat "$1"').stdout).to.equal('input');
    // Its own file, it could make writable and fill the disk with.
    expect(as('chmod u+w "$1" && echo more >>"$1"').status).not.to.equal(0);
    expect(readFileSync(path, 'utf8')).to.equal('input');
    expect(statSync(path).mode & 0o777).to.equal(0o440);
  });
});
