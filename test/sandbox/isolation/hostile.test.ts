import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { findIsolation } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { type Children, createChildren } from '../../../packages/sandbox/src/children/pool.ts';
import { eventually } from '../../support/eventually.ts';

const { kind, byKernel } = findIsolation();
/** What a child says if Node's permission model refuses what it tries. */
const refusals = byKernel ? [] : ['damaged'];

describe('the parent of a compromised child', () => {
  let children: Children;
  let folder: string;
  const run = (name: string, input: object = {}, files = { reads: [], writes: [] } as Files) =>
    children.run({ name, input, isolation: 'prj_1', files }, { deadlineMs: 600_000 });
  type Files = { reads: string[]; writes: string[] };

  async function failure(promise: Promise<unknown>): Promise<EngineError> {
    const error = await promise.then(
      (value) => new Error(`it returned ${JSON.stringify(value)?.slice(0, 100)}`),
      (reason: unknown) => reason,
    );
    if (error instanceof EngineError) return error;
    throw error;
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    writeFileSync(join(folder, 'given'), 'text');
    children = createChildren({
      module: new URL('../../support/hostile-child.mjs', import.meta.url),
      processes: 1,
      memoryBytes: 512 * 2 ** 20,
      folder,
      isolation: kind,
      // None ends because it has nothing to do.
      idleMs: 86_400_000,
    });
  });
  after(async () => {
    await children.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('box-'))).to.deep.equal([]);
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of ['endless', 'nested', 'prototype', 'nonsense', 'otherTask', 'readyAgain']) {
    it(`ends the child after an answer that our code never sends: ${name}`, async () => {
      const before = process.memoryUsage.rss();
      expect((await failure(run(name))).code).to.equal('crashed');
      expect(process.memoryUsage.rss() - before).to.be.lessThan(400 * 2 ** 20);
      expect(Reflect.get({}, 'polluted')).to.equal(undefined);
    });
  }

  for (const name of ['cancelled', 'longError', 'forgedError']) {
    it(`does not pass on the child’s error texts: ${name}`, async () => {
      const error = await failure(run(name));
      expect(error).to.include({ code: 'crashed', message: 'The engine failed on this file.' });
    });
  }

  it('accepts one answer per task', async () => {
    expect(await run('twice')).to.equal('once');
    const path = join(folder, 'given');
    // The child that answered twice has ended; the next task gets another.
    expect(await run('read', { path }, { reads: [path], writes: [] })).to.equal('text');
  });

  it('gives the child the files of its task, read-only, and removes them', async function () {
    if (!byKernel) this.skip();
    const path = join(folder, 'first');
    writeFileSync(path, 'first');
    const reads = { reads: [path], writes: [] };
    expect(await run('read', { path }, reads)).to.equal('first');
    expect(await run('spoil', { path }, reads)).to.equal(false);
    expect(readFileSync(path, 'utf8')).to.equal('first');
    const error = await failure(run('read', { path }));
    expect(error.message).to.equal('ENOENT');
    writeFileSync(path, 'changed');
    expect(await run('read', { path }, reads)).to.equal('changed');
  });

  it('takes only requested outputs, and none from before the task', async () => {
    const outPath = join(folder, 'output');
    const writes = { reads: [], writes: [outPath] };
    await run('write', { outPath, text: 'made' }, writes);
    expect(readFileSync(outPath, 'utf8')).to.equal('made');
    const path = join(folder, 'given');
    await run('read', { path }, { ...writes, reads: [path] });
    expect(existsSync(outPath)).to.equal(false);
  });

  it('follows no link out of the child’s folder and waits for no pipe', async () => {
    const outPath = join(folder, 'output');
    const target = join(folder, 'secret');
    writeFileSync(target, 'secret');
    for (const name of ['link', 'folder']) {
      const work = run(name, { outPath, target }, { reads: [], writes: [outPath] });
      // Without help from the kernel, Node already refuses to make the link.
      expect((await failure(work)).code, name).to.be.oneOf(['crashed', ...refusals]);
      expect(existsSync(outPath), name).to.equal(false);
    }
  });

  it('ends a child that fills the disk or starts too many processes', async function () {
    expect((await failure(run('litter'))).code).to.equal('too_large');
    if (!byKernel) this.skip();
    // By their number or by their total size.
    expect((await failure(run('fork'))).code).to.be.oneOf(['crashed', 'memory_exceeded']);
  });

  for (const name of ['litterLater', 'hoardLater']) {
    it(`ends a child that does so when it should have nothing to do: ${name}`, async () => {
      await run(name);
      const pid = Number(children.pids().at(-1));
      await eventually(async () => !children.pids().includes(pid));
    });
  }

  it('removes files that are deeply nested or inaccessible', async () => {
    // The hook after all tests checks that it is removed.
    expect((await failure(run('burrow'))).code).to.be.oneOf(['too_large', ...refusals]);
  });
});
