import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';

describe('Idempotency-Key', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const body = { name: 'Same', scopes: ['keys:read'] };
  const post = (value: string, sent: object = body, more: object = {}) =>
    api.call('POST', '/v1/keys', { body: sent, headers: { 'idempotency-key': value }, ...more });
  const countKeys = async (): Promise<number> =>
    (await api.call('GET', '/v1/keys?include=total')).json.total;

  it('returns the first response for the same request', async () => {
    const first = await post('again');
    const before = await countKeys();
    const second = await post('again');
    expect(second.status).to.equal(201);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('location')).to.equal(first.headers.get('location'));
    expect(second.headers.get('etag')).to.equal(first.headers.get('etag'));
    expect(first.headers.get('idempotent-replayed')).to.equal(null);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(await countKeys()).to.equal(before);
  });

  it('seals a stored response that contains a secret', async () => {
    const first = await post('secret');
    const [row] = await api.rows<{
      body: string;
      encrypted: boolean;
      key_id: string;
      route: string;
    }>(`SELECT body, encrypted, key_id, route FROM idempotency WHERE value = 'secret'`);
    expect(row!.encrypted).to.equal(true);
    expect(row!.body).not.to.include('sk_');
    const place = [api.projectId, row!.key_id, row!.route, 'secret'] as const;
    expect(api.deps.seal.open(row!.body, ['idempotent_answer', ...place])).to.equal(first.text);
  });

  it('rejects the same key for another body, path or query', async () => {
    await post('reused');
    const other = await post('reused', { ...body, name: 'Other' });
    expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency_key_reused']);
    expect(other.json.errors[0].header).to.equal('Idempotency-Key');
    const roll = (id: string) =>
      api.call('POST', `/v1/keys/${id}/roll`, { headers: { 'idempotency-key': 'rolled' } });
    const ids = [(await post('a')).json.id, (await post('b')).json.id];
    expect((await roll(ids[0])).status).to.equal(201);
    expect((await roll(ids[1])).json.code).to.equal('idempotency_key_reused');
  });

  it('is separate for each operation and API key', async () => {
    const first = await post('mine');
    const rolled = await api.call('POST', `/v1/keys/${first.json.id}/roll`, {
      headers: { 'idempotency-key': 'mine' },
    });
    expect(rolled.status).to.equal(201);
    const another = await api.issue(['*']);
    const second = await post('mine', body, { key: another.key });
    expect(second.json.id).not.to.equal(first.json.id);
  });

  it('returns the new key again to a key that has replaced itself', async () => {
    const own = await api.issue(['*']);
    const roll = () =>
      api.call('POST', `/v1/keys/${own.keyId}/roll`, {
        key: own.key,
        headers: { 'idempotency-key': 'self' },
      });
    const first = await roll();
    const again = await roll();
    expect([first.status, again.status]).to.deep.equal([201, 201]);
    expect(again.text).to.equal(first.text);
  });

  it('does not store rejections: the corrected request succeeds', async () => {
    const rejected = await post('corrected', { name: '' });
    expect(rejected.status).to.equal(422);
    const done = await post('corrected');
    expect(done.status).to.equal(201);
    expect(done.headers.get('idempotent-replayed')).to.equal(null);
  });

  it('takes effect once under concurrent requests', async () => {
    const before = await countKeys();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post('crowd')));
    const statuses = new Set(answers.map((answer) => answer.status));
    expect([...statuses].every((status) => status === 201 || status === 409)).to.equal(true);
    const done = answers.filter((answer) => answer.status === 201);
    expect(done.length).to.be.greaterThan(0);
    expect(new Set(done.map((answer) => answer.json.id)).size).to.equal(1);
    for (const answer of answers) {
      if (answer.status !== 409) continue;
      expect(answer.json).to.include({ code: 'idempotency_in_progress', retryable: true });
      expect(answer.headers.get('retry-after')).to.equal('1');
    }
    expect(await countKeys()).to.equal(before + 1);
  });

  it('expires after a day', async () => {
    const first = await post('old');
    await api.rows(
      `UPDATE idempotency SET created_at = now() - interval '24 hours 1 second' WHERE value = 'old'`,
    );
    const second = await post('old');
    expect(second.json.id).not.to.equal(first.json.id);
    expect((await post('old')).json.id).to.equal(second.json.id);
  });

  it('undoes the effect if the response cannot be stored', async () => {
    const before = await countKeys();
    await api.rows(`ALTER TABLE idempotency ADD CONSTRAINT none CHECK (value <> 'unstorable')`);
    const answer = await post('unstorable');
    expect([answer.status, answer.json.code]).to.deep.equal([500, 'internal_error']);
    expect(answer.text).not.to.match(/constraint|idempotency/);
    await api.rows('ALTER TABLE idempotency DROP CONSTRAINT none');
    expect(await countKeys()).to.equal(before);
  });
});
