import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { expect } from 'chai';
import { inProject, prepared, query } from '../../../src/db/transaction.ts';
import { retainBytes } from '../../../src/library/bytes/retain.ts';
import { removeUnreferenced, sweepBytes } from '../../../src/library/bytes/sweep.ts';
import { createFromUpload } from '../../../src/library/objects/arrival/upload.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { put } from '../../storage/shared.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../../support/database-fixture.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestStorages } from '../../support/storages.ts';

/** A gate at which something waits until it is opened. */
function gate() {
  let reached = (): void => undefined;
  let open = (): void => undefined;
  const arrival = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    arrival,
    open: () => open(),
    pass: () => {
      reached();
      return opened;
    },
  };
}

for (const [name, openStore] of openTestStorages) {
  describe(`the sweep of stored bytes on ${name}`, () => {
    let databaseFixture: DatabaseFixture;
    let storage: Storage;
    let close: () => Promise<void>;
    let projectId: string;
    before(async () => {
      databaseFixture = await openDatabaseFixture();
      ({ storage, close } = await openStore());
    });
    after(async () => {
      await databaseFixture.close();
      await close();
    });
    beforeEach(async () => {
      projectId = await databaseFixture.createProject();
    });

    const receive = (content: string) =>
      storage.receive(projectId, Readable.from([content]), { maxBytes: 1_000 });
    const deps = (store = storage) => ({ database: databaseFixture.worker, storage: store });
    const sweep = (graceMs = 0, limit = 1_000_000) =>
      sweepBytes(deps(), projectId, { graceMs, limit });
    const isThere = async (sha256: string) => (await storage.stat(projectId, sha256)) !== null;
    /** An upload whose transaction waits before its commit. */
    const upload = async (content: string, wait: () => Promise<void> = async () => undefined) => {
      const received = await receive(content);
      await received.commit();
      try {
        return await inProject(databaseFixture.api, projectId, async (tx) => {
          const held = await retainBytes(tx, projectId, received);
          const { object } = await createFromUpload(tx, originOf(projectId), {
            filename: randomUUID(),
            mime: 'text/plain',
            tags: [],
            traits: [],
            metadata: {},
            content: held,
            onDuplicate: 'allow',
          });
          await wait();
          return object;
        });
      } finally {
        await received.discard();
      }
    };
    /** Waits until a session waits for a lock on bytes. */
    const someoneWaits = () =>
      eventually(async () => {
        const [row] = await inProject(databaseFixture.owner, projectId, (tx) =>
          query<{ waiting: boolean }>(
            tx,
            `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
               AS waiting`,
            [],
          ),
        );
        return row!.waiting || undefined;
      });

    it('removes unreferenced bytes and nothing else', async () => {
      const kept = await upload('kept');
      const orphan = await put(storage, projectId, 'orphan');
      const other = await databaseFixture.createProject();
      await put(storage, other, 'orphan');
      expect(await sweep()).to.deep.equal({ seen: 2, removed: 1, next: null });
      expect(await isThere(kept.sha256)).to.equal(true);
      expect(await isThere(orphan.sha256)).to.equal(false);
      expect(await storage.stat(other, orphan.sha256)).to.not.equal(null);
    });

    it('keeps bytes younger than the grace period', async () => {
      const orphan = await put(storage, projectId, 'young');
      expect((await sweep(3_600_000)).removed).to.equal(0);
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 86_400_000 });
      try {
        expect((await sweep(3_600_000)).removed, 'by a wrong clock').to.equal(0);
      } finally {
        mock.timers.reset();
      }
      expect(await isThere(orphan.sha256)).to.equal(true);
    });

    it('checks every table that references bytes', async () => {
      const object = await upload('original');
      const [thumb, variant] = [
        await put(storage, projectId, 'thumb'),
        await put(storage, projectId, 'variant'),
      ];
      const key = [projectId, object.id];
      await inProject(databaseFixture.worker, projectId, async (tx) => {
        await prepared(
          tx,
          `INSERT INTO image (id, project_id, object_id) VALUES ($2, $1, $2)`,
          key,
        );
        await prepared(
          tx,
          `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
           VALUES ($1, $2, 'thumb', 'image/webp', $3, 5, 1, 1)`,
          [...key, thumb.sha256],
        );
        await prepared(
          tx,
          `INSERT INTO object_variant (project_id, object_id, variant, sha256, bytes)
           VALUES ($1, $2, 'strip:gps', $3, 7)`,
          [...key, variant.sha256],
        );
      });
      expect(await sweep()).to.deep.equal({ seen: 3, removed: 0, next: null });
      await inProject(databaseFixture.worker, projectId, (tx) =>
        prepared(tx, 'DELETE FROM object WHERE project_id = $1 AND id = $2', key),
      );
      expect((await sweep()).removed).to.equal(3);
    });

    it('continues where it ended', async () => {
      for (let n = 0; n < 12; n++) await put(storage, projectId, `many ${n}`);
      const first = await sweep(3_600_000, 5);
      expect(first).to.include({ seen: 5, removed: 0 });
      const { next } = first;
      const rest = await sweepBytes(deps(), projectId, { graceMs: 0, after: next!, limit: 100 });
      expect(rest).to.deep.equal({ seen: 7, removed: 7, next: null });
      expect((await sweep(0, 5)).removed).to.equal(5);
    });

    it('keeps the bytes if it runs during an upload of the same bytes', async () => {
      const end = gate();
      const object = upload('under way', end.pass);
      await end.arrival;
      const [stored] = await hashes();
      expect(await removeUnreferenced(deps(), projectId, [stored!], 0)).to.equal(0);
      end.open();
      expect((await object).sha256).to.equal(stored);
      expect((await sweep()).removed).to.equal(0);
      expect(await isThere(stored!)).to.equal(true);
    });

    it('makes an upload wait and store its bytes again if it is removing them', async () => {
      const { sha256 } = await put(storage, projectId, 'same bytes');
      const before = gate();
      const removing = removeUnreferenced(
        deps({
          ...storage,
          remove: async (project, hash) => {
            await before.pass();
            await storage.remove(project, hash);
          },
        }),
        projectId,
        [sha256],
        0,
      );
      await before.arrival;
      const object = upload('same bytes');
      await someoneWaits();
      before.open();
      expect(await removing).to.equal(1);
      expect((await object).sha256).to.equal(sha256);
      expect(await isThere(sha256)).to.equal(true);
      expect((await sweep()).removed).to.equal(0);
    });

    it('keeps bytes that were listed for removal if an upload has committed since', async () => {
      const { sha256 } = await put(storage, projectId, 'suspected');
      await upload('suspected');
      expect(await removeUnreferenced(deps(), projectId, [sha256], 0)).to.equal(0);
      expect(await isThere(sha256)).to.equal(true);
    });

    it('removes the bytes of an upload that was rolled back', async () => {
      const failed = upload('rolled back', async () => {
        throw new Error('no');
      });
      expect(await failed.catch((error: Error) => error.message)).to.equal('no');
      expect((await sweep()).removed).to.equal(1);
    });

    it('keeps its locks until the last removal has ended, even if another failed', async () => {
      const slow = await put(storage, projectId, 'slow');
      const broken = await put(storage, projectId, 'broken');
      const before = gate();
      const removing = removeUnreferenced(
        deps({
          ...storage,
          remove: async (project, hash) => {
            if (hash === broken.sha256) throw new Error('cannot remove');
            await before.pass();
            await storage.remove(project, hash);
          },
        }),
        projectId,
        [slow.sha256, broken.sha256],
        0,
      ).catch((error: Error) => error.message);
      await before.arrival;
      const object = upload('slow');
      await someoneWaits();
      before.open();
      expect(await removing).to.equal('cannot remove');
      await object;
      expect(await isThere(slow.sha256)).to.equal(true);
    });

    it('loses no bytes while the same bytes are uploaded and purged repeatedly', async () => {
      const contents = ['a', 'b', 'c', 'd'];
      let running = true;
      const sweeper = (async () => {
        while (running) await sweep();
      })();
      const uploader = async () => {
        for (let turn = 0; turn < 25; turn++) {
          const object = await upload(contents[turn % contents.length]!);
          expect(await isThere(object.sha256)).to.equal(true);
          await inProject(databaseFixture.api, projectId, (tx) =>
            prepared(tx, 'DELETE FROM object WHERE project_id = $1 AND id = $2', [
              projectId,
              object.id,
            ]),
          );
        }
      };
      await Promise.all([uploader(), uploader(), uploader()]).finally(() => {
        running = false;
      });
      await sweeper;
    });

    async function hashes(): Promise<string[]> {
      const found: string[] = [];
      for await (const sha256 of storage.list(projectId)) found.push(sha256);
      return found;
    }
  });
}
