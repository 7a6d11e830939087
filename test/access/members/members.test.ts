import { grantsRole, roleNames, scopesOf } from '@scriptorium/contracts/roles';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';

const issuer = 'https://login.example.com';

describe('members', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  let people = 0;
  const add = (role: string, more: object = {}, by: Partial<Tenant> = {}) => {
    people += 1;
    const body = { issuer, subject: `person-${people}`, role, ...more };
    return api.call('POST', '/v1/members', { ...by, body });
  };
  const events = (resourceId: string) =>
    api.rows<{ type: string; category: string; data: Record<string, unknown> }>(
      'SELECT type, category, data FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [resourceId],
    );

  it('have a role, shown as its scopes, and a record of every change', async () => {
    const made = await add('viewer', { name: 'Asha Bell', email: 'asha@example.com' });
    expect(made.status, made.text).to.equal(201);
    expect(made.headers.get('location')).to.equal(`/v1/members/${made.json.id}`);
    expect(made.json).to.include({ role: 'viewer', name: 'Asha Bell', source: 'added' });
    expect(made.json.scopes).to.deep.equal(scopesOf('viewer'));
    // Once the person has accepted, name and address are theirs: see api/portal/joining.
    expect(made.json).to.include({ state: 'invited', issuer });
    const path = `/v1/members/${made.json.id}`;
    const stale = await api.call('PATCH', path, {
      headers: { 'if-match': '"7"' },
      body: { role: 'editor' },
    });
    expect(stale.json.code).to.equal('etag_mismatch');
    const changed = await api.call('PATCH', path, {
      headers: { 'if-match': made.headers.get('etag')! },
      body: { role: 'editor' },
    });
    expect(changed.json).to.include({ role: 'editor', version: 2 });
    const same = await api.call('PATCH', path, { body: { role: 'editor' } });
    expect(same.json.version).to.equal(2);
    expect((await api.call('GET', path)).json).to.deep.equal(changed.json);
    expect((await api.call('DELETE', path)).status).to.equal(204);
    expect((await api.call('GET', path)).status).to.equal(404);
    const person = { user_id: made.json.user_id, name: 'Asha Bell', source: 'added' };
    const told = await events(made.json.id);
    expect(told).to.deep.equal([
      { type: 'access.member.added', category: 'audit', data: { ...person, role: 'viewer' } },
      {
        type: 'access.member.role_changed',
        category: 'audit',
        data: { ...person, from: 'viewer', to: 'editor' },
      },
      { type: 'access.member.removed', category: 'audit', data: { ...person, role: 'editor' } },
    ]);
    expect(JSON.stringify(told)).not.to.include('asha@');
  });

  it('are one per person and project, however often it is asked for at once', async () => {
    const body = { issuer, subject: 'twice', role: 'viewer' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.call('POST', '/v1/members', { body })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409]);
    const elsewhere = await api.call('POST', '/v1/members', { ...api.other, body });
    expect(elsewhere.status).to.equal(201);
    const here = answers.find(({ status }) => status === 201)!;
    // The same person, of whom each project sees only what it knows itself.
    expect(elsewhere.json.user_id).to.equal(here.json.user_id);
    const list = await api.call('GET', `/v1/members?user_id=${here.json.user_id}&include=total`);
    expect(list.json.total).to.equal(1);
  });

  it('are listed by role, page by page', async () => {
    const made = await Promise.all([add('developer'), add('developer'), add('developer')]);
    const seen: string[] = [];
    let path: string | null = '/v1/members?role=developer&limit=2';
    while (path) {
      const answer = await api.call('GET', path);
      seen.push(...answer.json.data.map((one: { id: string }) => one.id));
      path =
        answer.json.next_cursor &&
        `/v1/members?role=developer&limit=2&cursor=${answer.json.next_cursor}`;
    }
    expect(seen).to.have.members(made.map(({ json }) => json.id));
    const unknown = await api.call('GET', '/v1/members?role=owner');
    expect(unknown.status).to.equal(400);
    const wrong = await add('owner');
    expect(wrong.status).to.equal(422);
    expect(wrong.json.errors[0]).to.include({ pointer: '/role' });
  });

  it('get no role that is wider than the caller’s scopes', async () => {
    const own: Scope[] = ['members:read', 'members:write', ...scopesOf('viewer')];
    const clerk = await api.issue(own);
    expect((await add('viewer', {}, clerk)).status).to.equal(201);
    for (const role of roleNames.filter((name) => !grantsRole(own, name))) {
      const rejected = await add(role, {}, clerk);
      expect(rejected.json.code, role).to.equal('insufficient_scope');
      const invited = await api.call('POST', '/v1/members/invitations', {
        ...clerk,
        body: { role },
      });
      expect(invited.json.code, role).to.equal('insufficient_scope');
    }
    const editor = (await add('editor')).json;
    const path = `/v1/members/${editor.id}`;
    const demoted = await api.call('PATCH', path, { ...clerk, body: { role: 'viewer' } });
    expect(demoted.json.code).to.equal('insufficient_scope');
    expect((await api.call('DELETE', path, clerk)).json.code).to.equal('insufficient_scope');
    const viewer = (await add('viewer')).json;
    const raised = await api.call('PATCH', `/v1/members/${viewer.id}`, {
      ...clerk,
      body: { role: 'admin' },
    });
    expect(raised.json.code).to.equal('insufficient_scope');
    const reader = await api.issue(['members:read']);
    expect((await add('viewer', {}, reader)).json.code).to.equal('insufficient_scope');
  });

  it('keep at least one admin, even if two remove each other at once', async () => {
    const { other } = api;
    const make = async (subject: string) =>
      (
        await api.call('POST', '/v1/members', {
          ...other,
          body: { issuer, subject, role: 'admin' },
        })
      ).json.id as string;
    const admins = [await make('admin-1'), await make('admin-2')];
    await api.rows(`UPDATE member SET state = 'active' WHERE id = ANY($1)`, [admins]);
    // One who has not accepted is not an admin yet.
    await make('admin-3');
    const removed = await Promise.all(
      admins.map((id) => api.call('DELETE', `/v1/members/${id}`, other)),
    );
    expect(removed.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
    const { data } = (await api.call('GET', '/v1/members?role=admin', other)).json;
    const [left] = data.filter(({ state }: { state: string }) => state === 'active');
    const path = `/v1/members/${left.id}`;
    for (const answer of [
      await api.call('DELETE', path, other),
      await api.call('PATCH', path, { ...other, body: { role: 'developer' } }),
    ]) {
      expect([answer.status, answer.json.code]).to.deep.equal([409, 'last_admin']);
    }
    expect((await api.call('PATCH', path, { ...other, body: { role: 'admin' } })).status).to.equal(
      200,
    );
  });

  it('are created once per Idempotency-Key, which stores no address in plain text', async () => {
    const sent = {
      headers: { 'idempotency-key': 'once' },
      body: { issuer, subject: 'idempotent', role: 'viewer', email: 'kofi@example.com' },
    };
    const first = await api.call('POST', '/v1/members', sent);
    const second = await api.call('POST', '/v1/members', sent);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    const [stored] = await api.rows<{ body: string }>(
      `SELECT body FROM idempotency WHERE route = 'addMember'`,
    );
    expect(stored!.body).not.to.include('kofi');
  });

  it('are bounded in number', async () => {
    const project = api.other;
    await api.rows(
      `WITH people AS (
         INSERT INTO person (id, issuer, subject)
         SELECT new_id('usr'), 'https://bulk.example', n::text FROM generate_series(1, 1000) n RETURNING id)
       INSERT INTO member (project_id, id, user_id, role, source)
       SELECT $1, new_id('mem'), id, 'viewer', 'added' FROM people
       LIMIT 1000 - (SELECT count(*) FROM member WHERE project_id = $1)`,
      [project.projectId],
    );
    const rejected = await add('viewer', {}, project);
    expect([rejected.status, rejected.json.limit]).to.deep.equal([409, 1000]);
  });
});

describe('roles', () => {
  it('grow from viewer to admin, who has everything', () => {
    for (const name of roleNames) {
      for (const scope of scopesOf('viewer')) expect(grants(scopesOf(name), scope)).to.equal(true);
    }
    expect(roleNames.filter((name) => grantsRole(scopesOf('developer'), name))).to.deep.equal([
      'viewer',
      'editor',
      'developer',
    ]);
    expect(grantsRole(scopesOf('admin'), 'reviewer')).to.equal(true);
  });
});
