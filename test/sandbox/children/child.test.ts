import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EngineError } from '@scriptorium/sandbox/errors';
import { findIsolation } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { extension, runTypeScript } from '../../../lab/embedded/programs.ts';
import { type Children, createChildren } from '../../../packages/sandbox/src/children/pool.ts';
import { failMkdir } from '../../support/full-disk.ts';

const long: { deadlineMs: number; signal?: AbortSignal } = { deadlineMs: 600_000 };

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  for (let round = 0; isAlive(pid); round += 1) {
    if (round > 500) throw new Error(`process ${pid} is still alive`);
    await delay(20);
  }
}

/** A process of this machine and all its descendants, by their ids outside of any namespace. */
function treeOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const below = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').trim().split(' '),
  );
  return [pid, ...below.filter(Boolean).flatMap((child) => treeOf(Number(child)))];
}

for (const kind of new Set(['process', findIsolation().kind] as const))
  describe(`children (${kind})`, () => {
    let children: Children;
    let folder: string;
    const run = (name: string, input: unknown = null, options = long) =>
      children.run({ name, input, isolation: 'prj_1' }, options);
    /** The running child, by its id on this machine. */
    const pid = async (): Promise<number> => {
      await run('echo');
      return children.pids().at(-1)!;
    };

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'children-'));
      children = createChildren({
        module: new URL(`../../support/child-tasks${extension}`, import.meta.url),
        // Some tasks start another program.
        programs: [process.execPath],
        processes: 1,
        memoryBytes: 400 * 2 ** 20,
        recycleAfter: 3,
        folder,
        isolation: kind,
      });
    });
    afterEach(async () => {
      await children.close();
      expect(readdirSync(folder)).to.deep.equal([]);
      await rm(folder, { recursive: true });
    });

    it('runs a task and returns its value', async () => {
      expect(await run('echo', { a: [1, 'é'] })).to.deep.equal({ a: [1, 'é'] });
    });

    it('passes on engine errors and keeps the child', async () => {
      const before = await pid();
      const error = await failure(run('refuse'));
      expect(error).to.include({ code: 'damaged', message: 'The document is damaged.' });
      expect(error.retryable).to.equal(false);
      expect(await pid()).to.equal(before);
    });

    it('hides the text of an unexpected error and replaces the child', async () => {
      const before = await pid();
      const error = await failure(run('fail'));
      expect(error.code).to.equal('crashed');
      expect(error.message).not.to.match(/secret|path/);
      expect(await pid()).not.to.equal(before);
    });

    it('distinguishes a full disk from a fatal document and names no path', async () => {
      const error = await failure(run('fill'));
      expect(error).to.include({ code: 'machine_fault', retryable: true });
      expect(error.message).to.include('ENOSPC').and.not.include('path');
    });

    it('reports the machine if the disk lacks room for a box, and keeps nothing of the task', async () => {
      const free = failMkdir(/box-\d+\/out$/);
      try {
        expect(await failure(run('echo'))).to.include({ code: 'machine_fault', retryable: true });
      } finally {
        free();
      }
      // One process at a time: a task that was left in the queue would be served first.
      expect(await run('count')).to.include({ served: 1 });
    });

    it('reports the machine to tasks that wait when the room runs out', async () => {
      await pid();
      const hanging = failure(run('hang', null, { deadlineMs: 300 }));
      const waiting = failure(run('echo'));
      const free = failMkdir(/box-\d+\/out$/);
      try {
        expect((await hanging).code).to.equal('deadline_exceeded');
        expect((await waiting).code).to.equal('machine_fault');
      } finally {
        free();
      }
      expect(await run('echo', 1)).to.equal(1);
    });

    it('kills a child in an endless loop at its deadline and continues with another', async () => {
      const hanging = await pid();
      const error = await failure(run('hang', null, { deadlineMs: 300 }));
      expect(error).to.include({ code: 'deadline_exceeded', retryable: true });
      expect(await run('echo', 1)).to.equal(1);
      await untilGone(hanging);
    });

    it('kills a child that uses too much memory', async () => {
      const error = await failure(run('hog'));
      expect(error).to.include({ code: 'memory_exceeded', retryable: false });
      expect(await run('echo', 1)).to.equal(1);
    });

    it('does not count memory left by earlier tasks', async () => {
      const before = await pid();
      await run('hoard');
      expect(await run('borrow')).to.equal(true);
      expect(await pid()).not.to.equal(before);
      const error = await failure(run('hog'));
      expect(error.code).to.equal('memory_exceeded');
    });

    it('survives the death of a child', async () => {
      expect((await failure(run('exit'))).code).to.equal('crashed');
      expect((await failure(run('crash'))).code).to.equal('memory_exceeded');
      expect(await run('echo', 1)).to.equal(1);
    });

    it('kills the child of an aborted task and drops an aborted task that waits', async () => {
      const child = await pid();
      const inHand = new AbortController();
      const waiting = new AbortController();
      const first = failure(run('wait', null, { ...long, signal: inHand.signal }));
      const second = failure(run('echo', 2, { ...long, signal: waiting.signal }));
      waiting.abort();
      expect((await second).code).to.equal('cancelled');
      expect(isAlive(child)).to.equal(true);
      inHand.abort();
      expect((await first).code).to.equal('cancelled');
      await untilGone(child);
      const aborted = AbortSignal.abort();
      expect((await failure(run('echo', 3, { ...long, signal: aborted }))).code).to.equal(
        'cancelled',
      );
    });

    it('ends everything that a child started, whether the child is killed or exits', async () => {
      const plain = treeOf(await pid());
      await run('start');
      const killed = treeOf(children.pids().at(-1)!);
      expect(killed.length).to.be.greaterThan(plain.length);
      await failure(run('hang', null, { deadlineMs: 300 }));
      for (const each of killed) await untilGone(each);
      await run('start');
      const orphaned = treeOf(children.pids().at(-1)!);
      expect(orphaned.length).to.be.greaterThan(plain.length);
      await failure(run('exit'));
      for (const each of orphaned) await untilGone(each);
    });

    it('passes no secrets to children', async () => {
      process.env.ENGINE_TEST_SECRET = 'do not pass on';
      try {
        const names = await run('environment');
        expect(names).to.include('PATH');
        expect(names).not.to.include('ENGINE_TEST_SECRET');
      } finally {
        delete process.env.ENGINE_TEST_SECRET;
      }
    });

    it('replaces a child after a number of tasks', async () => {
      const seen: unknown[] = [];
      for (let round = 0; round < 4; round += 1) seen.push(await pid());
      expect(seen[0]).to.equal(seen[2]);
      expect(seen[3]).not.to.equal(seen[2]);
    });

    it('tells the child which project its task belongs to', async () => {
      expect(await run('count')).to.deep.equal({ served: 1, isolation: 'prj_1' });
    });

    it('never gives a child of one project to another', async () => {
      const count = (isolation: string) =>
        children.run({ name: 'count', input: null, isolation }, long);
      expect(await count('prj_1')).to.deep.equal({ served: 1, isolation: 'prj_1' });
      expect(await count('prj_2')).to.deep.equal({ served: 1, isolation: 'prj_2' });
      // Both children are kept: each project gets its own again.
      expect(await count('prj_1')).to.deep.equal({ served: 2, isolation: 'prj_1' });
      expect(await count('prj_2')).to.deep.equal({ served: 2, isolation: 'prj_2' });
      for (let at = 3; at < 7; at += 1) {
        expect(await count(`prj_${at}`)).to.deep.equal({ served: 1, isolation: `prj_${at}` });
        expect(children.pids().length).to.be.at.most(5);
      }
      expect(await count('prj_1')).to.deep.equal({ served: 1, isolation: 'prj_1' });
    });

    it('fails all tasks and leaves no process when closed', async () => {
      const child = await pid();
      const inHand = failure(run('hang'));
      const waiting = failure(run('echo', 1));
      await children.close();
      expect((await inHand).code).to.equal('cancelled');
      expect((await waiting).code).to.equal('cancelled');
      expect(isAlive(child)).to.equal(false);
      expect((await failure(run('echo', 1))).code).to.equal('cancelled');
    });
  });

describe('children whose parent ends', () => {
  async function startParent(
    mode: string,
    kind = 'auto',
  ): Promise<{ parent: ChildProcess; child: number }> {
    const script = fileURLToPath(
      new URL(`../../support/child-parent${extension}`, import.meta.url),
    );
    const parent = spawn(process.execPath, [...runTypeScript, script, mode, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = await once(parent.stdout, 'data');
    return { parent, child: Number(String(chunk).trim()) };
  }

  for (const kind of ['process', 'auto']) {
    it(`exit when the parent is killed, even in an endless loop (${kind})`, async () => {
      const { parent, child } = await startParent('hang', kind);
      const all = treeOf(child);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      for (const each of all) await untilGone(each);
    });
  }

  for (const mode of ['idle', 'spare']) {
    it(`do not keep an idle parent alive (${mode})`, async () => {
      const { parent, child } = await startParent(mode);
      if (parent.exitCode === null) await once(parent, 'exit');
      expect(parent.exitCode).to.equal(0);
      await untilGone(child);
    });
  }
});
