import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import type { Tenant, TestApi } from '../../support/api.ts';
import type { IdentityProvider } from '../../support/identity-provider.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openPersonBrowser, type PersonBrowser } from '../../support/person-browser.ts';
import { openRelay } from '../../support/relay.ts';
import { postRaw } from '../../support/uploads.ts';

describe('a person in the portal', () => {
  let api: TestApi;
  let people: PeopleApi;
  let provider: IdentityProvider;
  before(async () => {
    people = await startPeopleApi();
    ({ api, provider } = people);
  });
  after(() => people.close());

  const accept = async (browser: PersonBrowser, role: string, tenant: Partial<Tenant> = {}) => {
    const arrived = await browser.join(await people.invite(role, tenant));
    expect(arrived.status, arrived.text).to.equal(200);
  };
  const enter = async (role: string): Promise<PersonBrowser> => {
    people.newPerson();
    const browser = openPersonBrowser(api);
    await accept(browser, role);
    return browser;
  };
  const sessionOf = async (browser: PersonBrowser) =>
    (await browser.call('GET', '/portal/session')).json;

  it('is the actor of what they do, with the name of that time', async () => {
    const browser = await enter('admin');
    const { user } = await sessionOf(browser);
    const actor = { type: 'user', id: user.id, name: provider.person!.name };
    const made = await browser.call('POST', '/portal/api/v1/collections', {
      body: { name: 'Maps' },
    });
    expect(made.status, made.text).to.equal(201);
    await browser.call('GET', '/portal/api/v1/objects/obj_00000000000000000000000000/content');
    const key = await browser.call('POST', '/portal/api/v1/keys', {
      body: { name: 'Import', scopes: ['objects:write'] },
    });
    expect(key.json.created_by).to.deep.equal(actor);
    expect((await api.call('GET', `/v1/keys/${key.json.id}`)).json.created_by).to.deep.equal(actor);
    const byKey = await api.call('POST', '/v1/keys', {
      body: { name: 'B', scopes: ['keys:read'] },
    });
    expect(byKey.json.created_by).to.deep.equal({ type: 'api_key', id: api.keyId, name: null });

    const relay = await openRelay(api);
    await relay.run();
    await relay.close();
    provider.person = { sub: provider.person!.sub, name: 'Renamed' };
    await browser.visit('/portal/sign-in');
    for (const category of ['domain', 'audit']) {
      const path = `/v1/events?category=${category}&actor_type=user&actor_id=${user.id}`;
      const { data } = (await api.call('GET', path)).json;
      expect(data).not.to.have.length(0);
      for (const event of data) expect(event.actor).to.deep.equal(actor);
    }
    const [stored] = await api.rows<{ body: string }>(
      `SELECT body FROM event WHERE type = 'dam.collection.created' AND resource_id = $1`,
      [made.json.id],
    );
    expect(JSON.parse(stored!.body).actor).to.deep.equal(actor);
    const csv = await api.call('GET', `/v1/events?category=audit&actor_id=${user.id}`, {
      headers: { Accept: 'text/csv' },
    });
    expect(csv.text).to.include(actor.name);
  });

  it('is recorded as denied, by their own identifier', async () => {
    const browser = await enter('viewer');
    const { user } = await sessionOf(browser);
    await browser.call('GET', '/portal/api/v1/webhooks');
    const [denied] = await api.rows<{
      resource_type: string;
      resource_id: string;
      actor_name: string;
    }>(
      `SELECT resource_type, resource_id, actor_name FROM event
       WHERE type = 'access.request.denied' AND actor_id = $1`,
      [user.id],
    );
    expect(denied).to.deep.equal({
      resource_type: 'user',
      resource_id: user.id,
      actor_name: provider.person!.name,
    });
  });

  it('grants keys and roles within their own role only', async () => {
    const browser = await enter('developer');
    const wide = await browser.call('POST', '/portal/api/v1/keys', {
      body: { name: 'Wide', scopes: ['*'] },
    });
    expect(wide.json.code).to.equal('insufficient_scope');
    const invited = await browser.call('POST', '/portal/api/v1/members/invitations', {
      body: { role: 'viewer' },
    });
    expect(invited.json.code).to.equal('insufficient_scope');
    const rolled = await browser.call('POST', `/portal/api/v1/keys/${api.keyId}/roll`, {
      body: {},
    });
    expect(rolled.json.code).to.equal('insufficient_scope');
  });

  it('repeats a request safely under an Idempotency-Key of their own', async () => {
    const browser = await enter('editor');
    const other = await enter('editor');
    const sent = { body: { name: 'Once' }, headers: { 'Idempotency-Key': 'once' } };
    const first = await browser.call('POST', '/portal/api/v1/collections', sent);
    const second = await browser.call('POST', '/portal/api/v1/collections', sent);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    const theirs = await other.call('POST', '/portal/api/v1/collections', sent);
    expect(theirs.json.id).not.to.equal(first.json.id);
  });

  it('signs URLs that stop working when they leave', async () => {
    const browser = await enter('viewer');
    const object = (await postRaw(api, 'hello', 'a.txt')).json.id;
    const path = `/portal/api/v1/objects/${object}/signed-urls`;
    const { url } = (await browser.call('POST', path, { body: { ttl_seconds: 600 } })).json;
    expect((await fetch(url)).status).to.equal(200);
    const { user } = await sessionOf(browser);
    const [member] = (await api.call('GET', `/v1/members?user_id=${user.id}`)).json.data;
    await api.call('DELETE', `/v1/members/${member.id}`);
    expect((await fetch(url)).status).to.equal(403);
  });

  it('leaves keys that go on working, and open invitations that do not', async () => {
    // A project keeps its last admin.
    await enter('admin');
    const browser = await enter('admin');
    const post = async (path: string, body: object) => {
      const made = await browser.call('POST', `/portal/api/v1/${path}`, { body });
      expect(made.status, made.text).to.equal(201);
      return made.json;
    };
    const key = await post('keys', { name: 'Import', scopes: ['objects:read'] });
    const invitation = await post('members/invitations', { role: 'viewer' });
    const { user } = await sessionOf(browser);
    const [member] = (await api.call('GET', `/v1/members?user_id=${user.id}`)).json.data;
    expect((await api.call('DELETE', `/v1/members/${member.id}`)).status).to.equal(204);
    expect((await api.call('GET', '/v1/objects', { key: key.api_key })).status).to.equal(200);
    people.newPerson();
    expect((await openPersonBrowser(api).join(invitation.url)).status).to.equal(410);
  });

  it('is named by what they download, also by URLs that they signed', async () => {
    const browser = await enter('viewer');
    const object = (await postRaw(api, 'by name', 'name.txt')).json.id;
    const path = `/portal/api/v1/objects/${object}`;
    await browser.call('GET', `${path}/content`);
    const { url } = (await browser.call('POST', `${path}/signed-urls`, { body: {} })).json;
    await fetch(url);
    await api.deps.downloadCounts.flush();
    const { user } = await sessionOf(browser);
    const { json } = await api.call('GET', `/v1/objects/${object}/downloads`);
    expect(json.data.map((one: { via: string }) => one.via)).to.deep.equal([
      'signed_url',
      'direct',
    ]);
    for (const { actor } of json.data) {
      expect(actor).to.deep.equal({ type: 'user', id: user.id, name: user.name });
    }
    const events = await api.rows<{ actor_name: string }>(
      `SELECT actor_name FROM event WHERE type = 'dam.object.downloaded' AND resource_id = $1`,
      [object],
    );
    expect(events.map((event) => event.actor_name)).to.deep.equal([user.name, user.name]);
  });

  it('acts in one project at a time, and switches', async () => {
    const browser = await enter('admin');
    await accept(browser, 'viewer', api.other);
    const there = await sessionOf(browser);
    expect(there.project_id).to.equal(api.other.projectId);
    expect(there.projects.map(({ role }: { role: string }) => role).sort()).to.deep.equal([
      'admin',
      'viewer',
    ]);
    const create = (headers = {}) =>
      browser.call('POST', '/portal/api/v1/collections', { body: { name: 'Here' }, headers });
    expect((await create()).json.code).to.equal('insufficient_scope');
    const moved = await browser.call('POST', `/portal/session/project/${api.projectId}`);
    expect(moved.status).to.equal(204);
    // A page that still shows the other project changes nothing in this one.
    expect((await create()).json.code).to.equal('csrf_token_invalid');
    const here = await sessionOf(browser);
    expect(here.project_id).to.equal(api.projectId);
    expect((await create({ 'X-CSRF-Token': here.csrf_token })).status).to.equal(201);
    // It starts there the next time.
    const again = openPersonBrowser(api);
    await again.visit('/portal/sign-in');
    expect((await sessionOf(again)).project_id).to.equal(api.projectId);

    const stranger = await enter('viewer');
    const rejected = await stranger.call('POST', `/portal/session/project/${api.other.projectId}`);
    const missing = await stranger.call(
      'POST',
      '/portal/session/project/prj_00000000000000000000000000',
    );
    for (const answer of [rejected, missing]) {
      expect([answer.status, answer.json.code]).to.deep.equal([403, 'project_forbidden']);
    }
    const [member] = (await api.call('GET', `/v1/members?user_id=${here.user.id}`)).json.data;
    await api.rows('DELETE FROM member WHERE id = $1', [member.id]);
    expect((await browser.call('GET', '/portal/session')).status).to.equal(401);
  });

  it('sees their sessions, and ends one or all of them', async () => {
    const first = await enter('viewer');
    const second = openPersonBrowser(api);
    const third = openPersonBrowser(api);
    await second.visit('/portal/sign-in');
    await accept(third, 'viewer', api.other);
    const list = async () => (await first.call('GET', '/portal/sessions')).json.data;
    const all = await list();
    expect(all).to.have.length(3);
    expect(all.filter(({ current }: { current: boolean }) => current)).to.have.length(1);
    expect(all[0]).to.include({ address: '127.0.0.1' });
    const own = await sessionOf(second);
    const ended = (id: string) => first.call('DELETE', `/portal/sessions/${id}`, { headers: {} });
    expect((await ended(own.id)).status).to.equal(204);
    expect((await second.call('GET', '/portal/session')).status).to.equal(401);
    expect((await ended(own.id)).status).to.equal(404);
    const stranger = await enter('viewer');
    expect((await ended((await sessionOf(stranger)).id)).status).to.equal(404);
    expect((await sessionOf(stranger)).user.role).to.equal('viewer');
    const forged = await first.call('DELETE', '/portal/sessions', {
      headers: { 'X-CSRF-Token': 'x' },
    });
    expect(forged.json.code).to.equal('csrf_token_invalid');
    expect((await first.call('DELETE', '/portal/sessions')).status).to.equal(204);
    expect((await third.call('GET', '/portal/session')).status).to.equal(401);
    expect(first.cookie()).not.to.include('portal=');
  });

  it('is signed out on the server, after two idle hours and after twelve', async () => {
    const out = await enter('viewer');
    const held = out.cookie();
    expect((await out.call('DELETE', '/portal/session')).status).to.equal(204);
    const again = await out.call('GET', '/portal/session', { headers: { Cookie: held } });
    expect(again.status).to.equal(401);

    const age = (browser: PersonBrowser, column: string, by: string) =>
      sessionOf(browser).then(({ id }) =>
        api.rows(`UPDATE portal_session SET ${column} = now() ${by} WHERE id = $1`, [id]),
      );
    const idle = await enter('viewer');
    await age(
      idle,
      'last_seen_at',
      `- interval '${limits.portal_session_idle_hours * 60 - 1} minutes'`,
    );
    // Used, and so as new.
    expect((await idle.call('GET', '/portal/session')).status).to.equal(200);
    const [seen] = (await idle.call('GET', '/portal/sessions')).json.data;
    expect(Date.parse(seen.last_seen_at)).to.be.greaterThan(Date.parse(seen.created_at) - 1);
    await age(idle, 'last_seen_at', `- interval '${limits.portal_session_idle_hours} hours'`);
    expect((await idle.call('GET', '/portal/session')).status).to.equal(401);
    const old = await enter('viewer');
    await age(old, 'expires_at', '');
    expect((await old.call('GET', '/portal/session')).status).to.equal(401);
  });

  it('has sessions apart from those of keys', async () => {
    const browser = await enter('viewer');
    const begun = await api.call('POST', '/portal/session');
    const cookie = begun.headers.get('Set-Cookie')!.split(';')[0]!;
    const headers = {
      Authorization: undefined,
      'X-Service-Project-ID': undefined,
      Cookie: cookie,
      'X-CSRF-Token': begun.json.csrf_token,
    };
    const keys = await api.call('GET', '/portal/sessions', { headers });
    expect(keys.json.data.map(({ id }: { id: string }) => id)).to.deep.equal([begun.json.id]);
    const move = await api.call('POST', `/portal/session/project/${api.other.projectId}`, {
      headers,
    });
    expect(move.json.code).to.equal('state_conflict');
    expect((await sessionOf(browser)).key).to.equal(null);
    expect(begun.json.user).to.equal(null);
  });
});
