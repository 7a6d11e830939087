import { scopesOf } from '@scriptorium/contracts/roles';
import { expect } from 'chai';
import type { Tenant, TestApi } from '../../support/api.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openPersonBrowser, type PersonBrowser } from '../../support/person-browser.ts';

describe('an invitation, when it is accepted', () => {
  let api: TestApi;
  let people: PeopleApi;
  before(async () => {
    people = await startPeopleApi();
    ({ api } = people);
  });
  after(() => people.close());

  const adminKey = () => api.issue(['*']);
  const keyPath = ({ keyId }: Tenant) => `/v1/keys/${keyId}`;
  const enter = async (role: string): Promise<{ browser: PersonBrowser; memberPath: string }> => {
    people.newPerson();
    const browser = openPersonBrowser(api);
    const arrived = await browser.join(await people.invite(role));
    expect(arrived.status, arrived.text).to.equal(200);
    const { user } = (await browser.call('GET', '/portal/session')).json;
    const [member] = (await api.call('GET', `/v1/members?user_id=${user.id}`)).json.data;
    return { browser, memberPath: `/v1/members/${member.id}` };
  };
  const made = async (browser: PersonBrowser, path: string, body: object) => {
    const answer = await browser.call('POST', `/portal/api/v1/${path}`, { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.json;
  };
  /** What a new person sees who opens the link. */
  const opened = async (url: string): Promise<number> => {
    people.newPerson();
    return (await openPersonBrowser(api).join(url)).status;
  };
  const endings = (id: string) =>
    api.rows<{ actor_id: string }>(
      `SELECT actor_id FROM event
       WHERE type = 'access.member.invitation_revoked' AND resource_id = $1`,
      [id],
    );

  it('ends with the key that made it: revoked, narrowed, bounded or rolled', async () => {
    const changes = [
      (key: Tenant) => api.call('DELETE', keyPath(key)),
      (key: Tenant) =>
        api.call('PATCH', keyPath(key), { body: { scopes: ['members:write', 'objects:read'] } }),
      (key: Tenant) => api.call('PATCH', keyPath(key), { body: { allowed_cidrs: ['10.0.0.0/8'] } }),
      (key: Tenant) =>
        api.call('PATCH', keyPath(key), { body: { expires_at: '2099-01-01T00:00:00Z' } }),
      (key: Tenant) => api.call('POST', `${keyPath(key)}/roll`, { body: { overlap_seconds: 600 } }),
    ];
    for (const change of changes) {
      const key = await adminKey();
      const invited = await api.call('POST', '/v1/members/invitations', {
        ...key,
        body: { role: 'admin' },
      });
      expect((await change(key)).status).to.be.oneOf([200, 201, 204]);
      expect(await opened(invited.json.url)).to.equal(410);
      const path = `/v1/members/invitations/${invited.json.id}`;
      expect((await api.call('GET', path)).json.state).to.equal('revoked');
      expect(await endings(invited.json.id)).to.deep.equal([{ actor_id: api.keyId }]);
    }
  });

  it('survives changes that leave its creator the right to make it', async () => {
    const key = await adminKey();
    const url = await people.invite('viewer', key);
    await api.call('PATCH', keyPath(key), { body: { name: 'Renamed' } });
    const narrower = ['members:write', ...scopesOf('viewer')];
    const kept = { scopes: narrower };
    const changed = await api.call('PATCH', keyPath(key), { body: kept });
    expect(changed.status, changed.text).to.equal(200);
    expect(await opened(url)).to.equal(200);
  });

  it('ends with the admin who made it, themselves or through keys: demoted or removed', async () => {
    await enter('admin');
    for (const change of [
      (path: string) => api.call('PATCH', path, { body: { role: 'developer' } }),
      (path: string) => api.call('DELETE', path),
    ]) {
      const { browser, memberPath } = await enter('admin');
      const own = await made(browser, 'members/invitations', { role: 'viewer' });
      const key = await made(browser, 'keys', { name: 'Theirs', scopes: ['*'] });
      const second = await api.call('POST', '/v1/keys', {
        key: key.api_key,
        body: { name: 'Made with it', scopes: ['*'] },
      });
      const urls = [own.url];
      for (const secret of [key.api_key, second.json.api_key]) {
        urls.push(await people.invite('admin', { key: secret }));
      }
      expect((await change(memberPath)).status).to.be.oneOf([200, 204]);
      for (const url of urls) expect(await opened(url)).to.equal(410);
      expect(await endings(own.id)).to.deep.equal([{ actor_id: api.keyId }]);
    }
  });

  it('asks its creator again, even if no change has ended it', async () => {
    const key = await adminKey();
    const url = await people.invite('admin', key);
    // As a key does that expires.
    await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [key.keyId]);
    expect(await opened(url)).to.equal(410);
    await enter('admin');
    const { browser, memberPath } = await enter('admin');
    const own = await made(browser, 'members/invitations', { role: 'admin' });
    await api.rows(`UPDATE member SET role = 'developer' WHERE id = $1`, [
      memberPath.split('/').at(-1),
    ]);
    expect(await opened(own.url)).to.equal(410);
  });

  it('is not for keys with limits to make, nor are members', async () => {
    const { memberPath } = await enter('viewer');
    const open = await api.call('POST', '/v1/members/invitations', { body: { role: 'viewer' } });
    const bounds: object[] = [
      { allowed_cidrs: ['127.0.0.0/8'] },
      { expires_at: new Date(Date.now() + 90_000).toISOString() },
    ];
    const keys: Partial<Tenant>[] = [await api.issue(['*'], { write: 60 })];
    for (const bound of bounds) {
      const made = await api.call('POST', '/v1/keys', {
        body: { name: 'Bounded', scopes: ['*'], ...bound },
      });
      keys.push({ key: made.json.api_key });
    }
    const person = { issuer: 'https://login.example.com', subject: 'x', role: 'viewer' };
    for (const key of keys) {
      for (const [method, path, body] of [
        ['POST', '/v1/members/invitations', { role: 'admin' }],
        ['POST', '/v1/members', person],
        ['PATCH', memberPath, { role: 'admin' }],
        ['DELETE', memberPath, undefined],
        ['DELETE', `/v1/members/invitations/${open.json.id}`, undefined],
      ] as const) {
        const rejected = await api.call(method, path, { ...key, ...(body && { body }) });
        expect([rejected.status, rejected.json?.code], `${method} ${path}`).to.deep.equal([
          403,
          'key_limits_exceeded',
        ]);
      }
    }
  });
});
