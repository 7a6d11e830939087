import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { purgeObject } from '../../src/library/objects/ending/purge.ts';
import { sweepProject } from '../../src/workers/sweep.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { takeTask } from '../support/tasks.ts';
import { hashOf, postRaw } from '../support/uploads.ts';

describe('removal of stored bytes', () => {
  let api: TestApi;
  let worker: Database;
  before(async () => {
    api = await startApi();
    worker = await openDatabase(api.database.workerUrl, { poolSize: 4 });
  });
  after(async () => {
    await worker.destroy();
    await api.close();
  });

  const taskOf = async (kind: TaskKind, resourceId: string): Promise<string> => {
    const [task] = await api.rows<{ id: string }>(
      'SELECT id FROM task WHERE kind = $1 AND resource_id = $2',
      [kind, resourceId],
    );
    return task!.id;
  };
  const sweep = async (graceMs?: number) => {
    const { storage } = api.deps;
    const run = await takeTask<'project.sweep'>(
      worker,
      await taskOf('project.sweep', api.projectId),
    );
    await sweepProject({ database: worker, storage }, run, graceMs);
  };
  const isThere = async (sha256: string) =>
    (await api.deps.storage.stat(api.projectId, sha256)) !== null;
  const upload = async (bytes: string, filename: string): Promise<string> =>
    (await postRaw(api, bytes, filename)).json.id;
  /** Trashes an object through the API, then purges it as if its retention were over. */
  const purge = async (id: string) => {
    expect((await api.call('DELETE', `/v1/objects/${id}`)).status).to.equal(204);
    await api.rows(`UPDATE object SET trashed_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await purgeObject({}, await takeTask(worker, await taskOf('object.purge', id)));
    expect((await api.call('GET', `/v1/objects/${id}`)).status).to.equal(404);
  };

  it('happens in the sweep after the last object with these bytes is purged', async () => {
    const sha256 = hashOf('shared by two');
    const [one, two] = [
      await upload('shared by two', 'one.txt'),
      await upload('shared by two', 'two.txt'),
    ];
    await purge(one);
    await sweep(0);
    expect((await api.call('GET', `/v1/objects/${two}/content`)).text).to.equal('shared by two');
    await purge(two);
    expect(await isThere(sha256)).to.equal(true);
    await sweep();
    // Nothing is removed within the grace period.
    expect(await isThere(sha256)).to.equal(true);
    await sweep(0);
    expect(await isThere(sha256)).to.equal(false);
  });

  it('includes renditions and variants with their object', async () => {
    const id = await upload('a picture', 'picture.txt');
    const parts = ['thumb', 'stripped'];
    for (const part of parts) await upload(part, `${part}.txt`);
    const image = 'img_01jd00000000000000000000aa';
    const key = [api.projectId, id];
    await api.rows('INSERT INTO image (id, project_id, object_id) VALUES ($3, $1, $2)', [
      ...key,
      image,
    ]);
    await api.rows(
      `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
       VALUES ($1, $2, 'thumb', 'image/webp', $3, 5, 1, 1)`,
      [api.projectId, image, hashOf('thumb')],
    );
    await api.rows(
      `INSERT INTO object_variant (project_id, object_id, variant, sha256, bytes)
       VALUES ($1, $2, 'strip:gps', $3, 8)`,
      [...key, hashOf('stripped')],
    );
    await api.rows(`DELETE FROM object WHERE filename IN ('thumb.txt', 'stripped.txt')`);
    await sweep(0);
    for (const part of parts) expect(await isThere(hashOf(part)), part).to.equal(true);
    await purge(id);
    await sweep(0);
    for (const part of [...parts, 'a picture']) expect(await isThere(hashOf(part))).to.equal(false);
  });

  it('repeats daily', async () => {
    const chain = () =>
      api.rows<{ project_id: string; id: string; late: boolean }>(
        `SELECT project_id, id, due_at > now() + interval '23 hours' AS late
         FROM task WHERE kind = 'project.sweep' ORDER BY project_id`,
      );
    const projects = [api.projectId, api.other.projectId].sort();
    const tasks = await chain();
    expect(tasks.map(({ project_id }) => project_id)).to.deep.equal(projects);
    expect(tasks.every(({ late }) => late)).to.equal(true);
  });
});
