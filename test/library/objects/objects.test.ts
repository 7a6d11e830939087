import { expect } from 'chai';
import { enterProject, inProject, inTransaction, type Tx } from '../../../src/db/transaction.ts';
import { retainBytes } from '../../../src/library/bytes/retain.ts';
import { createFromUpload } from '../../../src/library/objects/arrival/upload.ts';
import {
  matchingObjectsSql,
  type ObjectFilters,
  prepareSearch,
} from '../../../src/library/objects/conditions.ts';
import { countMatches } from '../../../src/library/objects/counts.ts';
import { restoreObject, trashObject } from '../../../src/library/objects/ending/trash.ts';
import { listObjects } from '../../../src/library/objects/list.ts';
import { findObject, lockObject } from '../../../src/library/objects/load.ts';
import type { ReceivedBytes } from '../../../src/storage/storage.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../../support/database-fixture.ts';

describe('stored objects', () => {
  let database: DatabaseFixture;
  let projectId: string;
  const received: ReceivedBytes = {
    sha256: 'a'.repeat(64),
    bytes: 3,
    head: Buffer.alloc(3),
    commit: async () => undefined,
    discard: async () => undefined,
  };
  const upload = async (tx: Tx, filename: string) => ({
    filename,
    mime: 'text/plain',
    traits: [],
    content: await retainBytes(tx, projectId, received),
    tags: [],
    metadata: {},
    onDuplicate: 'reuse' as const,
  });
  const counts = async () => {
    const [row] = await database.owner.query(
      `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM task) AS tasks`,
    );
    return row;
  };

  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
  });
  after(() => database.close());

  it('leave no row, event or task of a change that is rolled back', async () => {
    const before = await counts();
    const failed = await inProject(database.api, projectId, async (tx) => {
      const { object } = await createFromUpload(tx, originOf(projectId), await upload(tx, 'a.txt'));
      await trashObject(tx, originOf(projectId), object);
      await restoreObject(tx, originOf(projectId), (await lockObject(tx, projectId, object.id))!);
      throw new Error(object.id);
    }).catch((error: Error) => error.message);
    expect(failed).to.match(/^obj_/);
    expect(await counts()).to.deep.equal(before);
    const found = await inProject(database.api, projectId, (tx) =>
      findObject(tx, projectId, failed),
    );
    expect(found).to.equal(null);
  });

  it('wait for a concurrent upload of the same file, and use its result', async () => {
    const origin = originOf(projectId);
    let commit = (): void => undefined;
    let abandon = (_: Error): void => undefined;
    const start = async (name: string) => {
      let holds = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        holds = resolve;
      });
      const first = inProject(database.api, projectId, async (tx) => {
        const made = await createFromUpload(tx, origin, await upload(tx, name));
        holds();
        await new Promise<void>((resolve, reject) => {
          commit = resolve;
          abandon = reject;
        });
        return made;
      });
      // Checked below; until then the rejection must not be unhandled.
      first.catch(() => undefined);
      await held;
      const second = inProject(database.api, projectId, async (tx) =>
        createFromUpload(tx, origin, await upload(tx, name)),
      );
      return { first, second };
    };
    const good = await start('good.txt');
    commit();
    const [made, taken] = await Promise.all([good.first, good.second]);
    expect(taken.object.id).to.equal(made.object.id);
    expect([made.deduplicated, taken.deduplicated]).to.deep.equal([false, true]);

    const bad = await start('bad.txt');
    abandon(new Error('no'));
    const second = await bad.second;
    expect(second.deduplicated).to.equal(false);
    expect(await bad.first.catch((error: Error) => error.message)).to.equal('no');
  });

  it('stay within the project even if a query names another one', async () => {
    const { object } = await inProject(database.api, projectId, async (tx) =>
      createFromUpload(tx, originOf(projectId), await upload(tx, 'wall.txt')),
    );
    const other = await database.createProject();
    await inTransaction(database.api, async (tx) => {
      await enterProject(tx, other);
      expect(await findObject(tx, projectId, object.id)).to.equal(null);
      expect(await lockObject(tx, projectId, object.id)).to.equal(null);
      const page = { sort: '-created_at' as const, after: null, limit: 10 };
      for (const filters of [{}, { createdAfter: new Date(0) }]) {
        const search = await prepareSearch(
          tx,
          { projectId, address: null, readsImages: true },
          filters,
        );
        expect(await listObjects(tx, search, page)).to.deep.equal([]);
        const wanted = { total: true, facets: true, months: true };
        expect(await countMatches(tx, search, wanted)).to.deep.equal({
          total: 0,
          facets: { mime: [], tag: [] },
          months: [],
        });
      }
    });
  });

  it('are listed by an index, not by a scan', async () => {
    await inProject(database.owner, projectId, (tx) =>
      tx.query(
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, created_at)
         SELECT 'obj_' || n, $1, 'available', 'f' || n, 'text/plain', n, repeat('b', 64), 'upload',
           now() - n * interval '1 s'
         FROM generate_series(1, 5000) n`,
        [projectId],
      ),
    );
    await database.owner.query('ANALYZE object');
    await inProject(database.api, projectId, async (tx) => {
      const plan = await tx.query(
        `EXPLAIN SELECT id FROM object WHERE project_id = $1 AND state <> 'trashed'
         AND (created_at, id) < (now(), 'obj_x'::text COLLATE "C")
         ORDER BY created_at DESC, id DESC LIMIT 50`,
        [projectId],
      );
      const text = plan.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      expect(text).to.include('object_newest');
      expect(text).not.to.include('Sort');
    });
  });

  it('are filtered by each kind of source with an index', async () => {
    const projectId = await database.createProject();
    await inProject(database.owner, projectId, async (tx) => {
      const project = [projectId];
      await tx.query(
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, derived_from, created_at)
         SELECT 'obj_' || n, $1, 'available', 'f' || n, 'text/plain', n, repeat('b', 64),
           CASE n % 100 WHEN 0 THEN 'job' ELSE 'upload' END,
           CASE n % 100 WHEN 0 THEN 'obj_' || (n - 1) END, now() - n * interval '1 s'
         FROM generate_series(1, 5000) n`,
        project,
      );
      await tx.query(
        `INSERT INTO job (id, project_id, state, source_object_id, origin)
         SELECT 'job_' || n, $1, 'succeeded', 'obj_' || n, '{}' FROM generate_series(1, 1000) n`,
        project,
      );
      await tx.query(
        `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
         SELECT $1, 'job_' || n, 0, 'ocr', '{}', 'succeeded' FROM generate_series(1, 1000) n`,
        project,
      );
      await tx.query(
        `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
         SELECT $1, 'job_' || n, 0, CASE n % 100 WHEN 0 THEN 'words' ELSE 'text' END, 'obj_' || n
         FROM generate_series(1, 1000) n`,
        project,
      );
    });
    await database.owner.query('ANALYZE object');
    await database.owner.query('ANALYZE job_output');
    const page = { sort: '-created_at', after: null, limit: 50 } as const;
    await inProject(database.api, projectId, async (tx) => {
      const list = async (filters: ObjectFilters) =>
        listObjects(
          tx,
          await prepareSearch(tx, { projectId, address: null, readsImages: true }, filters),
          page,
        );
      expect((await list({ derivedFrom: 'obj_99' })).map(({ id }) => id)).to.deep.equal([
        'obj_100',
      ]);
      expect(await list({ source: 'job' })).to.have.length(50);
      expect(await list({ kind: ['words'] })).to.have.length(10);
      for (const [condition, index] of [
        [`derived_from = 'obj_99'`, 'object_derived'],
        [`source_kind = 'job'`, 'object_source'],
        [
          `id IN (SELECT object_id FROM job_output WHERE project_id = $1 AND kind = ANY('{words}'))`,
          'job_output_kind',
        ],
      ] as const) {
        const plan = await tx.query(
          `EXPLAIN SELECT id FROM object WHERE project_id = $1 AND state <> 'trashed' AND ${condition}
           ORDER BY created_at DESC, id DESC LIMIT 50`,
          [projectId],
        );
        const text = plan.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
        expect(text).to.include(index);
      }
    });
  });

  it('of a rare type are found by an index, and their sources one by one', async () => {
    const projectId = await database.createProject();
    await inProject(database.owner, projectId, (tx) =>
      tx.query(
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind,
           derived_from, created_at)
         SELECT 'obj_' || n, $1, 'available', 'f' || n,
           CASE n % 500 WHEN 0 THEN 'application/rtf' ELSE 'text/plain' END, n, 's', 'upload',
           CASE n % 4 WHEN 0 THEN 'obj_' || (n - 1) END, now() - n * interval '1 s'
         FROM generate_series(1, 5000) n`,
        [projectId],
      ),
    );
    await inProject(database.owner, projectId, (tx) =>
      tx.query(
        `INSERT INTO image (id, project_id, object_id, processing, location)
         SELECT 'img_' || n, $1, 'obj_' || n, false,
           jsonb_build_object('latitude', n % 90, 'longitude', n % 180)
         FROM generate_series(1, 2000) n`,
        [projectId],
      ),
    );
    await database.owner.query('ANALYZE object, image, image_place');
    await inProject(database.api, projectId, async (tx) => {
      const planOf = async (filters: ObjectFilters): Promise<string> => {
        const values: unknown[] = [];
        const search = await prepareSearch(
          tx,
          { projectId, address: null, readsImages: true },
          filters,
        );
        const plan = await tx.query(
          `EXPLAIN SELECT id FROM ${matchingObjectsSql(search, values)}
           ORDER BY created_at DESC, id DESC LIMIT 50`,
          values,
        );
        return plan.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      };
      const rare = await planOf({ mime: ['application/rtf'], originals: true });
      expect(rare).to.include('object_by_mime').and.not.include('Seq Scan');
      const page = await planOf({ originals: true });
      expect(page)
        .to.include('object_newest')
        .and.not.match(/Seq Scan|hashed/);
      const placed = await planOf({ originals: true, bbox: '-20,30,60,70' });
      expect(placed.slice(placed.indexOf('SubPlan')))
        .to.include('image_project_id_object_id_key')
        .and.not.include('Seq Scan');
    });
  });
});
