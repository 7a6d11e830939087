import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { createDenialRecorder } from '../../../src/access/denials.ts';
import { createFairQueue } from '../../../src/access/fair-queue.ts';
import { PolicyDenied } from '../../../src/policies/denials.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { originOf } from '../../support/database-fixture.ts';
import { addPolicy } from '../../support/policies.ts';
import { createUploadPath, patch } from '../../support/tus.ts';
import { filePart, hashOf, multipartForm, postForm, postRaw } from '../../support/uploads.ts';

describe('records of denied uploads', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(() => api.rows('DELETE FROM policy'));

  /** The denials recorded for a policy, in order. */
  const told = async (policyId: string) =>
    (
      await api.rows<{ data: { filename?: string | null; sha256?: string | null } }>(
        `SELECT data FROM event WHERE resource_id = $1 AND type = 'dam.policy.denied' ORDER BY ordinal`,
        [policyId],
      )
    ).map(({ data }) => [data.filename, data.sha256]);
  const only = (rule: object) => addPolicy(api, { actions: ['upload'], rules: [rule] });

  it('include each of them, by name and by hash, even within a minute', async () => {
    const id = await only({ type: 'max_bytes', bytes: 3 });
    for (const name of ['a.txt', 'b.txt', 'a.txt']) {
      expect((await postRaw(api, `of ${name}`, name)).status).to.equal(403);
    }
    const sent = await postForm(api, multipartForm(filePart('as a form', 'c.txt')));
    expect(sent.status).to.equal(403);
    expect(await told(id)).to.deep.equal([
      // Rejected by its length, before its bytes arrived.
      ['a.txt', null],
      ['b.txt', null],
      ['a.txt', null],
      ['c.txt', hashOf('as a form')],
    ]);
  });

  it('include the hash of a file that was denied for its content', async () => {
    const id = await only({ type: 'allowed_mime_types', exclude: ['text/plain'] });
    const raw = { headers: { 'content-type': 'application/octet-stream' } };
    expect((await postRaw(api, 'plain text', 'raw.bin', raw)).status).to.equal(403);
    const key = { headers: { ...raw.headers, 'idempotency-key': 'refused-1' } };
    expect((await postRaw(api, 'plainly text', 'keyed.bin', key)).status).to.equal(403);
    expect(await told(id)).to.deep.equal([
      ['raw.bin', hashOf('plain text')],
      ['keyed.bin', hashOf('plainly text')],
    ]);
  });

  it('include resumable uploads, denied when announced, when started and at the end', async () => {
    const id = await only({ type: 'max_bytes', bytes: 10 });
    const rejected = await api.call('POST', '/v1/uploads', {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '11',
        'upload-metadata': `filename ${Buffer.from('long.txt').toString('base64')}`,
      },
    });
    expect(rejected.status).to.equal(403);
    const paths = [
      await createUploadPath(api, 4, { filename: 'head.txt' }),
      await createUploadPath(api, 4, { filename: 'other.txt' }),
    ];
    expect(await told(id)).to.deep.equal([['long.txt', null]]);
    const types = await only({ type: 'allowed_mime_types', exclude: ['text/plain'] });
    for (const path of paths) expect((await patch(api, path, 0, 'text')).status).to.equal(403);
    expect((await told(types)).map(([filename]) => filename)).to.deep.equal([
      'head.txt',
      'other.txt',
    ]);
  });

  it('have one event per denial, however often it is read', async () => {
    const id = await only({ type: 'max_bytes', bytes: 3 });
    await postRaw(api, 'once', 'once.txt', { headers: { 'idempotency-key': 'refused-2' } });
    expect(await told(id)).to.have.length(1);
  });

  it('merge denials of repeated reads, never of uploads', async () => {
    const id = await only({ type: 'max_bytes', bytes: 3 });
    const note = createDenialRecorder(api.deps.database, createFairQueue(4), () => 0);
    const origin = {
      ...originOf(api.projectId),
      actor: { type: 'api_key', id: api.keyId, name: null },
    } as const;
    const violation = {
      policy_id: id,
      rule_type: 'max_bytes',
      code: 'too_large',
      detail: 'Too large.',
      parameters: {},
      remedy: null,
    } as const;
    const refuse = (action: 'download' | 'upload') =>
      note(
        origin,
        new PolicyDenied({ action, resourceId: null, violations: [violation] }),
        'getObjectContent',
      );
    const counted = async () => (await told(id)).length;
    const rate = limits.write_requests_per_minute;
    for (let time = 0; time < rate; time++) await refuse('download');
    expect(await counted()).to.equal(rate);
    for (let time = 0; time < 50; time++) await refuse('download');
    // A minute by the clock of the database may end in between.
    expect(await counted()).to.be.within(rate + 1, rate + 2);
    const before = await counted();
    for (let time = 0; time < 3; time++) await refuse('upload');
    expect(await counted()).to.equal(before + 3);
  });
});
