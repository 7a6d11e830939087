import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { expect } from 'chai';
import { Type } from 'typebox';
import { fingerprintOf } from '../../../src/access/idempotency.ts';
import { findKey } from '../../../src/access/keys/read.ts';
import { created, stream } from '../../../src/api/frame/reply.ts';
import { streamRoute } from '../../../src/api/frame/route.ts';
import { query } from '../../../src/db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

const size = strictObject({ bytes: Type.Integer() });
const hooks = {
  /** Called between the first check of the key and the handler's own transaction. */
  between: async (): Promise<void> => undefined,
  signal: undefined as AbortSignal | undefined,
};

const upload = streamRoute({
  method: 'POST',
  path: '/v1/test/uploads',
  operationId: 'testUpload',
  tag: 'Test',
  summary: 'Counts bytes.',
  scopes: ['objects:write'],
  consumes: ['application/octet-stream'],
  responses: { 201: size },
  handler: async (call) => {
    const chunks: Buffer[] = [];
    for await (const chunk of call.readable()) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    await hooks.between();
    return call.inProject((tx) =>
      call.idempotently(tx, fingerprintOf(bytes), async () => {
        await query(tx, 'INSERT INTO denial VALUES ($1, $2, $3, now())', [
          call.key.projectId,
          call.key.caller.id,
          `upload of ${bytes.length}`,
        ]);
        return created({ bytes: bytes.length }, '/v1/test/uploads/1');
      }),
    );
  },
});

const download = streamRoute({
  method: 'GET',
  path: '/v1/test/downloads/{id}',
  operationId: 'testDownload',
  tag: 'Test',
  summary: 'Sends bytes.',
  scopes: ['objects:read'],
  rate: 'none',
  params: { id: 'key' },
  produces: ['text/plain'],
  concurrency: 1,
  responses: { 200: null },
  load: (call) => findKey(call.tx, call.params.id),
  handler: async (call) => {
    hooks.signal = call.signal;
    await hooks.between();
    const source =
      call.resource.name === 'broken'
        ? Readable.from(
            (async function* () {
              yield 'half';
              throw new Error('the disk is gone');
            })(),
          )
        : Readable.from(['all ', 'of it']);
    return stream(200, source, { 'Content-Type': 'text/plain', ETag: '"sum"' });
  },
});

describe('streaming routes', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: [upload, download] });
  });
  beforeEach(() => {
    hooks.between = async () => undefined;
  });
  after(() => api.close());

  const send = (key: string, body: string, more: Record<string, string> = {}) =>
    api.call('POST', '/v1/test/uploads', {
      key,
      body,
      headers: { 'content-type': 'application/octet-stream', ...more },
    });

  it('accept bytes and wake the workers after the commit', async () => {
    const wakes = api.wakeCount();
    const answer = await send(api.key, 'x'.repeat(3_000_000));
    expect([answer.status, answer.json]).to.deep.equal([201, { bytes: 3_000_000 }]);
    expect(api.wakeCount()).to.equal(wakes + 1);
  });

  it('check the key again in the transaction', async () => {
    const issued = await api.issue(['objects:write']);
    hooks.between = async () => {
      await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [issued.keyId]);
    };
    const answer = await send(issued.key, 'abc');
    expect(answer.json.code).to.equal('api_key_revoked');
    const rows = await api.rows('SELECT FROM denial WHERE key_id = $1', [issued.keyId]);
    expect(rows.length).to.equal(0);
  });

  it('honour an Idempotency-Key after the bytes', async () => {
    const headers = { 'idempotency-key': 'up' };
    expect((await send(api.key, 'abcd', headers)).status).to.equal(201);
    const again = await send(api.key, 'abcd', headers);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.json).to.deep.equal({ bytes: 4 });
    expect((await send(api.key, 'other', headers)).json.code).to.equal('idempotency_key_reused');
    const rows = await api.rows(`SELECT FROM denial WHERE code = 'upload of 4'`);
    expect(rows.length).to.equal(1);
  });

  it("return bytes, or 304 if the client's are current", async () => {
    const path = `/v1/test/downloads/${api.keyId}`;
    const answer = await api.call('GET', path);
    expect(answer.text).to.equal('all of it');
    expect(answer.headers.get('content-type')).to.equal('text/plain');
    const known = await api.call('GET', path, { headers: { 'if-none-match': '"sum"' } });
    expect([known.status, known.text]).to.deep.equal([304, '']);
    const head = await api.call('HEAD', path);
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect((await api.call('GET', '/v1/test/downloads/key_x')).json.detail).to.equal(
      "The key 'key_x' was not found.",
    );
  });

  it('look aborted after an error, not finished', async () => {
    const { keyId } = await api.issue(['objects:read']);
    await api.rows(`UPDATE api_key SET name = 'broken' WHERE id = $1`, [keyId]);
    const outcome = await api.call('GET', `/v1/test/downloads/${keyId}`).then(
      (answer) => answer.status,
      () => 'broken off',
    );
    expect(outcome).to.equal('broken off');
    expect((await api.call('GET', '/healthz')).status).to.equal(200);
  });

  it('are notified when the client disconnects, and are limited per key', async () => {
    const path = `/v1/test/downloads/${api.keyId}`;
    const opened = new Promise<void>((reached) => {
      hooks.between = () =>
        new Promise((resolve) => {
          reached();
          hooks.signal!.addEventListener('abort', () => resolve());
        });
    });
    const client = request(api.url + path, {
      headers: {
        authorization: `Bearer ${api.key}`,
        'x-service-project-id': api.projectId,
      },
    });
    client.on('error', () => undefined);
    client.end();
    await opened;
    const second = await api.call('GET', path);
    expect([second.status, second.json.code]).to.deep.equal([429, 'rate_limited']);
    const signal = hooks.signal!;
    const aborted = once(signal, 'abort');
    client.destroy();
    await aborted;
    hooks.between = async () => undefined;
    expect((await api.call('GET', path)).status).to.equal(200);
  });
});
