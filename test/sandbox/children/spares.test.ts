import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findIsolation } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { extension } from '../../../lab/embedded/programs.ts';
import { type Children, createChildren } from '../../../packages/sandbox/src/children/pool.ts';
import { sparesFor } from '../../../packages/sandbox/src/children/spares.ts';
import { eventually } from '../../support/eventually.ts';
import { failMkdir } from '../../support/full-disk.ts';

const long = { deadlineMs: 600_000 };

describe('spare children', () => {
  let children: Children;
  let folder: string;

  function open(settings: { spares?: number; warmUp?: unknown; idleMs?: number }): void {
    folder = mkdtempSync(join(tmpdir(), 'spares-'));
    children = createChildren({
      module: new URL(`../../support/child-tasks${extension}`, import.meta.url),
      processes: 2,
      memoryBytes: 400 * 2 ** 20,
      folder,
      isolation: findIsolation().kind,
      ...settings,
    });
  }
  const run = (name: string, isolation: string) =>
    children.run({ name, input: null, isolation }, long);
  /** Waits until `count` children are alive, and returns their ids. */
  const alive = (count: number): Promise<number[]> =>
    eventually(async () => (children.pids().length === count ? children.pids() : null));
  /**
   * Asks what a project's child has loaded until its pool had time to warm one up. Only an idle
   * pool warms up, so each pause is longer than the last.
   */
  const warm = (project: (at: number) => string) => {
    let at = 0;
    let pause = 0;
    return eventually(async () => {
      if (pause-- > 0) return null;
      pause = at;
      const result = JSON.stringify(await run('loaded', project(at++)));
      return result.includes('"loaded":"models"') ? result : null;
    });
  };

  afterEach(async () => {
    await children.close();
    expect(readdirSync(folder)).to.deep.equal([]);
    await rm(folder, { recursive: true });
  });

  it('start in advance and serve the first project that needs one', async () => {
    open({ spares: 1, warmUp: 'models' });
    const [spare] = await alive(1);
    expect(await run('loaded', 'prj_1')).to.include({ served: 1, isolation: 'prj_1' });
    expect(children.pids()).to.include(spare);
    // Once the pool is idle, another takes its place.
    await alive(2);
  });

  it('start once a full disk has room for their boxes', async () => {
    let refused = 0;
    const isFull = (path: string): boolean => {
      if (!path.endsWith('box-0/out')) return false;
      refused += 1;
      return true;
    };
    const free = failMkdir({ test: isFull });
    try {
      open({ spares: 1 });
      await eventually(async () => refused > 0);
    } finally {
      free();
    }
    await alive(1);
  });

  it("have loaded what tasks need, but no project's data", async () => {
    open({ spares: 1, warmUp: 'models' });
    await alive(1);
    const result = await warm((at) => `prj_${at}`);
    expect(result).to.include('"served":1');
  });

  it('are never given to a second project', async () => {
    open({ spares: 2, warmUp: 'models' });
    await alive(2);
    for (let at = 1; at <= 6; at += 1) {
      const isolation = `prj_${at}`;
      expect(await run('count', isolation)).to.deep.equal({ served: 1, isolation });
      expect(children.pids().length).to.be.at.most(5);
    }
  });

  it('are ready again after more projects than there is room for', async () => {
    open({ spares: 1, warmUp: 'models' });
    for (let at = 1; at <= 6; at += 1) await run('echo', `prj_of_many_${at}`);
    expect(await warm((at) => `prj_${at}`)).to.include('"served":1');
  });

  it('are no more than requested', async () => {
    open({ spares: 1, warmUp: 'models' });
    await run('echo', 'prj_1');
    await alive(2);
    await run('echo', 'prj_1');
    expect(children.pids()).to.have.length(2);
  });

  it('are replaced when they are killed', async () => {
    open({ spares: 1, warmUp: 'models' });
    const [killed] = await alive(1);
    process.kill(killed!, 'SIGKILL');
    await eventually(async () => children.pids().some((pid) => pid !== killed));
    expect(await run('count', 'prj_1')).to.deep.equal({ served: 1, isolation: 'prj_1' });
  });

  for (const fault of ['fail', 'exit']) {
    it(`do not block tasks if they cannot warm up (${fault})`, async () => {
      open({ spares: 1, warmUp: fault });
      const seen = new Set<number>();
      await eventually(async () => {
        for (const pid of children.pids()) seen.add(pid);
        return seen.size > 1;
      });
      expect(await run('count', 'prj_1')).to.include({ isolation: 'prj_1' });
    });
  }

  it('hand back a task that arrived while they were warming up', async () => {
    open({ spares: 1, warmUp: 'hang' });
    const [spare] = await alive(1);
    const waiting = run('count', 'prj_1');
    process.kill(spare!, 'SIGKILL');
    expect(await waiting).to.deep.equal({ served: 1, isolation: 'prj_1' });
  });

  it('replace the children of idle projects, which exit', async () => {
    open({ idleMs: 40 });
    await run('echo', 'prj_1');
    await alive(0);
    expect(await run('count', 'prj_1')).to.deep.equal({ served: 1, isolation: 'prj_1' });
  });
});

describe('the number of spares', () => {
  const gigabyte = 2 ** 30;

  it('equals the number of processes, up to two', () => {
    expect(sparesFor(1, 64 * gigabyte)).to.equal(1);
    expect(sparesFor(16, 64 * gigabyte)).to.equal(2);
  });

  it('is zero when memory is short', () => {
    expect(sparesFor(4, gigabyte)).to.equal(0);
    expect(sparesFor(4, 2 * gigabyte)).to.equal(1);
  });
});
