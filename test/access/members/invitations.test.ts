import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';

describe('invitations', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { publicUrl: 'https://files.example.com' } });
  });
  after(() => api.close());

  const invite = (body: object = { role: 'viewer' }, more: object = {}) =>
    api.call('POST', '/v1/members/invitations', { body, ...more });

  it('have a link that is shown once, not stored, and works for a week', async () => {
    const made = await invite({ role: 'reviewer', name: 'Mei Tanaka' });
    expect(made.status, made.text).to.equal(201);
    const { url, ...shown } = made.json;
    expect(url).to.match(
      /^https:\/\/files\.example\.com\/portal\/sign-in\?invitation=[\w-]+\.[\w-]+$/,
    );
    expect(made.json).to.include({ state: 'open', role: 'reviewer', name: 'Mei Tanaka' });
    expect(made.json.created_by).to.deep.equal({ type: 'api_key', id: api.keyId, name: null });
    const days = (Date.parse(made.json.expires_at) - Date.parse(made.json.created_at)) / 86_400_000;
    expect(days).to.equal(7);
    const path = `/v1/members/invitations/${made.json.id}`;
    expect((await api.call('GET', path)).json).to.deep.equal(shown);
    const rows = await api.rows<{ all: string }>(
      'SELECT to_jsonb(i)::text AS all FROM invitation i',
    );
    const token = url.split('=')[1];
    expect(rows.map(({ all }) => all).join()).not.to.include(token.split('.')[1]);
    const events = await api.rows<{ type: string; data: object }>(
      'SELECT type, data FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [made.json.id],
    );
    expect(events).to.deep.equal([
      {
        type: 'access.member.invited',
        data: { role: 'reviewer', expires_at: made.json.expires_at },
      },
    ]);
  });

  it('are revoked once, whatever their state', async () => {
    const { id } = (await invite()).json;
    const path = `/v1/members/invitations/${id}`;
    const stale = await api.call('DELETE', path, { headers: { 'if-match': '"9"' } });
    expect(stale.json.code).to.equal('etag_mismatch');
    expect((await api.call('DELETE', path)).status).to.equal(204);
    expect((await api.call('DELETE', path)).status).to.equal(204);
    expect((await api.call('GET', path)).json.state).to.equal('revoked');
    const types = await api.rows<{ type: string }>(
      'SELECT type FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [id],
    );
    expect(types.map(({ type }) => type)).to.deep.equal([
      'access.member.invited',
      'access.member.invitation_revoked',
    ]);
  });

  it('are listed by state', async () => {
    const { id } = (await invite()).json;
    await api.rows(`UPDATE invitation SET expires_at = now() WHERE id = $1`, [id]);
    const expired = await api.call('GET', '/v1/members/invitations?state=expired&include=total');
    expect(expired.json.data.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    expect(expired.json.total).to.equal(1);
    const open = await api.call('GET', '/v1/members/invitations?state=open');
    expect(open.text).not.to.include(id);
  });

  it('keep their link secret in stored responses, and return it again', async () => {
    const sent = { headers: { 'idempotency-key': 'invite-once' } };
    const first = await invite({ role: 'viewer' }, sent);
    const second = await invite({ role: 'viewer' }, sent);
    expect(second.json.url).to.equal(first.json.url);
    const [stored] = await api.rows<{ body: string }>(
      `SELECT body FROM idempotency WHERE route = 'createInvitation'`,
    );
    expect(stored!.body).not.to.include('sign-in');
  });

  it('are bounded in number while open', async () => {
    const limits = (await api.call('GET', '/v1/limits')).json;
    const most = limits.open_invitations_per_project;
    await api.rows(
      `INSERT INTO invitation (project_id, id, role, created_by, expires_at)
       SELECT $1, new_id('inv'), 'viewer', '{"type":"operator","id":null}', now() + interval '1 day'
       FROM generate_series(1, $2::integer)`,
      [api.other.projectId, most],
    );
    const rejected = await invite({ role: 'viewer' }, api.other);
    expect([rejected.status, rejected.json.limit]).to.deep.equal([409, most]);
  });
});
