import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { countOpenFiles, hashOf, postRaw, sendRaw } from '../../support/uploads.ts';

describe('the content of an object', () => {
  let api: TestApi;
  let path: string;
  const bytes = randomBytes(300_000);
  const etag = `"${hashOf(bytes)}"`;

  before(async () => {
    api = await startApi();
    const { json } = await postRaw(api, bytes, 'Zahlen & „Daten“.bin');
    path = `/v1/objects/${json.id}/content`;
  });
  after(() => api.close());

  it('is returned whole, as an attachment that browsers do not run', async () => {
    const { status, headers, body } = await sendRaw(api, 'GET', path, {});
    expect(status).to.equal(200);
    expect(body.equals(bytes)).to.equal(true);
    expect(headers).to.include({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; sandbox`,
      'cache-control': 'private, no-cache',
    });
    expect(headers['content-disposition']).to.match(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''Zahlen%20%26/,
    );
  });

  const size = bytes.length;
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, size - 1],
    ['bytes=100-199', 100, 199],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=-100', size - 100, size - 1],
    ['bytes=-99999999', 0, size - 1],
    [`bytes=299000-${size * 2}`, 299_000, size - 1],
  ] as const) {
    it(`for ${range} is ${start} to ${end}`, async () => {
      const { status, headers, body } = await sendRaw(api, 'GET', path, { range });
      expect(status).to.equal(206);
      expect(headers['content-range']).to.equal(`bytes ${start}-${end}/${size}`);
      expect(headers['content-length']).to.equal(String(end - start + 1));
      expect(headers.etag).to.equal(etag);
      expect(body.equals(bytes.subarray(start, end + 1))).to.equal(true);
    });
  }

  for (const range of [`bytes=${size}-`, 'bytes=-0', 'bytes=999999999999999999999-']) {
    it(`returns 416 for ${range}`, async () => {
      const { status, headers, body } = await sendRaw(api, 'GET', path, { range });
      expect(status).to.equal(416);
      expect(headers['content-range']).to.equal(`bytes */${size}`);
      expect(headers['content-type']).to.equal('application/problem+json');
      expect(JSON.parse(body.toString()).code).to.equal('range_not_satisfiable');
    });
  }

  for (const range of ['bytes=5-4', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-b']) {
    it(`ignores ${range}`, async () => {
      const { status, body } = await sendRaw(api, 'GET', path, { range });
      expect([status, body.length]).to.deep.equal([200, size]);
    });
  }

  it('returns the range if If-Range matches, otherwise the whole', async () => {
    const range = 'bytes=0-9';
    for (const [ifRange, status] of [
      [etag, 206],
      ['"other"', 200],
      [`W/${etag}`, 200],
      ['Sat, 21 Nov 2026 00:00:00 GMT', 200],
    ] as const) {
      const answer = await sendRaw(api, 'GET', path, { range, 'if-range': ifRange });
      expect(answer.status, ifRange).to.equal(status);
    }
  });

  it('returns 304 if the client’s is current, before evaluating a range', async () => {
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"a", W/${etag}` },
      { 'if-none-match': '*', range: 'bytes=0-9' },
      { 'if-none-match': etag, range: `bytes=${size}-` },
    ]) {
      const answer = await sendRaw(api, 'GET', path, headers);
      expect([answer.status, answer.body.length, answer.headers.etag]).to.deep.equal([
        304,
        0,
        etag,
      ]);
    }
    const other = await sendRaw(api, 'GET', path, { 'if-none-match': '"a"' });
    expect(other.status).to.equal(200);
  });

  it('returns the same headers for HEAD without opening the file', async () => {
    const whole = await sendRaw(api, 'HEAD', path, {});
    expect([whole.status, whole.headers['content-length'], whole.body.length]).to.deep.equal([
      200,
      String(size),
      0,
    ]);
    const part = await sendRaw(api, 'HEAD', path, { range: 'bytes=0-9' });
    expect([part.status, part.headers['content-length']]).to.deep.equal([206, '10']);
    expect((await sendRaw(api, 'HEAD', path, { 'if-none-match': etag })).status).to.equal(304);
    expect(await countOpenFiles(api)).to.equal(0);
  });

  it('closes the file when the client disconnects', async () => {
    const big = Buffer.alloc(64 * 1024 * 1024, 1);
    const { json } = await postRaw(api, big, 'big.bin');
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        `${api.url}/v1/objects/${json.id}/content`,
        {
          agent: false,
          headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
        },
        (response) => {
          response.once('data', () => {
            countOpenFiles(api)
              .then((open) => expect(open).to.equal(1))
              .then(() => response.destroy())
              .then(() => resolve(), reject);
          });
          response.on('error', () => undefined);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
    await eventually(async () => (await countOpenFiles(api)) === 0);
  });

  it('is aborted at once for damaged bytes, and a part never looks complete', async () => {
    const { json } = await postRaw(api, 'will be gone', 'gone.txt');
    await api.deps.storage.remove(api.projectId, json.sha256);
    const answer = await api.call('GET', `/v1/objects/${json.id}/content`);
    expect([answer.status, answer.json.code]).to.deep.equal([500, 'internal_error']);
    expect(answer.text).not.to.match(/sha256|ENOENT|\//);
  });

  it('is the same for many concurrent readers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        sendRaw(api, 'GET', path, { range: `bytes=${at * 1000}-${at * 1000 + 999}` }),
      ),
    );
    const joined = Buffer.concat(answers.map(({ body }) => body));
    const hash = createHash('sha256').update(joined).digest('hex');
    expect(hash).to.equal(hashOf(bytes.subarray(0, 16_000)));
    await eventually(async () => (await countOpenFiles(api)) === 0);
  });
});
