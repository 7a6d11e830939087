import { EngineError } from '@scriptorium/documents';
import type { Imaging } from '@scriptorium/documents/imaging';
import { expect } from 'chai';
import sharp from 'sharp';
import { inProject, query } from '../../../src/db/transaction.ts';
import { purgeObject } from '../../../src/library/objects/ending/purge.ts';
import { LeaseLost } from '../../../src/outbox/lease-queries.ts';
import { schedule } from '../../../src/outbox/schedule.ts';
import type { TaskRun } from '../../../src/outbox/task-run.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { cameraExif, quarteredPicture } from '../../support/pictures.ts';
import { listTempFiles, postRaw } from '../../support/uploads.ts';

describe('image reading', () => {
  let api: TestApi;
  let worker: TestImaging;
  before(async () => {
    api = await startApi();
    worker = await openImaging(api);
  });
  after(async () => {
    await worker.close();
    await api.close();
  });

  const upload = async (bytes: Buffer, filename: string): Promise<string> => {
    const { status, json } = await postRaw(api, bytes, filename);
    expect(status).to.equal(201);
    const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
      json.id,
    ]);
    return image!.id;
  };
  const get = async (id: string) => (await api.call('GET', `/v1/images/${id}`)).json;
  let shade = 0;
  /** A picture that was never uploaded before. */
  const anyPicture = () =>
    sharp({
      create: { width: 30, height: 20, channels: 3, background: { r: ++shade, g: 9, b: 9 } },
    })
      .png()
      .toBuffer();
  const eventsOf = (id: string) =>
    api.rows<{ type: string; data: { changed: string[] }; actor_type: string }>(
      'SELECT type, data, actor_type FROM event WHERE resource_id = $1 ORDER BY id',
      [id],
    );
  const engineOf = (read: Imaging['read']): Imaging => ({
    read,
    stripMetadata: () => Promise.reject(new Error('Not called in this test.')),
    close: async () => undefined,
  });

  it('stores what it finds in one transaction with its event', async () => {
    const picture = await quarteredPicture(800, 500).withExif(cameraExif).jpeg().toBuffer();
    const id = await upload(picture, 'gate.jpg');
    const before = await get(id);
    expect(before).to.include({ processing: true, width: null, blurhash: null });
    expect(before.renditions).to.deep.equal({});
    await worker.run();
    const after = await get(id);
    expect(after).to.include({
      processing: false,
      error: null,
      width: 800,
      height: 500,
      orientation: 'landscape',
      captured_at: '2024-07-01T12:30:05.250Z',
      creator: 'Some Body',
      copyright: '(c) Ida Orr',
    });
    expect(after.camera.model).to.equal('Camera 1');
    expect(after.location.latitude).to.equal(52.5163028);
    expect(after.dominant_color).to.equal(after.palette[0]);
    expect(after.palette).to.have.length(4);
    expect(after.version).to.be.greaterThan(before.version);
    expect(Object.keys(after.renditions)).to.deep.equal(['thumb', 'w320', 'w640', 'w1280']);
    expect(after.renditions.w320).to.include({ width: 320, height: 200 });
    expect(after.renditions.w320.formats.map(({ mime }: { mime: string }) => mime)).to.deep.equal([
      'image/webp',
      'image/avif',
    ]);
    const [created, updated, ...more] = await eventsOf(id);
    expect([created!.type, updated!.type, more.length]).to.deep.equal([
      'dam.image.created',
      'dam.image.updated',
      0,
    ]);
    expect(updated!.data.changed).to.include.members(['width', 'location', 'renditions']);
    expect(JSON.stringify(updated)).not.to.match(/52\.5|13\.37|ACME/);
    expect(updated!.actor_type).to.equal('system');
    expect(await listTempFiles(api)).to.deep.equal([]);
  });

  it('fills in the title and the rating that a picture has, unless a client did', async () => {
    const described = (height: number) =>
      quarteredPicture(90, height)
        .withXmp(
          '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><rdf:Description xmp:Rating="4"><dc:title>Crane at dusk</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>',
        )
        .jpeg()
        .toBuffer();
    const id = await upload(await described(61), 'dusk.jpg');
    await worker.run();
    expect(await get(id)).to.include({ title: 'Crane at dusk', rating: 4 });
    const [, updated] = await eventsOf(id);
    expect(updated!.data.changed).to.include.members(['title', 'rating']);
    expect(JSON.stringify(updated)).not.to.contain('dusk');

    const named = await upload(await described(62), 'dawn.jpg');
    const { version } = await get(named);
    await api.call('PATCH', `/v1/images/${named}`, {
      headers: { 'if-match': `"${version}"`, 'content-type': 'application/merge-patch+json' },
      body: { title: 'Crane at dawn' },
    });
    await worker.run();
    expect(await get(named)).to.include({ title: 'Crane at dawn', rating: 4 });
    const changed = (await eventsOf(named)).at(-1)!.data.changed;
    expect(changed).to.include('rating').and.not.to.include('title');
  });

  it('makes what it finds searchable', async () => {
    const id = await upload(await quarteredPicture(1234, 77).png().toBuffer(), 'wide.png');
    await worker.run();
    const [row] = await api.rows<{ width: number; orientation: string }>(
      'SELECT width, orientation FROM image_index WHERE image_id = $1',
      [id],
    );
    expect(row).to.deep.equal({ width: 1234, orientation: 'landscape' });
  });

  it('reports why an image cannot be read, and reads the next', async () => {
    const whole = await quarteredPicture(600, 400).jpeg().toBuffer();
    const broken = await upload(whole.subarray(0, whole.length / 2), 'broken.jpg');
    const good = await upload(await anyPicture(), 'good.png');
    await worker.run();
    const told = await get(broken);
    expect(told).to.include({ processing: false, width: null });
    expect(told.error).to.deep.equal({
      code: 'damaged',
      message: 'The image is damaged and cannot be read.',
      retryable: false,
    });
    const [, updated] = await eventsOf(broken);
    expect(updated!.data.changed).to.deep.equal(['processing', 'error']);
    expect(await get(good)).to.include({ processing: false, error: null, width: 30 });
  });

  it('stores no metadata that would break the database', async () => {
    const exif = { IFD0: { Make: 'A\u0001B', Model: `${'M'.repeat(3_000)}` } };
    const picture = await quarteredPicture(30, 20).withExif(exif).jpeg().toBuffer();
    const id = await upload(picture, 'strange.jpg');
    await worker.run();
    const { camera } = await get(id);
    expect([camera.make, camera.model.length]).to.deep.equal(['A B', 100]);
  });

  it('reads an image in the trash, since it may be restored', async () => {
    const id = await upload(await anyPicture(), 'trashed.png');
    await api.call('DELETE', `/v1/images/${id}`);
    await worker.run();
    expect(await get(id)).to.include({ state: 'trashed', processing: false, width: 30 });
    await api.call('POST', `/v1/images/${id}/restore`);
    const answer = await api.call('GET', `/v1/images/${id}/renditions/thumb`);
    expect(answer.status).to.equal(200);
  });

  it('skips an image that was purged before or during the reading', async () => {
    const purge = async (id: string): Promise<void> => {
      await api.call('DELETE', `/v1/images/${id}`);
      const { object_id: objectId } = await get(id);
      await api.rows(
        `UPDATE object SET trashed_at = now() - interval '31 days' WHERE id = $1 RETURNING id`,
        [objectId],
      );
      const run = {
        task: { projectId: api.projectId, payload: { object_id: objectId } },
        finish: (lock, work) =>
          inProject(worker.database, api.projectId, async (tx) => work(tx, await lock(tx))),
      } as TaskRun<'object.purge'>;
      await purgeObject({}, run);
      expect((await api.call('GET', `/v1/images/${id}`)).status).to.equal(404);
    };
    const first = await upload(await anyPicture(), 'purged.png');
    await purge(first);
    await worker.run();

    const second = await upload(await anyPicture(), 'purged-later.png');
    const slow = await openImaging(
      api,
      engineOf(async (...given) => {
        await purge(second);
        return worker.imaging.read(...given);
      }),
    );
    try {
      await slow.run();
    } finally {
      await slow.close();
    }
    const left = await api.rows(
      `SELECT id FROM task WHERE queue = 'imaging'
       UNION ALL SELECT image_id FROM rendition WHERE image_id = ANY($1)
       UNION ALL SELECT id FROM event WHERE type = 'dam.image.updated' AND resource_id = ANY($1)`,
      [[first, second]],
    );
    expect(left).to.deep.equal([]);
  });

  it('reads an image once, however often it is requested', async () => {
    const id = await upload(await anyPicture(), 'once.png');
    await worker.run();
    const { version } = await get(id);
    await inProject(worker.database, api.projectId, (tx) =>
      schedule(tx, api.projectId, id, { kind: 'image.read', payload: { image_id: id } }),
    );
    await worker.run();
    expect((await get(id)).version).to.equal(version);
    expect(await eventsOf(id)).to.have.length(2);
  });

  it('stores nothing from a worker that lost its lease', async () => {
    const id = await upload(await anyPicture(), 'late.png');
    const run = (await worker.claim())!;
    await api.rows(`UPDATE task SET lease_epoch = lease_epoch + 1 RETURNING id`);
    const lost = await worker.runTask(run).then(
      () => null,
      (error: unknown) => error,
    );
    expect(lost).to.be.an.instanceOf(LeaseLost);
    expect(await get(id)).to.include({ processing: true, width: null });
    await api.rows(`UPDATE task SET state = 'pending' RETURNING id`);
    await worker.run();
    expect(await get(id)).to.include({ processing: false, width: 30 });
  });

  it('fails, and nothing else does, when its connection is cut while it waits for a lock', async () => {
    const id = await upload(await anyPicture(), 'cut.png');
    const run = (await worker.claim())!;
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const failure = await inProject(worker.database, api.projectId, async (tx) => {
        const key = [api.projectId, id];
        await query(tx, 'SELECT FROM image WHERE project_id = $1 AND id = $2 FOR UPDATE', key);
        const working = worker.runTask(run).then(
          () => null,
          (error: unknown) => error,
        );
        await eventually(async () => {
          const cut = await api.rows(
            `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return cut.length > 0;
        });
        return working;
      });
      expect(failure).to.include({ code: '57P01' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(await get(id)).to.include({ processing: true, width: null });
    await api.rows(`UPDATE task SET state = 'pending' RETURNING id`);
    await worker.run();
    expect(await get(id)).to.include({ processing: false, width: 30 });
  });

  it('leaves temporary errors to the runtime, and reports the last attempt', async () => {
    const id = await upload(await anyPicture(), 'slow.png');
    const failing = await openImaging(
      api,
      engineOf(() => Promise.reject(new EngineError('crashed', 'The engine stopped.'))),
    );
    try {
      const run = (await failing.claim())!;
      const error = await failing.runTask(run).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ code: 'crashed' });
      expect((await get(id)).processing).to.equal(true);
      run.task.crashes = 2;
      await failing.runTask(run);
    } finally {
      await failing.close();
    }
    const told = await get(id);
    expect(told.processing).to.equal(false);
    expect(told.error).to.include({ code: 'crashed', retryable: true });
  });

  it('marks an image as failed after it crashed every worker', async () => {
    const id = await upload(await anyPicture(), 'deadly.png');
    await worker.giveUp((await worker.claim())!);
    const told = await get(id);
    expect(told.processing).to.equal(false);
    expect(told.error).to.include({ code: 'gave_up', retryable: true });
  });

  it('does not block concurrent edits, and loses no change', async () => {
    const id = await upload(await anyPicture(), 'busy.png');
    const edits = Array.from({ length: 10 }, (_, at) =>
      api.call('PATCH', `/v1/images/${id}`, { body: { add_tags: [`tag${at}`] } }),
    );
    const [answers] = await Promise.all([Promise.all(edits), worker.run()]);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    const image = await get(id);
    expect(image.tags).to.have.length(10);
    expect(image).to.include({ processing: false, width: 30 });
  });

  it('keeps the pictures of projects apart', async () => {
    const id = await upload(await anyPicture(), 'mine.png');
    await worker.run();
    const rows = await inProject(worker.database, api.other.projectId, (tx) =>
      query(tx, 'SELECT image_id FROM rendition', []),
    );
    expect(rows).to.deep.equal([]);
    const theirs = await api.call('GET', `/v1/images/${id}/renditions/thumb`, api.other);
    expect(theirs.status).to.equal(404);
  });
});
