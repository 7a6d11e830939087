import { expect } from 'chai';
import fc from 'fast-check';
import { newKey, parseKey } from '../../src/access/keys/format.ts';
import { startApi, type TestApi } from '../support/api.ts';

describe('API keys', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { trustProxy: true } });
  });
  after(() => api.close());

  const events = (resourceId: string) =>
    api.rows<{ type: string; category: string; data: object; actor_id: string | null }>(
      'SELECT type, category, data, actor_id FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [resourceId],
    );
  const create = async (fields: object = {}, more: object = {}) =>
    api.call('POST', '/v1/keys', {
      body: { name: 'K', scopes: ['keys:read'], ...fields },
      ...more,
    });

  it('reveal a typing error by their format, without a look-up', () => {
    const { secret, prefix, hash } = newKey();
    expect(secret).to.match(/^sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(parseKey(secret)).to.deep.equal({ prefix, hash });
    fc.assert(
      fc.property(fc.nat(secret.length - 1), fc.constantFrom('0', 'z', 'A', '_'), (at, letter) => {
        fc.pre(secret[at] !== letter);
        expect(parseKey(secret.slice(0, at) + letter + secret.slice(at + 1))).to.equal(null);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseKey(text) === null));
  });

  it('are shown once and not stored', async () => {
    const made = await create();
    expect(made.status).to.equal(201);
    expect(made.headers.get('location')).to.equal(`/v1/keys/${made.json.id}`);
    const again = await api.call('GET', `/v1/keys/${made.json.id}`);
    expect(again.json).not.to.have.property('api_key');
    expect(made.json).to.deep.include(again.json);
    const [row] = await api.rows<{ row: string }>(
      'SELECT to_jsonb(k)::text AS row FROM api_key k WHERE id = $1',
      [made.json.id],
    );
    expect(row!.row).not.to.include(made.json.api_key.slice(-38));
    expect(await events(made.json.id)).to.deep.equal([
      {
        type: 'access.api_key.created',
        category: 'audit',
        data: { name: 'K', prefix: made.json.prefix, scopes: ['keys:read'] },
        actor_id: api.keyId,
      },
    ]);
  });

  it('work until they are revoked and for no request longer', async () => {
    const made = (await create()).json;
    const use = () => api.call('GET', '/v1/keys/self', { key: made.api_key });
    expect((await use()).json).to.include({ id: made.id, state: 'active' });
    expect((await api.call('DELETE', `/v1/keys/${made.id}`)).status).to.equal(204);
    const rejected = await use();
    expect([rejected.status, rejected.json.code]).to.deep.equal([401, 'api_key_revoked']);
    expect(rejected.headers.get('www-authenticate')).to.equal('Bearer');
    expect((await api.call('GET', `/v1/keys/${made.id}`)).json.state).to.equal('revoked');
    expect((await api.call('DELETE', `/v1/keys/${made.id}`)).status).to.equal(204);
    const types = (await events(made.id)).map((event) => event.type);
    expect(types).to.deep.equal(['access.api_key.created', 'access.api_key.revoked']);
  });

  it('expire', async () => {
    const made = (await create({ expires_at: '2999-01-01T00:00:00+02:00' })).json;
    expect(made.expires_at).to.equal('2998-12-31T22:00:00.000Z');
    await api.rows(`UPDATE api_key SET expires_at = now() WHERE id = $1`, [made.id]);
    const rejected = await api.call('GET', '/v1/limits', { key: made.api_key });
    expect(rejected.json.code).to.equal('api_key_expired');
    expect((await api.call('GET', `/v1/keys/${made.id}`)).json.state).to.equal('expired');
    const past = await create({ expires_at: '2001-01-01T00:00:00Z' });
    expect([past.status, past.json.errors[0].pointer]).to.deep.equal([422, '/expires_at']);
  });

  it('grant only scopes that they have', async () => {
    const narrow = await api.issue(['keys:write', 'keys:read']);
    const wide = await create({ scopes: ['objects:read'] }, { key: narrow.key });
    expect([wide.status, wide.json.code]).to.deep.equal([403, 'insufficient_scope']);
    expect((await create({ scopes: ['*'] }, { key: narrow.key })).status).to.equal(403);
    expect((await create({ scopes: ['keys:read'] }, { key: narrow.key })).status).to.equal(201);
    const path = `/v1/keys/${api.keyId}`;
    for (const [method, target, body] of [
      ['PATCH', path, { allowed_cidrs: ['0.0.0.0/0'] }],
      ['POST', `${path}/roll`, {}],
    ] as const) {
      const answer = await api.call(method, target, { body, key: narrow.key });
      expect(answer.json.code, method).to.equal('insufficient_scope');
    }
  });

  it('are changed by a merge patch with If-Match', async () => {
    const made = (await create()).json;
    const path = `/v1/keys/${made.id}`;
    const etag = (await api.call('GET', path)).headers.get('etag') ?? '';
    const patch = (body: object, ifMatch?: string) =>
      api.call('PATCH', path, {
        body,
        headers: { 'content-type': 'application/merge-patch+json', 'if-match': ifMatch },
      });
    const changed = await patch({ name: 'New', scopes: ['keys:read'] }, etag);
    expect(changed.json).to.include({ name: 'New', version: 2 });
    expect(changed.headers.get('etag')).to.equal('"2"');
    expect((await patch({ name: 'Late' }, etag)).json.code).to.equal('etag_mismatch');
    expect((await patch({ name: 'New' })).json.version).to.equal(2);
    expect((await patch({})).json.errors[0].code).to.equal('too_few');
    const [, updated, ...rest] = await events(made.id);
    expect(updated).to.deep.include({
      type: 'access.api_key.updated',
      data: { changed: ['name'] },
    });
    expect(rest).to.deep.equal([]);
  });

  it('are rolled: both work for the overlap, then only the new one', async () => {
    const made = (await create({ allowed_cidrs: [] })).json;
    const rolled = await api.call('POST', `/v1/keys/${made.id}/roll`, {
      body: { overlap_seconds: 3600 },
    });
    expect(rolled.status).to.equal(201);
    expect(rolled.json).to.deep.include({ name: 'K', scopes: ['keys:read'], state: 'active' });
    const use = async (key: string) => (await api.call('GET', '/v1/limits', { key })).status;
    expect([await use(made.api_key), await use(rolled.json.api_key)]).to.deep.equal([200, 200]);
    const now = await api.call('POST', `/v1/keys/${rolled.json.id}/roll`);
    expect([await use(rolled.json.api_key), await use(now.json.api_key)]).to.deep.equal([401, 200]);
    expect((await events(made.id)).at(-1)).to.deep.include({
      type: 'access.api_key.rolled',
      data: {
        new_key_id: rolled.json.id,
        overlap_seconds: 3600,
        ends_at: rolled.json.replaces.ends_at,
      },
    });
    const dead = await api.call('POST', `/v1/keys/${rolled.json.id}/roll`);
    expect(dead.json.code).to.equal('state_conflict');
  });

  it('work only from their allowed addresses', async () => {
    const made = (await create({ allowed_cidrs: ['10.1.0.0/16', '2001:db8::/32'] })).json;
    const from = async (address: string) =>
      (
        await api.call('GET', '/v1/limits', {
          key: made.api_key,
          headers: { 'x-forwarded-for': address },
        })
      ).status;
    expect(await from('10.1.2.3')).to.equal(200);
    expect(await from('1.2.3.4, 10.1.2.3')).to.equal(200);
    expect(await from('::ffff:10.1.2.3')).to.equal(200);
    expect(await from('2001:db8::1')).to.equal(200);
    expect(await from('10.2.0.1')).to.equal(403);
    expect(await from('10.1.2.3, 1.2.3.4')).to.equal(403);
    const bad = await create({ allowed_cidrs: ['10.0.0.0/33', '10.0.0.1', '10.0.0.0/8'] });
    const pointers = bad.json.errors.map((fault: { pointer: string }) => fault.pointer);
    expect(pointers).to.deep.equal(['/allowed_cidrs/0', '/allowed_cidrs/1']);
  });

  it('record denials once per key, code and minute', async () => {
    const narrow = await api.issue(['objects:read']);
    for (let times = 0; times < 3; times++) {
      await api.call('GET', '/v1/keys', { key: narrow.key });
      await create({}, { key: narrow.key });
    }
    const denied = await events(narrow.keyId);
    const told = denied.filter((event) => event.type === 'access.request.denied');
    // A minute may have ended in between.
    expect(told.length).to.be.within(1, 2);
    expect(told[0]).to.deep.include({
      category: 'audit',
      data: { code: 'insufficient_scope', operation: 'listKeys' },
      actor_id: narrow.keyId,
    });
    const foreign = await api.call('GET', '/v1/keys', { projectId: api.other.projectId });
    expect(foreign.json.code).to.equal('project_forbidden');
    const [others] = await api.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM event WHERE project_id = $1 AND type = 'access.request.denied'`,
      [api.other.projectId],
    );
    expect(others!.count).to.equal(0);
  });

  it('are listed newest first, page by page, without gaps', async () => {
    for (let made = 0; made < 7; made++) await create({ name: `P${made}` });
    const all = (await api.call('GET', '/v1/keys?limit=9999&include=total')).json;
    expect(all.total).to.equal(all.data.length);
    expect(all.has_more).to.equal(false);
    const seen: string[] = [];
    let path: string | null = '/v1/keys?limit=3&state=active';
    while (path) {
      const answer = await api.call('GET', path);
      seen.push(...answer.json.data.map((key: { id: string }) => key.id));
      const link: string | null = answer.headers.get('link');
      expect(link === null).to.equal(!answer.json.has_more);
      path = link ? /^<([^>]+)>; rel="next"$/.exec(link)![1]! : null;
    }
    const active = all.data.filter((key: { state: string }) => key.state === 'active');
    expect(seen).to.deep.equal(active.map((key: { id: string }) => key.id));
  });

  it('bind a cursor to its filters only', async () => {
    const first = (await api.call('GET', '/v1/keys?limit=1&state=active')).json;
    const follow = (search: string) =>
      api.call('GET', `/v1/keys?cursor=${first.next_cursor}&${search}`);
    expect((await follow('limit=2&state=active&include=total')).status).to.equal(200);
    expect((await follow('state=revoked')).json.code).to.equal('cursor_mismatch');
    expect((await follow('')).json.code).to.equal('cursor_mismatch');
    const tampered = first.next_cursor.replace(/^./, (letter: string) =>
      letter === 'A' ? 'B' : 'A',
    );
    const answer = await api.call('GET', `/v1/keys?state=active&cursor=${tampered}`);
    expect(answer.json.code).to.equal('cursor_invalid');
  });

  it('return 429 after too many failures from one address, but not for valid keys', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const fail = () =>
      api.call('GET', '/v1/limits', { headers: { ...headers, authorization: 'Bearer nonsense' } });
    const statuses = [];
    for (let times = 0; times < 70; times++) statuses.push((await fail()).status);
    expect(statuses[0]).to.equal(401);
    expect(statuses).to.include(429);
    expect((await api.call('GET', '/v1/limits', { headers })).status).to.equal(200);
  });
});
