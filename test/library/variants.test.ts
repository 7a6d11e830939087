import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import sharp from 'sharp';
import { inProject } from '../../src/db/transaction.ts';
import { findVariant, requestVariant, strippedVariant } from '../../src/library/variants.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { openImaging, type TestImaging } from '../support/imaging.ts';
import { cameraExif, placeBytes, quarteredPicture } from '../support/pictures.ts';
import { hashOf, postRaw } from '../support/uploads.ts';

describe('variants of objects', () => {
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

  const upload = async (bytes: Buffer | string, filename: string): Promise<string> =>
    (await postRaw(api, bytes, filename)).json.id;
  const ask = (objectId: string) =>
    inProject(api.deps.database, api.projectId, (tx) =>
      requestVariant(tx, api.projectId, objectId, strippedVariant(objectId, 'strip:gps')),
    );
  const find = (objectId: string) =>
    inProject(api.deps.database, api.projectId, (tx) =>
      findVariant(tx, api.projectId, objectId, 'strip:gps'),
    );
  const tasks = (objectId: string) =>
    api.rows(`SELECT id FROM task WHERE kind = 'object.strip' AND resource_id = $1`, [objectId]);
  const bytesOf = async (sha256: string): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await api.deps.storage.open(api.projectId, sha256)) {
      chunks.push(Buffer.from(chunk));
    }
    return Buffer.concat(chunks);
  };

  it('are made once, however many ask, and hold no place', async () => {
    const picture = await quarteredPicture(60, 40).withExif(cameraExif).jpeg().toBuffer();
    const id = await upload(picture, 'gate.jpg');
    expect(await find(id)).to.equal(null);
    await Promise.all(Array.from({ length: 8 }, () => ask(id)));
    expect(await tasks(id)).to.have.length(1);
    expect(await find(id)).to.include({ sha256: null, error: null });
    await worker.run();
    const made = (await find(id))!;
    const bytes = await bytesOf(made.sha256!);
    expect([bytes.length, hashOf(bytes)]).to.deep.equal([made.bytes, made.sha256]);
    for (const trace of placeBytes) expect(bytes.includes(trace)).to.equal(false);
    const [before, after] = await Promise.all(
      [picture, bytes].map((each) => sharp(each).raw().toBuffer()),
    );
    expect(after!.equals(before!)).to.equal(true);
    await ask(id);
    expect(await tasks(id)).to.have.length(0);
    const original = await api.call('GET', `/v1/objects/${id}`);
    expect(original.json.sha256).to.equal(hashOf(picture));
  });

  it('say why they cannot be made, and are not tried again for that', async () => {
    const picture = await quarteredPicture(60, 40).jpeg().toBuffer();
    const id = await upload(picture.subarray(0, 200), 'broken.jpg');
    await ask(id);
    await worker.run();
    expect((await find(id))!.error).to.include({ code: 'damaged', retryable: false });
    await ask(id);
    expect(await tasks(id)).to.have.length(0);
  });

  it('are tried again when the reason may have passed', async () => {
    const id = await upload(await quarteredPicture(20, 20).png().toBuffer(), 'later.png');
    await ask(id);
    const failing = await openImaging(api, {
      read: () => Promise.reject(new Error('not asked for')),
      stripMetadata: () => Promise.reject(new EngineError('deadline_exceeded', 'Too slow.')),
      close: async () => undefined,
    });
    let run = await failing.claim();
    // Images of these uploads wait in the same queue.
    while (run!.task.kind !== 'object.strip') {
      await worker.runTask(run!);
      run = await failing.claim();
    }
    run!.task.crashes = 2;
    await failing.runTask(run!);
    await failing.close();
    expect((await find(id))!.error).to.include({ code: 'deadline_exceeded', retryable: true });
    await ask(id);
    expect(await find(id)).to.include({ sha256: null, error: null });
    await worker.run();
    expect((await find(id))!.sha256).to.match(/^[0-9a-f]{64}$/);
  });

  it('of what is not an image are rejected with a reason', async () => {
    const id = await upload('just text', 'a.txt');
    await ask(id);
    await worker.run();
    expect((await find(id))!.error).to.include({ code: 'unsupported', retryable: false });
  });
});
