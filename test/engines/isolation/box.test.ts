import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createSandbox, type Sandbox } from '../../../src/engines/isolation/box.ts';

describe('the box of a child', () => {
  let folder: string;
  let box: Sandbox;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'box-test-'));
    box = createSandbox(join(folder, 'box-0'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Gives the child a task with one output, and writes it. */
  async function write(to: string): Promise<void> {
    await box.pack({ reads: [], writes: [to] });
    writeFileSync(String(box.inside(to)), 'output');
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
});
