import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { chooseCoding } from '../../../src/api/frame/responses/send.ts';
import { propertiesOf } from '../../../src/api/openapi/schemas.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { openRelay } from '../../support/relay.ts';

interface Received {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
  /** The decompressed text. */
  text: string;
}

describe('compressed responses', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const relay = await openRelay(api);
    const events: NewEvent[] = Array.from({ length: 450 }, () => ({
      type: 'dam.object.trashed',
      resourceId: newId('object'),
      data: {},
    }));
    await relay.record(api.projectId, ...events);
    await relay.run();
    await relay.close();
  });
  after(() => api.close());

  /** Below `fetch`, which requests compression and undoes it by itself. */
  const ask = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ) =>
    new Promise<Received>((resolve, reject) => {
      const login = {
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
      };
      const sent = request(api.url + path, { method, headers: { ...login, ...headers } }, (got) => {
        const pieces: Buffer[] = [];
        got.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        got.on('end', () => {
          const bytes = Buffer.concat(pieces);
          const names = ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'];
          const all = Object.fromEntries(
            [...names, 'idempotent-replayed'].map((name) => [name, got.headers[name]?.toString()]),
          );
          const coding = bytes.length > 0 ? all['content-encoding'] : undefined;
          const plain =
            coding === 'br'
              ? brotliDecompressSync(bytes)
              : coding === 'gzip'
                ? gunzipSync(bytes)
                : bytes;
          resolve({ status: got.statusCode ?? 0, headers: all, bytes, text: plain.toString() });
        });
      });
      sent.on('error', reject).end(body);
    });
  const accept = (coding: string) => ({ 'Accept-Encoding': coding });

  it('use the encoding that the client prefers, and set Vary', async () => {
    const plain = await ask('GET', '/v1/event-types');
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(plain.headers.vary).to.equal('Accept-Encoding');
    for (const [header, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.2, gzip;q=0.8', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['deflate, zstd', undefined],
    ] as const) {
      const got = await ask('GET', '/v1/event-types', accept(header));
      expect(got.headers['content-encoding'], header).to.equal(coding);
      expect(got.headers.vary, header).to.equal('Accept-Encoding');
      expect(got.headers['content-length'], header).to.equal(String(got.bytes.length));
      expect(got.text, header).to.equal(plain.text);
      if (coding) expect(got.bytes.length, header).to.be.lessThan(plain.bytes.length / 2);
    }
  });

  it('respect quality values', () => {
    const cases: [string, string | null, boolean][] = [
      ['', null, true],
      ['gzip;q=0', null, true],
      ['gzip;q=0, *', 'br', true],
      ['br;q=0, *;q=0.5', 'gzip', true],
      ['identity;q=0', null, false],
      ['identity;q=0, gzip;q=0.1', 'gzip', false],
      ['gzip, *;q=0', 'gzip', false],
      ['identity, gzip;q=0.5', null, true],
      ['GZIP ; Q=0.5', 'gzip', true],
      ['gzip;q=x, br;q=', null, true],
      [',,;q=1,', null, true],
    ];
    for (const [header, coding, plainAllowed] of cases) {
      expect(chooseCoding(header), header).to.deep.equal({ coding, plainAllowed });
    }
  });

  it('leave a short body uncompressed, unless the client rejects that', async () => {
    const short = await ask('GET', '/v1/keys/self', accept('gzip'));
    expect([short.status, short.headers['content-encoding']]).to.deep.equal([200, undefined]);
    const strict = await ask('GET', '/v1/keys/self', accept('gzip, identity;q=0'));
    expect(strict.headers['content-encoding']).to.equal('gzip');
    expect(strict.text).to.equal(short.text);
  });

  it('include problems', async () => {
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field_${at}`, at]));
    const body = JSON.stringify(fields);
    const got = await ask('POST', '/v1/collections', accept('br'), body);
    expect([got.status, got.headers['content-encoding']]).to.deep.equal([422, 'br']);
    expect(got.headers['content-type']).to.equal('application/problem+json');
    expect(JSON.parse(got.text).errors).to.have.length.greaterThan(50);
  });

  it('keep the ETag, which still identifies the version', async () => {
    const body = JSON.stringify({ name: 'c', description: 'long '.repeat(500) });
    const made = await ask('POST', '/v1/collections', accept('gzip'), body);
    expect([made.status, made.headers['content-encoding']]).to.deep.equal([201, 'gzip']);
    const path = `/v1/collections/${JSON.parse(made.text).id}`;
    const { etag = '' } = (await ask('GET', path, accept('br'))).headers;
    expect(etag).to.equal((await ask('GET', path)).headers.etag);

    const known = await ask('GET', path, { ...accept('br'), 'If-None-Match': etag });
    expect([known.status, known.bytes.length]).to.deep.equal([304, 0]);
    expect(known.headers['content-encoding']).to.equal(undefined);
    const change = { ...accept('gzip'), 'If-Match': etag };
    expect((await ask('PATCH', path, change, '{"name":"d"}')).status).to.equal(200);
    expect((await ask('PATCH', path, change, '{"name":"e"}')).status).to.equal(412);
    const gone = await ask('DELETE', path, accept('gzip, identity;q=0'));
    expect([gone.status, gone.headers['content-encoding']]).to.deep.equal([204, undefined]);
  });

  it('include replays, in the encoding that the replay requests', async () => {
    const body = JSON.stringify({ name: 'r', description: 'long '.repeat(500) });
    const headers = { 'Idempotency-Key': 'compressed' };
    const first = await ask('POST', '/v1/collections', { ...headers, ...accept('br') }, body);
    const again = await ask('POST', '/v1/collections', { ...headers, ...accept('gzip') }, body);
    const plain = await ask('POST', '/v1/collections', headers, body);
    expect([first, again, plain].map((one) => one.headers['content-encoding'])).to.deep.equal([
      'br',
      'gzip',
      undefined,
    ]);
    expect([again, plain].map((one) => one.headers['idempotent-replayed'])).to.deep.equal([
      'true',
      'true',
    ]);
    expect([again.text, plain.text]).to.deep.equal([first.text, first.text]);
  });

  it('have the same headers for HEAD, and no body', async () => {
    for (const [path, more] of [
      ['/v1/event-types', {}],
      ['/v1/events', { Accept: 'application/x-ndjson' }],
    ] as const) {
      const headers = { ...accept('gzip'), ...more };
      const { headers: get } = await ask('GET', path, headers);
      const head = await ask('HEAD', path, headers);
      expect(head.bytes).to.have.length(0);
      expect(head.headers).to.deep.equal(get);
      expect(head.headers['content-encoding']).to.equal('gzip');
    }
  });

  it('include exports', async () => {
    for (const type of ['application/x-ndjson', 'text/csv']) {
      const plain = await ask('GET', '/v1/events', { Accept: type });
      expect(plain.headers.vary).to.equal('Accept-Encoding');
      expect(plain.text.split('\n').length).to.be.greaterThan(450);
      for (const coding of ['br', 'gzip']) {
        const got = await ask('GET', '/v1/events', { Accept: type, ...accept(coding) });
        expect(got.headers['content-encoding']).to.equal(coding);
        expect(got.text).to.equal(plain.text);
        expect(got.bytes.length).to.be.lessThan(plain.bytes.length / 3);
      }
    }
  });

  it('never include object content of any type', async () => {
    const text = Buffer.from('name,value\n'.repeat(1_000));
    const upload = await ask(
      'POST',
      '/v1/objects',
      { 'Content-Type': 'text/csv', 'X-Filename': 'a.csv' },
      text,
    );
    expect(upload.status, upload.text).to.equal(201);
    const path = `/v1/objects/${JSON.parse(upload.text).id}/content`;
    const got = await ask('GET', path, accept('gzip, identity;q=0'));
    expect([got.status, got.headers['content-encoding']]).to.deep.equal([200, undefined]);
    expect(got.headers['content-length']).to.equal(String(text.length));
    expect(got.bytes.equals(text)).to.equal(true);
  });

  it('never include a secret', async () => {
    const body = JSON.stringify({
      url: 'https://93.184.216.34/hook',
      event_types: ['*'],
      description: 'd'.repeat(400),
      filter: Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`/data/field_${at}`, 'v'.repeat(80)]),
      ),
    });
    const hook = await ask('POST', '/v1/webhooks', accept('gzip, identity;q=0'), body);
    expect(hook.status, hook.text).to.equal(201);
    expect(hook.text).to.contain('whsec_');
    expect(hook.bytes.length).to.be.greaterThan(1_400);
    expect(hook.headers['content-encoding']).to.equal(undefined);
    // The same resource without its secret is compressed.
    const shown = await ask('GET', `/v1/webhooks/${JSON.parse(hook.text).id}`, accept('gzip'));
    expect(shown.headers['content-encoding']).to.equal('gzip');
  });

  it('exclude every route that returns a secret', () => {
    const showing = routes.filter((route) =>
      Object.values(route.responses).some(
        (schema) =>
          schema &&
          ['secret', 'api_key', 'csrf_token'].some((name) => name in propertiesOf(schema)),
      ),
    );
    expect(showing.length).to.be.greaterThan(2);
    for (const route of showing) expect(route.secretResponse, route.operationId).to.equal(true);
  });

  it('never include event streams', async () => {
    await new Promise<void>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        ...accept('gzip, br'),
      };
      const sent = request(`${api.url}/v1/events/stream`, { headers }, (got) => {
        sent.destroy();
        try {
          expect(got.headers['content-type']).to.contain('text/event-stream');
          expect(got.headers['content-encoding']).to.equal(undefined);
          resolve();
        } catch (error) {
          reject(error);
        }
      });
      sent.on('error', reject).end();
    });
  });
});
