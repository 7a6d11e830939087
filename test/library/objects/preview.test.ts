import { tmpdir } from 'node:os';
import { createEngines, type Engines } from '@scriptorium/documents';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { drawPreview } from '../../../src/library/objects/arrival/preview.ts';
import { readObject } from '../../../src/library/objects/arrival/read-text.ts';
import { takeDueTasks } from '../../../src/outbox/relay/due-task-queries.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { docx, paragraph, run } from '../../support/office.ts';
import { addPolicy } from '../../support/policies.ts';
import { bornDigitalPdf, imageOf } from '../../support/samples.ts';
import { takeTask } from '../../support/tasks.ts';
import { postRaw, type RawResponse, sendRaw } from '../../support/uploads.ts';

describe('previews of new documents', () => {
  let api: TestApi;
  let worker: Database;
  let imaging: TestImaging;
  let engines: Engines;
  before(async () => {
    api = await startApi();
    worker = await openDatabase(api.database.workerUrl);
    imaging = await openImaging(api);
    engines = createEngines({ processes: 1, memoryBytes: 1024 * 2 ** 20, tmpDir: tmpdir() });
  });
  after(async () => {
    await engines.close();
    await imaging.close();
    await worker.destroy();
    await api.close();
  });
  afterEach(() => api.rows('DELETE FROM policy'));

  const upload = async (bytes: Buffer, name: string): Promise<string> =>
    (await postRaw(api, bytes, name)).json.id;
  const deps = () => ({ database: worker, storage: api.deps.storage, engines });
  const tasksOf = (id: string, kind: string) =>
    api.rows<{ id: string }>('SELECT id FROM task WHERE resource_id = $1 AND kind = $2', [
      id,
      kind,
    ]);
  /** Reads an object as the worker does; returns the tasks that draw its preview. */
  const read = async (id: string): Promise<string[]> => {
    const [task] = await tasksOf(id, 'object.read');
    if (task) await readObject(deps(), await takeTask<'object.read'>(worker, task.id));
    return (await tasksOf(id, 'object.preview')).map((one) => one.id);
  };
  const take = (taskId: string) => takeTask<'object.preview'>(worker, taskId);
  const rowsOf = (id: string) =>
    api.rows<{ variant: string; sha256: string | null; error: { code: string } | null }>(
      'SELECT variant, sha256, error FROM object_variant WHERE object_id = $1',
      [id],
    );
  const get = (id: string): Promise<RawResponse> =>
    sendRaw(api, 'GET', `/v1/objects/${id}/pages/1/image?width=480`, {});
  /** Engines that draw when they are told to. */
  const heldBack = () => {
    let [draw, begin] = [() => {}, () => {}];
    const drawn = new Promise<void>((resolve) => {
      draw = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const held: Engines = {
      ...engines,
      async drawPage(...call) {
        begin();
        await drawn;
        return engines.drawPage(...call);
      },
    };
    return { engines: held, begun, draw };
  };

  for (const [name, bytes] of [
    ['a PDF', () => bornDigitalPdf([['First'], ['Second']])],
    ['an Office file', async () => Buffer.from(docx(paragraph(run('Minutes'))))],
    ['a text', async () => Buffer.from('The tide comes in.')],
  ] as const) {
    it(`are drawn for ${name} without a request`, async () => {
      const id = await upload(await bytes(), name === 'a text' ? 'a.txt' : 'a');
      const [task] = await read(id);
      await drawPreview(deps(), await take(task!));
      expect(await rowsOf(id)).to.have.length(1);
      const { status, headers } = await get(id);
      expect([status, headers['content-type']]).to.deep.equal([200, 'image/webp']);
      expect(await tasksOf(id, 'object.draw')).to.have.length(0);
    });
  }

  it('are left to a request that came first', async () => {
    const id = await upload(Buffer.from('Asked for at once.'), 'asked.txt');
    const [task] = await read(id);
    const waiting = get(id);
    await eventually(async () => ((await tasksOf(id, 'object.draw')).length > 0 ? true : null));
    await drawPreview(deps(), await take(task!));
    expect((await rowsOf(id))[0]).to.include({ sha256: null, error: null });
    await imaging.run();
    expect((await waiting).status).to.equal(200);
  });

  it('are not drawn again by a request that comes while they are drawn', async () => {
    const id = await upload(Buffer.from('Nearly there.'), 'nearly.txt');
    const [task] = await read(id);
    const held = heldBack();
    const drawing = drawPreview({ ...deps(), engines: held.engines }, await take(task!));
    await held.begun;
    const before = api.wakeCount();
    const waiting = get(id);
    await eventually(async () => api.wakeCount() > before);
    held.draw();
    await drawing;
    expect((await waiting).status).to.equal(200);
    expect(await tasksOf(id, 'object.draw')).to.have.length(0);
  });

  it('are drawn by the next worker if one dies', async () => {
    const id = await upload(Buffer.from('Try again.'), 'again.txt');
    const [task] = await read(id);
    const held = heldBack();
    const lost = drawPreview({ ...deps(), engines: held.engines }, await take(task!));
    await held.begun;
    await api.rows(`UPDATE task SET state = 'pending', lease_until = NULL WHERE id = $1`, [task]);
    await drawPreview(deps(), await take(task!));
    expect((await get(id)).status).to.equal(200);
    held.draw();
    // The first one finds that the picture exists, and its task gone.
    await lost.catch(() => undefined);
    expect(await rowsOf(id)).to.have.length(1);
  });

  it('are not drawn while a policy denies reading or requires a redaction', async () => {
    for (const rule of [
      { type: 'allowed_mime_types', exclude: ['text/plain'] },
      { type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' },
    ]) {
      const id = await upload(Buffer.from('Not for everyone.'), `${rule.type}.txt`);
      const [task] = await read(id);
      await addPolicy(api, { actions: ['read'], rules: [rule] });
      await drawPreview(deps(), await take(task!));
      expect(await rowsOf(id), rule.type).to.have.length(0);
      const denials = `SELECT FROM event WHERE resource_id = $1 AND type LIKE 'dam.policy.%'`;
      expect(await api.rows(denials, [id])).to.have.length(0);
      await api.rows('DELETE FROM policy');
    }
  });

  it('are not drawn of what is in the trash, or was purged', async () => {
    for (const end of ['trash', 'purge']) {
      const id = await upload(Buffer.from('Soon gone.'), `${end}.txt`);
      const [task] = await read(id);
      if (end === 'trash') await api.call('DELETE', `/v1/objects/${id}`);
      else await api.rows('DELETE FROM object WHERE id = $1', [id]);
      await drawPreview(deps(), await take(task!));
      expect(await rowsOf(id), end).to.have.length(0);
      expect(await tasksOf(id, 'object.preview'), end).to.have.length(0);
    }
  });

  it('are not tried of files that cannot be read, images, and what was made from another', async () => {
    const damaged = await upload(Buffer.from('%PDF-1.7 and nothing else'), 'damaged.pdf');
    expect(await read(damaged)).to.deep.equal([]);
    expect(await read(await upload(await imageOf('png', ['A picture']), 'a.png'))).to.deep.equal(
      [],
    );
    expect(await read(await upload(await imageOf('tiff', ['A scan']), 'a.tiff'))).to.deep.equal([]);
    const output = await upload(Buffer.from('An output.'), 'output.txt');
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [output, damaged]);
    expect(await read(output)).to.deep.equal([]);
  });

  it('leave the reason of one that failed for the request', async () => {
    const id = await upload(Buffer.from('Fails.'), 'fails.txt');
    const [task] = await read(id);
    const failing: Engines = {
      ...engines,
      drawPage: () => Promise.reject(new EngineError('damaged', 'The file is damaged.')),
    };
    await drawPreview({ ...deps(), engines: failing }, await take(task!));
    expect((await get(id)).status).to.equal(409);
    expect(await tasksOf(id, 'object.draw')).to.have.length(0);
  });

  it('keep no project waiting for another, nor a request for its own project', async () => {
    const relay = await openDatabase(api.database.relayUrl);
    await api.rows('DELETE FROM task');
    await api.rows(
      `INSERT INTO worker (id, queue, slots, seen_at) VALUES ('w', 'imaging', 1, now() + interval '1 hour')`,
    );
    await api.rows(
      `INSERT INTO task (id, project_id, queue, kind, payload, due_at)
       SELECT 'tsk_' || gen_random_uuid(), $1, 'imaging', 'object.preview', '{"object_id": "obj_1"}',
         now() - interval '1 hour' + i * interval '1 millisecond'
       FROM generate_series(1, 10000) AS i`,
      [api.projectId],
    );
    const theirs = (await postRaw(api, 'Theirs.', 'theirs.txt', api.other)).json.id;
    const mine = await upload(Buffer.from('Mine.'), 'mine.txt');
    const waiting = get(mine);
    await eventually(async () => ((await tasksOf(mine, 'object.draw')).length > 0 ? true : null));
    // All that a worker with one slot has room for.
    const handed = await inTransaction(relay, (tx) =>
      takeDueTasks(tx, 'imaging', { max: 250, waiting: 0, active: 0 }),
    );
    const [draw] = await tasksOf(mine, 'object.draw');
    const [reading] = await tasksOf(theirs, 'object.read');
    expect(handed.map(({ id }) => id)).to.include.members([draw!.id, reading!.id]);
    await relay.destroy();
    await drawRequested(draw!.id);
    expect((await waiting).status).to.equal(200);
  });

  const drawRequested = async (taskId: string): Promise<void> => {
    const run = await takeTask<'object.draw'>(worker, taskId);
    await imaging.runTask(run);
  };
});
