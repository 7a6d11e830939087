import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openS3Storage } from '../../../src/storage/s3/storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { type S3Double, startS3Double } from '../../support/s3-double.ts';
import { chunkHeaders, createUploadPath, metadata, patch, tusHeaders } from '../../support/tus.ts';
import { hashOf, postRaw, sendRaw } from '../../support/uploads.ts';

describe('the API over S3', () => {
  let double: S3Double;
  let spool: string;
  let storage: Storage;
  let api: TestApi;
  before(async () => {
    double = await startS3Double();
    spool = await mkdtemp(join(tmpdir(), 'scriptorium-spool-'));
    storage = await openS3Storage(double.storageUrl, {
      spoolPath: spool,
      requestOptions: { responseMs: 1_000, attempts: 2 },
    });
    api = await startApi({ deps: () => ({ storage }) });
  });
  after(async () => {
    await api.close();
    await storage.close();
    await double.close();
    await rm(spool, { recursive: true, force: true });
  });
  const isBytes = ({ key }: { key: string }) => key.includes('prj_');

  it('stores bytes and returns them, whole and in ranges', async () => {
    const bytes = Buffer.from('0123456789'.repeat(1_000));
    const made = await postRaw(api, bytes, 'digits.txt');
    expect(made.status).to.equal(201);
    expect(double.keys()).to.deep.equal([`some/prefix/${api.projectId}/${hashOf(bytes)}`]);
    const path = `/v1/objects/${made.json.id}/content`;
    const whole = await api.call('GET', path);
    expect(whole.text).to.equal(String(bytes));
    const part = await api.call('GET', path, { headers: { range: 'bytes=-3' } });
    expect([part.status, part.text]).to.deep.equal([206, '789']);
    const again = await postRaw(api, bytes, 'digits.txt');
    expect([again.status, again.json.deduplicated]).to.deep.equal([200, true]);
    expect((await readdir(spool)).filter((name) => name !== 'copies')).to.deep.equal([]);
  });

  it('returns a retryable error while the store is unreachable, without creating a row', async () => {
    const { json } = await postRaw(api, 'before', 'before.txt');
    const rows = () => api.rows('SELECT FROM object');
    const before = await rows();
    double.fail('silence', isBytes, 4);
    for (const answer of [
      await api.call('GET', `/v1/objects/${json.id}/content`),
      await postRaw(api, 'meanwhile', 'meanwhile.txt'),
    ]) {
      expect([answer.status, answer.json.code]).to.deep.equal([503, 'dependency_unavailable']);
      expect(answer.json.retryable).to.equal(true);
      expect(answer.headers.get('retry-after')).to.equal('2');
      expect(answer.text).to.not.match(/some\/prefix|127\.0\.0\.1/);
    }
    expect(await rows()).to.have.length(before.length);
    expect((await postRaw(api, 'meanwhile', 'meanwhile.txt')).status).to.equal(201);
  });

  it('accepts a file in several requests, and continues after an outage of the store', async () => {
    const bytes = randomBytes(17 * 1024 * 1024);
    const path = await createUploadPath(api, bytes.length, { filename: 'large.bin' });
    const offset = async () => Number((await api.call('GET', path)).json.offset);
    const half = 9 * 1024 * 1024;
    expect((await patch(api, path, 0, bytes.subarray(0, half))).status).to.equal(204);
    double.fail({ answer: 500 }, ({ key }) => key.endsWith('/000001'), 100);
    const rejected = await patch(api, path, half, bytes.subarray(half));
    expect([rejected.status, JSON.parse(String(rejected.body)).code]).to.deep.equal([
      503,
      'dependency_unavailable',
    ]);
    expect(await offset()).to.equal(half);
    double.clearFaults();
    const last = await patch(api, path, half, bytes.subarray(half));
    expect(last.status).to.equal(204);
    const object = await api.call('GET', `/v1/objects/${last.headers['object-id']}`);
    expect(object.json).to.include({ state: 'available', sha256: hashOf(bytes) });
    expect(double.keys().filter((key) => key.includes('.partial'))).to.deep.equal([]);
    expect(double.multipartUploads()).to.deep.equal([]);
    const content = await fetch(`${api.url}/v1/objects/${object.json.id}/content`, {
      headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
    });
    expect(hashOf(Buffer.from(await content.arrayBuffer()))).to.equal(hashOf(bytes));
  });

  describe('whose store removes nothing', () => {
    beforeEach(() => {
      double.fail(
        { answer: 500 },
        ({ method, query }) => method === 'POST' && query.has('delete'),
        100,
      );
    });
    afterEach(() => double.clearFaults());

    it('returns the object of an upload that is complete', async () => {
      const path = await createUploadPath(api, 3, { filename: 'kept.txt' });
      const answer = await patch(api, path, 0, 'abc');
      expect(answer.status).to.equal(204);
      const object = await api.call('GET', `/v1/objects/${answer.headers['object-id']}`);
      expect(object.json.state).to.equal('available');
    });

    it('terminates uploads', async () => {
      const path = await createUploadPath(api, 4, { filename: 'ended.txt' });
      expect((await patch(api, path, 0, 'abc')).status).to.equal(204);
      expect((await api.call('DELETE', path, { headers: tusHeaders })).status).to.equal(204);
      expect((await api.call('GET', path)).status).to.equal(404);
    });
  });

  it('keeps no upload of which the client gets no address', async () => {
    const uploads = () => api.rows('SELECT FROM upload');
    const before = await uploads();
    double.fail(
      { answer: 500 },
      ({ method, key }) => method === 'PUT' && key.includes('.partial'),
      100,
    );
    const headers = {
      ...chunkHeaders,
      'upload-length': '4',
      'upload-metadata': metadata({ filename: 'lost.txt' }),
    };
    const rejected = await sendRaw(api, 'POST', '/v1/uploads', headers, Buffer.from('abc'));
    double.clearFaults();
    expect(rejected.status).to.equal(503);
    expect(await uploads()).to.have.length(before.length);
  });
});
