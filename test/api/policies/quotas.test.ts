import { type QuotaName, quotas } from '@scriptorium/contracts/quotas';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inProject, prepared } from '../../../src/db/transaction.ts';
import { claimQuota, setQuota } from '../../../src/policies/quotas.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { createUpload } from '../../support/tus.ts';
import { postRaw } from '../../support/uploads.ts';

describe('project quotas', () => {
  let api: TestApi;
  let owner: Database;
  before(async () => {
    api = await startApi();
    owner = await openDatabase(api.database.ownerUrl, { poolSize: 2 });
  });
  after(async () => {
    await owner.destroy();
    await api.close();
  });

  const set = (name: QuotaName, most: number | null): Promise<void> =>
    inProject(owner, api.projectId, (tx) => setQuota(tx, api.projectId, name, most));
  const used = async (name: QuotaName): Promise<number> =>
    (await api.call('GET', '/v1/usage')).json[name].used;
  /** Leaves room for this much more than there is. */
  const leave = async (name: QuotaName, more: number): Promise<number> => {
    const most = (await used(name)) + more;
    await set(name, most);
    return most;
  };
  const upload = (text: string, key = api.key): Promise<ApiResponse> =>
    postRaw(api, text, `${text.slice(0, 40)}.txt`, { key });
  /** Purges what its owner put into the trash, as at the end of its retention. */
  const purge = (id: string): Promise<unknown> =>
    api.rows('DELETE FROM object WHERE id = $1', [id]);

  const rejected = (answer: ApiResponse, quota: QuotaName, limit: number): void => {
    expect(answer.status, answer.text).to.equal(403);
    expect(answer.json).to.include({ code: 'quota_exceeded', retryable: false, quota, limit });
    expect(answer.json.detail).to.match(
      new RegExp(`^The request would exceed the quota of \`${quota}\`: \\d+ of ${limit} are used`),
    );
  };

  it('are shown with their use, and are generous by default', async () => {
    const { status, json } = await api.call('GET', '/v1/usage');
    expect(status).to.equal(200);
    expect(Object.keys(json)).to.deep.equal(Object.keys(quotas));
    expect(json.objects).to.deep.equal({ used: 0, quota: 1_000_000 });
    expect(json.api_keys).to.deep.equal({ used: 1, quota: 1_000 });
    await set('objects', 7);
    expect((await api.call('GET', '/v1/usage')).json.objects.quota).to.equal(7);
    const { key, projectId } = api.other;
    const other = await api.call('GET', '/v1/usage', { key, projectId });
    expect(other.json.objects.quota).to.equal(1_000_000);
    await set('objects', null);
    const reader = await api.issue(['images:read']);
    expect((await api.call('GET', '/v1/usage', { key: reader.key })).status).to.equal(403);
  });

  it('of bytes withstand a hundred concurrent uploads, and purging frees space', async () => {
    const limit = await leave('storage_bytes', 100);
    // A key may have 16 open uploads.
    const keys = await Promise.all(Array.from({ length: 10 }, () => api.issue(['*'])));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        upload(`bytes-${String(at).padStart(4, '0')}`, keys[at % 10]!.key),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.length(10);
    for (const answer of answers) {
      if (answer.status !== 201) rejected(answer, 'storage_bytes', limit);
    }
    expect(await used('storage_bytes')).to.equal(limit);
    // The same file again returns the existing object.
    const name = made[0]!.json.filename.replace('.txt', '');
    expect((await upload(name)).json).to.include({ id: made[0]!.json.id, deduplicated: true });
    await api.call('DELETE', `/v1/objects/${made[0]!.json.id}`);
    rejected(await upload('in-the-trash'), 'storage_bytes', limit);
    await purge(made[0]!.json.id);
    expect((await upload('bytes-room')).status).to.equal(201);
    await set('storage_bytes', null);
  });

  it('of objects are exact', async () => {
    const limit = await leave('objects', 3);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => upload(`object ${at}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(3);
    rejected(await upload('one more'), 'objects', limit);
    expect(await used('objects')).to.equal(limit);
    await set('objects', null);
  });

  it('count uploads in progress with their full length until they end', async () => {
    const limit = await leave('storage_bytes', 1_000);
    const first = await createUpload(api, 900);
    expect(first.status).to.equal(201);
    rejected(await createUpload(api, 200), 'storage_bytes', limit);
    rejected(await upload('x'.repeat(101)), 'storage_bytes', limit);
    expect(await used('uploads')).to.equal(1);
    const ended = await api.call('DELETE', first.headers.get('location')!, {
      headers: { 'tus-resumable': '1.0.0' },
    });
    expect(ended.status).to.equal(204);
    expect(await used('uploads')).to.equal(0);
    expect((await upload('y'.repeat(101))).status).to.equal(201);
    await set('storage_bytes', null);
    await set('uploads', 0);
    rejected(await createUpload(api, 1), 'uploads', 0);
    await set('uploads', null);
  });

  it('accept an upload that was announced in time, despite later ones', async () => {
    const limit = await leave('storage_bytes', 10);
    const begun = await createUpload(api, 10);
    expect(begun.status).to.equal(201);
    rejected(await upload('meanwhile'), 'storage_bytes', limit);
    const done = await api.call('PATCH', begun.headers.get('location')!, {
      body: Buffer.from('0123456789'),
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    });
    expect(done.status, done.text).to.equal(204);
    expect(done.headers.get('object-id')).to.match(/^obj_/);
    expect(await used('storage_bytes')).to.equal(limit);
    expect(await used('uploads')).to.equal(0);
    await set('storage_bytes', null);
  });

  it('of keys count those that are not revoked; rolling one uses no quota', async () => {
    const limit = await leave('api_keys', 2);
    const make = (): Promise<ApiResponse> =>
      api.call('POST', '/v1/keys', { body: { name: 'More', scopes: ['objects:read'] } });
    const answers = await Promise.all(Array.from({ length: 8 }, make));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.length(2);
    rejected(await make(), 'api_keys', limit);
    const rolled = await api.call('POST', `/v1/keys/${made[0]!.json.id}/roll`, { body: {} });
    expect(rolled.status, rolled.text).to.equal(201);
    await api.call('DELETE', `/v1/keys/${made[1]!.json.id}`);
    expect((await make()).status).to.equal(201);
    await set('api_keys', null);
  });

  it('of collections are exact, even with concurrent batches', async () => {
    const limit = await leave('collections', 5);
    const make = (): Promise<ApiResponse> =>
      api.call('POST', '/v1/collections', { body: { name: 'One' } });
    const answers = await Promise.all(Array.from({ length: 20 }, make));
    expect(
      answers.filter(({ status }) => status === 201),
      answers[0]!.text,
    ).to.have.length(5);
    rejected(await make(), 'collections', limit);
    await set('collections', null);
  });

  it('of jobs in flight count a batch as a whole, and cancelling frees quota', async () => {
    const sources = await Promise.all(
      [1, 2, 3].map(async (at) => (await upload(`source ${at}`)).json.id),
    );
    const limit = await leave('jobs_in_flight', 2);
    const batch = (ids: string[]): Promise<ApiResponse> =>
      api.call('POST', '/v1/documents/jobs/batch', {
        body: { source_object_ids: ids, operations: [{ op: 'classify' }] },
      });
    rejected(await batch(sources), 'jobs_in_flight', limit);
    expect(await used('jobs_in_flight')).to.equal(limit - 2);
    const taken = await batch(sources.slice(0, 2));
    expect(taken.status, taken.text).to.equal(202);
    const start = (): Promise<ApiResponse> =>
      api.call('POST', '/v1/documents/classify', { body: { source_object_id: sources[2] } });
    rejected(await start(), 'jobs_in_flight', limit);
    const [one] = await api.rows<{ id: string }>('SELECT id FROM job LIMIT 1');
    await api.call('POST', `/v1/documents/jobs/${one!.id}/cancel`);
    expect((await start()).status).to.equal(202);
    await set('jobs_in_flight', null);
  });

  it('fold changes into counts once there are many, and count the same after', async () => {
    const { projectId, deps } = api;
    const changes = (): Promise<number> =>
      inProject(owner, projectId, async (tx) => {
        const [row] = await prepared<{ n: number }>(
          tx,
          `SELECT count(*) AS n FROM usage_delta WHERE project_id = $1 AND resource = 'jobs_in_flight'`,
          [projectId],
        );
        return row!.n;
      });
    const before = await used('jobs_in_flight');
    await inProject(owner, projectId, (tx) =>
      prepared(
        tx,
        `INSERT INTO usage_delta (project_id, resource, delta)
         SELECT $1, 'jobs_in_flight', CASE WHEN n % 2 = 0 THEN 1 ELSE -1 END
         FROM generate_series(1, 64) AS n`,
        [projectId],
      ),
    );
    expect(await changes()).to.be.at.least(64);
    await inProject(deps.database, projectId, async (tx) =>
      claimQuota(tx, projectId, 'jobs_in_flight', 1),
    );
    expect(await changes()).to.equal(0);
    expect(await used('jobs_in_flight')).to.equal(before);
  });

  it('apply as soon as they are lowered, even if much was free before', async () => {
    const { json } = await upload('lowered');
    const start = (): Promise<ApiResponse> =>
      api.call('POST', '/v1/documents/classify', { body: { source_object_id: json.id } });
    for (let at = 0; at < 3; at++) expect((await start()).status).to.equal(202);
    const limit = await used('jobs_in_flight');
    await api.rows(
      `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, 'jobs_in_flight', $2)`,
      [api.projectId, limit],
    );
    rejected(await start(), 'jobs_in_flight', limit);
    await set('jobs_in_flight', limit + 1);
    expect((await start()).status).to.equal(202);
    rejected(await start(), 'jobs_in_flight', limit + 1);
    await set('jobs_in_flight', null);
    expect((await start()).status).to.equal(202);
  });

  it('count what is stored after any sequence of changes', async () => {
    const [counted] = await api.rows(
      `SELECT (SELECT count(*) FROM object WHERE project_id = $1) AS objects,
         ((SELECT coalesce(sum(bytes), 0) FROM object WHERE project_id = $1)
           + (SELECT coalesce(sum(bytes), 0) FROM object_variant
              WHERE project_id = $1 AND variant LIKE 'page:%'))::bigint AS storage_bytes,
         (SELECT count(*) FROM upload WHERE project_id = $1 AND state = 'uploading') AS uploads,
         (SELECT count(*) FROM api_key WHERE project_id = $1 AND revoked_at IS NULL) AS api_keys,
         (SELECT count(*) FROM collection WHERE project_id = $1) AS collections,
         (SELECT count(*) FROM job WHERE project_id = $1 AND finished_at IS NULL) AS jobs_in_flight`,
      [api.projectId],
    );
    const { json } = await api.call('GET', '/v1/usage');
    const shown = Object.entries<{ used: number }>(json).map(([name, { used: n }]) => [name, n]);
    expect(Object.fromEntries(shown)).to.deep.equal(counted);
    const [left] = await api.rows<{ n: number }>('SELECT count(*) AS n FROM usage_delta');
    expect(left!.n).to.be.lessThan(100);
  });
});
