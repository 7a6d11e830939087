import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolationOf } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import {
  type ChildHandle,
  startChild,
} from '../../../packages/sandbox/src/children/child-handle.ts';
import { eventually } from '../../support/eventually.ts';

const MiB = 2 ** 20;
const perl = '/usr/bin/perl';
/** Its numbers of system calls are those of this architecture. */
const hasPerl = process.arch === 'x64' && existsSync(perl);

for (const kind of ['bubblewrap', 'unshare'] as const) {
  describe(`the disk limits of a child that was taken over (${kind})`, () => {
    let folder: string;
    let running: ChildHandle;
    let messages: EventEmitter;
    let lastId = 0;

    before(function () {
      if (isolationOf(kind) === null) this.skip();
    });
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'disk-attacks-'));
      messages = new EventEmitter();
      running = startChild(
        {
          module: new URL('../../support/hostile-child.mjs', import.meta.url),
          memoryBytes: 512 * MiB,
          folder,
          isolation: kind,
          programs: hasPerl ? [perl] : [],
        },
        0,
        {
          message: (message) => void messages.emit('said', message),
          fault: () => undefined,
          exited: () => undefined,
        },
      );
      await once(messages, 'said');
    });
    afterEach(async () => {
      running.stop();
      await running.exited;
      expect(readdirSync(folder)).to.deep.equal([]);
      await rm(folder, { recursive: true });
    });

    async function run(name: string, input: object = {}): Promise<unknown> {
      const said = once(messages, 'said');
      running.send({ id: ++lastId, name, input });
      const [message]: unknown[] = await said;
      return message;
    }

    it('count files that it has removed and keeps open', async () => {
      await run('keepRemoved', { bytes: 3 * MiB });
      expect(await running.isOverfull(2 * MiB)).to.equal(true);
      expect(await running.isOverfull(4 * MiB)).to.equal(false);
    });

    it('count those of processes that have left its session and hide their descriptors', async function () {
      if (!hasPerl) this.skip();
      await run('keepRemovedElsewhere', { perl, bytes: 3 * MiB });
      await eventually(() => running.isOverfull(2 * MiB));
      expect(await running.isOverfull(4 * MiB)).to.equal(false);
    });

    it('hold for a folder that is renamed without end', async () => {
      await run('rename', { files: 30, bytes: MiB / 10 });
      for (let look = 0; look < 10; look += 1) {
        expect(await running.isOverfull(2 * MiB)).to.equal(true);
      }
    });

    it('hold for a file that is never where it is looked for', async function () {
      if (!hasPerl) this.skip();
      await run('dodge', { perl, bytes: 3 * MiB });
      // One look of five at the latest is at a child that stands still.
      let looks = 1;
      while (!(await running.isOverfull(2 * MiB)) && looks < 50) looks += 1;
      expect(looks).to.be.at.most(5);
    });

    it('leave a child at work that they have stopped to look at it', async () => {
      for (let look = 0; look < 10; look += 1) {
        expect(await running.isOverfull(60 * MiB)).to.equal(false);
      }
      expect(await run('answer')).to.deep.include({ value: 'well' });
    });
  });
}
