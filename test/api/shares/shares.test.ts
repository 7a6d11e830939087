import { expect } from 'chai';
import { fingerprintOf } from '../../../src/access/idempotency.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { addPolicy } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

describe('shares', () => {
  let api: TestApi;
  let object: string;
  let collection: string;
  before(async () => {
    api = await startApi();
    object = (await postRaw(api, 'Harbour plan', 'plan.txt')).json.id;
    const made = await api.call('POST', '/v1/collections', { body: { name: 'Harbour' } });
    collection = made.json.id;
  });
  after(() => api.close());

  const create = (body: object | string, options: object = {}) =>
    api.call('POST', '/v1/shares', { body, ...options });
  const patch = (id: string, body: object) => api.call('PATCH', `/v1/shares/${id}`, { body });
  const soon = () => new Date(Date.now() + 3_600_000).toISOString();
  const faultsOf = ({ json }: { json: { errors?: { pointer: string; code: string }[] } }) =>
    json.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

  it('have a link that can be copied again, and no password', async () => {
    const expires_at = soon();
    const made = await create({
      object_id: object,
      title: 'The plan',
      password: 'low tide at nine',
      expires_at,
    });
    expect(made.status, made.text).to.equal(201);
    expect(made.json).to.include({
      kind: 'view',
      state: 'active',
      object_id: object,
      collection_id: null,
      title: 'The plan',
      has_password: true,
      allow_download: true,
      expires_at,
      views: 0,
      downloads: 0,
      uploads: 0,
      last_used_at: null,
    });
    expect(made.json.url).to.match(new RegExp(`^${api.url}/l/[\\w-]+\\.[\\w-]+$`));
    expect(made.text).not.to.contain('scrypt').and.not.to.contain('low tide');
    const read = await api.call('GET', `/v1/shares/${made.json.id}`);
    expect(read.json).to.deep.equal(made.json);
    const { json } = await api.call('GET', `/v1/shares?object_id=${object}&include=total`);
    expect(json).to.deep.include({ data: [made.json], total: 1 });
    const [stored] = await api.rows<{ password_hash: string }>(
      'SELECT password_hash FROM share WHERE id = $1',
      [made.json.id],
    );
    expect(stored!.password_hash).to.match(/^scrypt\$32768\$8\$1\$/);
  });

  it('are created once per Idempotency-Key, which does not reveal the password', async () => {
    const body = JSON.stringify({ object_id: object, password: 'low tide at nine' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a share' };
    const first = await create(body, { headers });
    expect(first.status, first.text).to.equal(201);
    const again = await create(body, { headers });
    expect(again.json.id).to.equal(first.json.id);
    const other = await create(body.replace('nine', 'ten'), { headers });
    expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency_key_reused']);
    const rows = await api.rows<{ fingerprint: Buffer }>(
      `SELECT fingerprint FROM idempotency WHERE value = 'a share'`,
    );
    // Anyone who reads the table could compute this for each password in a list.
    const plain = fingerprintOf('/v1/shares', '', Buffer.from(body)).toString('hex');
    expect(rows.map(({ fingerprint }) => fingerprint.toString('hex'))).not.to.include(plain);
    expect(rows).to.have.length(1);
  });

  it('reject what does not fit their kind, all faults at once', async () => {
    const none = await create({});
    expect([none.status, faultsOf(none)]).to.deep.equal([422, ['/object_id required']]);
    const both = await create({
      object_id: object,
      collection_id: collection,
      max_files: 3,
      accept: ['image/*'],
      expires_at: '2020-01-01T00:00:00Z',
    });
    expect(faultsOf(both)).to.deep.equal([
      '/collection_id not_allowed',
      '/accept not_allowed',
      '/max_files not_allowed',
      '/expires_at too_small',
    ]);
    const upload = await create({ kind: 'upload', object_id: object, max_views: 1 });
    expect(faultsOf(upload)).to.deep.equal(['/object_id not_allowed', '/max_views not_allowed']);
    expect(
      faultsOf(await create({ object_id: object, expires_at: '2099-01-01T00:00:00Z' })),
    ).to.deep.equal(['/expires_at too_large']);
  });

  it('cannot be made of what is in the trash, nor uploads into a smart collection', async () => {
    const smart = await api.call('POST', '/v1/collections', {
      body: { name: 'Cranes', kind: 'smart', query: { q: 'crane' } },
    });
    const into = await create({ kind: 'upload', collection_id: smart.json.id });
    expect([into.status, into.json.code]).to.deep.equal([409, 'state_conflict']);
    expect((await create({ collection_id: smart.json.id })).status).to.equal(201);
    const gone = (await postRaw(api, 'Gone', 'gone.txt')).json.id;
    await api.call('DELETE', `/v1/objects/${gone}`);
    expect((await create({ object_id: gone })).json.code).to.equal('state_conflict');
  });

  it('are never wider than the rights of their creator, who alone sees the link', async () => {
    const keyWith = async (...scopes: string[]): Promise<string> =>
      (await api.call('POST', '/v1/keys', { body: { name: 'Narrow', scopes } })).json.api_key;
    const sharer = await keyWith('shares:read', 'shares:write', 'objects:read', 'images:read');
    const wide = await create({ object_id: object }, { key: sharer });
    expect([wide.status, wide.json.code]).to.deep.equal([403, 'insufficient_scope']);
    expect(wide.json.required_scopes).to.include('objects:download');
    const narrow = await create({ object_id: object, allow_download: false }, { key: sharer });
    expect(narrow.status).to.equal(201);
    const url = `/v1/shares/${narrow.json.id}`;
    const widened = await api.call('PATCH', url, { key: sharer, body: { allow_download: true } });
    expect(widened.json.code).to.equal('insufficient_scope');
    const reader = await keyWith('shares:read');
    expect((await api.call('GET', url, { key: reader })).json.url).to.equal(null);
    expect((await api.call('GET', url, { key: sharer })).json.url).to.equal(narrow.json.url);
  });

  it('keep their link when they change, and never change once revoked', async () => {
    const made = await create({ object_id: object });
    const { id, url } = made.json;
    const changed = await patch(id, { title: 'Plan', max_views: 3, password: 'low tide at nine' });
    expect(changed.json).to.deep.include({ url, title: 'Plan', max_views: 3, has_password: true });
    expect(changed.json.version).to.equal(2);
    expect((await patch(id, { title: 'Plan' })).json.version).to.equal(2);
    expect(faultsOf(await patch(id, { max_files: 1 }))).to.deep.equal(['/max_files not_allowed']);
    expect((await patch(id, { password: null })).json.has_password).to.equal(false);
    expect((await api.call('DELETE', `/v1/shares/${id}`)).status).to.equal(204);
    expect((await api.call('DELETE', `/v1/shares/${id}`)).status).to.equal(204);
    expect((await patch(id, { title: 'Other' })).json.code).to.equal('state_conflict');
    const { json } = await api.call('GET', `/v1/shares/${id}`);
    expect(json.state).to.equal('revoked');
    const events = await api.rows<{ type: string; data: object }>(
      `SELECT type, data FROM event WHERE resource_id = $1 ORDER BY id`,
      [id],
    );
    expect(events.map(({ type }) => type)).to.deep.equal([
      'dam.share.created',
      'dam.share.updated',
      'dam.share.updated',
      'dam.share.revoked',
    ]);
    expect(events[1]!.data).to.deep.equal({ changed: ['title', 'password', 'max_views'] });
    expect(JSON.stringify(events)).not.to.contain('/l/').and.not.to.contain('low tide');
  });

  it('show their state by the clock of Postgres and by their limits', async () => {
    const made = await create({ object_id: object, max_downloads: 2, expires_at: soon() });
    const { id } = made.json;
    const stateOf = async () => (await api.call('GET', `/v1/shares/${id}`)).json.state;
    await api.rows('UPDATE share SET downloads = 2 WHERE id = $1', [id]);
    expect(await stateOf()).to.equal('used_up');
    await patch(id, { max_downloads: 3 });
    expect(await stateOf()).to.equal('active');
    await api.rows('UPDATE share SET expires_at = now() WHERE id = $1', [id]);
    expect(await stateOf()).to.equal('expired');
    const { json } = await api.call('GET', `/v1/shares?state=expired`);
    expect(json.data.map((one: { id: string }) => one.id)).to.include(id);
  });

  it('of an object that policies do not let be signed are denied, and so is a longer end', async () => {
    const policy = await addPolicy(api, {
      name: 'Short links',
      actions: ['sign'],
      rules: [{ type: 'require_signed_url', max_ttl_seconds: 7200 }],
    });
    const endless = await create({ object_id: object });
    expect([endless.status, endless.json.code]).to.deep.equal([403, 'policy_denied']);
    const short = await create({ object_id: object, expires_at: soon() });
    expect(short.status).to.equal(201);
    const longer = await patch(short.json.id, { expires_at: null });
    expect(longer.json.code).to.equal('policy_denied');
    await api.rows('DELETE FROM policy WHERE id = $1', [policy]);
  });

  it('are purged with what they share', async () => {
    const brief = (await postRaw(api, 'Brief', 'brief.txt')).json.id;
    const { id } = (await create({ object_id: brief })).json;
    const purged = await api.call('DELETE', `/v1/objects/${brief}?purge=true`);
    expect(purged.status).to.equal(204);
    expect((await api.call('GET', `/v1/shares/${id}`)).status).to.equal(404);
  });

  it('have no limit of downloads without downloads', async () => {
    const rejected = ({ status, json }: ApiResponse) =>
      expect([status, json.errors?.[0]?.code, json.errors?.[0]?.pointer]).to.deep.equal([
        422,
        'conflicting_field',
        '/max_downloads',
      ]);
    const body = { object_id: object, allow_download: false };
    const send = (more: object) => api.call('POST', '/v1/shares', { body: { ...body, ...more } });
    rejected(await send({ max_downloads: 2 }));
    const made = await send({ max_downloads: null });
    expect(made.status, made.text).to.equal(201);
    const path = `/v1/shares/${made.json.id}`;
    rejected(await api.call('PATCH', path, { body: { max_downloads: 2 } }));
    const both = { allow_download: true, max_downloads: 2 };
    expect((await api.call('PATCH', path, { body: both })).status).to.equal(200);
    rejected(await api.call('PATCH', path, { body: { allow_download: false } }));
    const none = { allow_download: false, max_downloads: null };
    expect((await api.call('PATCH', path, { body: none })).status).to.equal(200);
  });
});
