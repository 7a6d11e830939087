import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import sharp from 'sharp';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { emptyRows, png, quarteredPicture } from '../support/pictures.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { listTempFiles, postRaw } from '../support/uploads.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('the imaging worker', () => {
  let api: TestApi;
  let server: TestRedis;
  let databases: Database[];
  let workers: TestWorkers;
  before(async () => {
    api = await startApi();
    server = await startPrivateRedis();
    const [worker, relay] = await Promise.all([
      openDatabase(api.database.workerUrl),
      openDatabase(api.database.relayUrl),
    ]);
    databases = [worker, relay];
    workers = await prepareWorkers({ worker, relay }, server.url);
    workers.deps.storage = api.deps.storage;
    workers.start('relay', 'imaging');
  });
  after(async () => {
    await workers.stop();
    for (const database of databases) await database.destroy();
    await server.remove();
    await api.close();
  });

  const upload = async (bytes: Buffer, filename: string): Promise<string> => {
    const { status, json } = await postRaw(api, bytes, filename);
    expect(status, filename).to.equal(201);
    const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
      json.id,
    ]);
    return image!.id;
  };
  const read = (id: string) =>
    eventually(async () => {
      const { json } = await api.call('GET', `/v1/images/${id}`);
      return json.processing ? null : json;
    });

  it('reads valid pictures among hostile ones', async () => {
    const good = await quarteredPicture(90, 60).jpeg().toBuffer();
    const uploads = {
      'good.jpg': good,
      'flood.png': png({ width: 50_000, height: 50_000 }, emptyRows(10, 10)),
      'cut.jpg': good.subarray(0, good.length - 200),
      'page.jpg': Buffer.concat([good, Buffer.from('<script>alert(1)</script>')]),
      'drawing.svg': Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
      ),
      '../../etc/name.png': await sharp(good).png().toBuffer(),
    };
    const ids = new Map<string, string>();
    for (const [name, bytes] of Object.entries(uploads)) ids.set(name, await upload(bytes, name));
    const told: Record<string, string | null> = {};
    for (const [name, id] of ids) {
      const { error, width } = await read(id);
      told[name] = error ? error.code : `${width}`;
    }
    expect(told).to.deep.equal({
      'good.jpg': '90',
      'flood.png': 'too_many_pixels',
      'cut.jpg': 'damaged',
      'page.jpg': '90',
      'drawing.svg': '9',
      '../../etc/name.png': '90',
    });
    const next = await upload(await quarteredPicture(40, 50).webp().toBuffer(), 'next.webp');
    expect(await read(next)).to.include({ width: 40, error: null });
    await eventually(
      async () => (await api.rows(`SELECT id FROM task WHERE queue = 'imaging'`)).length === 0,
    );
    expect(await listTempFiles(api)).to.deep.equal([]);
    const names = await readdir(api.storageRoot, { recursive: true });
    const strange = names.filter(
      (name) => !/^(\.tmp|prj_\w{26}(\/[0-9a-f]{2}){0,2}(\/[0-9a-f]{64})?)$/.test(name),
    );
    expect(strange).to.deep.equal([]);
  });
});
