import { expect } from 'chai';
import type { Tenant, TestApi } from '../../support/api.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openPersonBrowser, type PersonBrowser } from '../../support/person-browser.ts';

describe('joining a project', () => {
  let api: TestApi;
  let people: PeopleApi;
  before(async () => {
    people = await startPeopleApi();
    ({ api } = people);
  });
  after(() => people.close());

  const issuer = () => people.provider.settings.issuer;
  const enter = async (role: string): Promise<PersonBrowser> => {
    people.newPerson();
    const browser = openPersonBrowser(api);
    expect((await browser.join(await people.invite(role))).status).to.equal(200);
    return browser;
  };
  const sessionOf = async (browser: PersonBrowser) =>
    (await browser.call('GET', '/portal/session')).json;
  /** Adds the person of the provider to a project. */
  const add = async (role: string, tenant: Partial<Tenant> = api.other) => {
    const body = { issuer: issuer(), subject: people.provider.person!.sub, role };
    const made = await api.call('POST', '/v1/members', { ...tenant, body });
    expect(made.status, made.text).to.equal(201);
    return made.json;
  };
  const shown = async (id: string, tenant: Partial<Tenant> = api.other) =>
    (await api.call('GET', `/v1/members/${id}`, tenant)).json;
  const eventsOf = async (id: string) =>
    (
      await api.rows<{ type: string; actor_type: string }>(
        'SELECT type, actor_type FROM event WHERE resource_id = $1 ORDER BY ordinal',
        [id],
      )
    ).map(({ type, actor_type: actor }) => `${type} ${actor}`);

  it('shows nothing of a person who was added before they accept', async () => {
    const browser = await enter('viewer');
    const { name, email, sub: subject } = people.provider.person!;
    const added = await add('viewer');
    const asleep = { state: 'invited', name: null, email: null, issuer: issuer(), subject };
    expect(added).to.include(asleep);
    const page = await browser.visit('/portal/sign-in');
    expect(page.text).to.include('Join Two as viewer?');
    const row = await shown(added.id);
    expect(row).to.include(asleep);
    expect(row.version).to.equal(added.version);
    const session = await sessionOf(browser);
    expect(session.project_id).to.equal(api.projectId);
    expect(session.projects.map(({ id }: { id: string }) => id)).to.deep.equal([api.projectId]);
    const moved = await browser.call('POST', `/portal/session/project/${api.other.projectId}`, {
      headers: { 'X-CSRF-Token': session.csrf_token },
    });
    expect(moved.json.code).to.equal('project_forbidden');

    const joined = await browser.send(`/portal/sign-in/join?accept=${added.id}`);
    expect(joined.status, joined.text).to.equal(200);
    expect((await sessionOf(browser)).project_id).to.equal(api.other.projectId);
    expect(await shown(added.id)).to.include({ state: 'active', role: 'viewer', name, email });
    expect(await eventsOf(added.id)).to.deep.equal([
      'access.member.added api_key',
      'access.member.accepted user',
    ]);
  });

  it('is declined for good', async () => {
    const browser = await enter('viewer');
    const added = await add('admin');
    await browser.visit('/portal/sign-in');
    const left = await browser.send(`/portal/sign-in/join?decline=${added.id}`);
    expect(left.status).to.equal(200);
    expect((await sessionOf(browser)).project_id).to.equal(api.projectId);
    expect((await shown(added.id)).status).to.equal(404);
    expect((await eventsOf(added.id)).at(-1)).to.equal('access.member.removed user');
    expect((await browser.visit('/portal/sign-in')).text).not.to.include('Join');
  });

  it('moves no one who only opens a link', async () => {
    const browser = await enter('viewer');
    const url = await people.invite('admin', api.other);
    const page = await browser.visit(url);
    expect([page.status, page.text.includes('Join Two as admin?')]).to.deep.equal([200, true]);
    const { project_id: projectId, projects, user } = await sessionOf(browser);
    expect(projectId).to.equal(api.projectId);
    expect(projects).to.have.length(1);
    const path = `/v1/members?user_id=${user.id}`;
    expect((await api.call('GET', path, api.other)).json.data).to.deep.equal([]);

    const [, action = ''] = /action="([^"]*)"/.exec(page.text)!;
    const stranger = openPersonBrowser(api);
    expect((await stranger.send(action)).status).to.equal(403);
    expect((await stranger.visit(action)).status).to.equal(405);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.call('POST', action, { headers })).status).to.equal(403);
    expect((await api.call('GET', path, api.other)).json.data).to.deep.equal([]);
    const other = action.replace(/inv_\w+/, 'inv_00000000000000000000000000');
    expect((await browser.send(other)).status).to.equal(410);

    expect((await browser.send(action)).status).to.equal(200);
    expect((await sessionOf(browser)).project_id).to.equal(api.other.projectId);
    expect((await api.call('GET', path, api.other)).json.data).to.have.length(1);
    // A member who opens a link of their project is not moved there, either.
    await browser.call('POST', `/portal/session/project/${api.projectId}`);
    const again = await browser.visit(await people.invite('viewer', api.other));
    expect([again.status, again.text.includes('Two')]).to.deep.equal([200, true]);
    expect((await sessionOf(browser)).project_id).to.equal(api.projectId);
  });

  it('ends with the right of the one who added the person', async () => {
    const browser = await enter('viewer');
    const key = await api.call('POST', '/v1/keys', {
      ...api.other,
      body: { name: 'Adds', scopes: ['*'] },
    });
    const added = await add('admin', { ...api.other, key: key.json.api_key });
    // One who has not accepted is not the admin that a project keeps.
    expect((await api.call('DELETE', `/v1/keys/${key.json.id}`, api.other)).status).to.equal(204);
    expect((await shown(added.id)).status).to.equal(404);

    const second = await api.call('POST', '/v1/keys', {
      ...api.other,
      body: { name: 'Adds', scopes: ['*'] },
    });
    const later = await add('admin', { ...api.other, key: second.json.api_key });
    await browser.visit('/portal/sign-in');
    await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [second.json.id]);
    expect((await browser.send(`/portal/sign-in/join?accept=${later.id}`)).status).to.equal(410);
    expect(await shown(later.id)).to.include({ state: 'invited', name: null });
  });
});
