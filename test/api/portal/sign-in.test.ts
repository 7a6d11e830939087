import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createApp } from '../../../src/api/app.ts';
import { listen } from '../../../src/api/listen.ts';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';
import type { IdentityProvider } from '../../support/identity-provider.ts';
import { type PeopleApi, startPeopleApi } from '../../support/people.ts';
import { openPersonBrowser, type PersonBrowser } from '../../support/person-browser.ts';

describe('signing in', () => {
  let api: TestApi;
  let people: PeopleApi;
  let provider: IdentityProvider;
  before(async () => {
    people = await startPeopleApi();
    ({ api, provider } = people);
  });
  after(() => people.close());

  const someone = (more: object = {}) => people.newPerson(more);
  const invite = (role: string) => people.invite(role);
  /** Signs in a new person with a role. */
  const enter = async (role: string, more: object = {}): Promise<PersonBrowser> => {
    someone(more);
    const browser = openPersonBrowser(api);
    const arrived = await browser.join(await invite(role));
    expect(arrived.status, arrived.text).to.equal(200);
    return browser;
  };
  const memberOf = async (browser: PersonBrowser) => {
    const { user } = (await browser.call('GET', '/portal/session')).json;
    const list = await api.call('GET', `/v1/members?user_id=${user.id}`);
    return list.json.data[0];
  };

  it('makes an invited person a member, with the rights of the role and no more', async () => {
    const browser = await enter('viewer');
    const session = (await browser.call('GET', '/portal/session')).json;
    expect(session).to.include({ project_id: api.projectId, key: null });
    expect(session.user).to.include({ name: provider.person!.name, role: 'viewer' });
    expect(session.projects).to.deep.equal([{ id: api.projectId, name: 'One', role: 'viewer' }]);
    expect(await memberOf(browser)).to.include({
      source: 'invitation',
      name: provider.person!.name,
      email: provider.person!.email,
    });
    expect((await browser.call('GET', '/portal/api/v1/objects')).status).to.equal(200);
    const rejected = await browser.call('GET', '/portal/api/v1/keys');
    expect(rejected.json.code).to.equal('insufficient_scope');
    expect(rejected.json.detail).to.include('viewer');
    const self = await browser.call('GET', '/portal/api/v1/keys/self');
    expect(self.status).to.equal(404);
    const bare = await browser.call('GET', '/v1/objects');
    expect(bare.json.code).to.equal('authentication_required');
  });

  it('rejects an invitation that was used, was revoked, has expired or is invalid', async () => {
    const url = await invite('viewer');
    someone();
    expect((await openPersonBrowser(api).join(url)).status).to.equal(200);
    someone();
    const again = await openPersonBrowser(api).join(url);
    expect(again.status).to.equal(410);
    expect(again.text).to.include('already used');

    // Revoked while the person was at the provider.
    const late = await openPersonBrowser(api).join(await invite('viewer'), async ({ pathname }) => {
      if (pathname !== '/portal/sign-in/callback') return;
      await api.rows('UPDATE invitation SET revoked_at = now() WHERE accepted_at IS NULL');
    });
    expect(late.status).to.equal(410);
    for (const [change, expected] of [
      ['revoked_at = now()', 'revoked'],
      ['expires_at = now()', 'expired'],
    ] as const) {
      const other = await invite('viewer');
      await api.rows(`UPDATE invitation SET ${change} WHERE accepted_at IS NULL`);
      const rejected = await openPersonBrowser(api).join(other);
      expect([rejected.status, rejected.text.includes(expected)], expected).to.deep.equal([
        410,
        true,
      ]);
    }
    const wrong = await openPersonBrowser(api).visit('/portal/sign-in?invitation=nonsense');
    expect(wrong.status).to.equal(410);
  });

  it('lets one person in when two use an invitation at once', async () => {
    const url = await invite('viewer');
    someone();
    const results = await Promise.all([
      openPersonBrowser(api).join(url),
      openPersonBrowser(api).join(url),
    ]);
    // The same person: a member by the first, signed in by both.
    const [row] = await api.rows<{ n: number }>(
      'SELECT count(*)::integer AS n FROM member WHERE name = $1',
      [provider.person!.name],
    );
    expect(row!.n).to.equal(1);
    expect(results.map(({ status }) => status).sort()).to.satisfy((statuses: number[]) =>
      [200, 410].includes(statuses[1]!),
    );
  });

  it('lets a person in who has used the invitation meanwhile', async () => {
    const url = await invite('viewer');
    someone();
    const late = await openPersonBrowser(api).join(url, async ({ pathname }) => {
      if (pathname !== '/portal/sign-in/callback') return;
      expect((await openPersonBrowser(api).join(url)).status).to.equal(200);
    });
    expect(late.status).to.equal(200);
    const used = await openPersonBrowser(api).join(url);
    expect([used.status, used.text.includes('sign in without it')]).to.deep.equal([410, true]);
  });

  it('sends each browser to the provider with a challenge, state and nonce of its own', async () => {
    const asked: URLSearchParams[] = [];
    for (const browser of [openPersonBrowser(api), openPersonBrowser(api)]) {
      someone();
      await browser.visit('/portal/sign-in', (url) => {
        if (url.searchParams.has('code_challenge')) asked.push(url.searchParams);
      });
    }
    const [first, second] = asked.filter((each) => each.has('redirect_uri'));
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(first!.get(name), name).to.match(/^[\w-]{43}$/);
      expect(first!.get(name), name).not.to.equal(second!.get(name));
    }
    expect(first!.get('code_challenge_method')).to.equal('S256');
    expect(first!.get('response_type')).to.equal('code');
  });

  it('shows a person without a membership what to do, and starts no session', async () => {
    someone();
    const browser = openPersonBrowser(api);
    const arrived = await browser.visit('/portal/sign-in');
    expect(arrived.status).to.equal(403);
    expect(arrived.text).to.include('not a member of any project');
    expect(arrived.text).to.include(provider.person!.name);
    expect(browser.cookie()).not.to.include('portal=');
  });

  it('ends at the provider, too', async () => {
    const browser = await enter('viewer');
    expect((await browser.call('DELETE', '/portal/session')).status).to.equal(204);
    const { status, text, url } = await browser.visit('/portal/sign-out');
    expect(status).to.equal(200);
    expect(text).to.include('Do you want to sign out?');
    const at = new URL(url);
    expect(at.origin).to.equal(provider.settings.issuer);
    expect(Object.fromEntries(at.searchParams)).to.deep.equal({
      client_id: 'scriptorium',
      post_logout_redirect_uri: `${api.url}/portal/`,
    });
    await provider.stop();
    try {
      const down = await browser.visit('/portal/sign-out');
      expect(down.status).to.equal(503);
      expect(down.text).to.include('The identity provider is unavailable');
    } finally {
      await provider.restart();
    }
  });

  it('explains that the provider is down or slow, and works as soon as it is back', async () => {
    const browser = await enter('viewer');
    await provider.stop();
    const down = await browser.visit('/portal/sign-in');
    expect(down.status).to.equal(503);
    expect(down.text).to.include('identity provider is unavailable');
    // Sessions do not depend on it.
    expect((await browser.call('GET', '/portal/api/v1/objects')).status).to.equal(200);
    await provider.restart();
    const { timeoutSeconds } = provider.settings;
    provider.isSilent = true;
    provider.settings.timeoutSeconds = 0.2;
    const slow = await browser.visit('/portal/sign-in');
    expect(slow.status).to.equal(503);
    provider.isSilent = false;
    provider.settings.timeoutSeconds = timeoutSeconds;
    expect((await browser.visit('/portal/sign-in')).status).to.equal(200);
  });

  it('follows the provider when it changes its keys', async () => {
    const browser = await enter('viewer');
    for (let change = 0; change < 2; change++) {
      provider.changeKeys();
      expect((await browser.visit('/portal/sign-in')).status).to.equal(200);
    }
  });

  it('rejects a wrong nonce, issuer, state or code, and a denial', async () => {
    const browser = await enter('viewer');
    const set = (name: string, value: string, at: string) => (url: URL) => {
      if (url.pathname === at) url.searchParams.set(name, value);
    };
    const callback = '/portal/sign-in/callback';
    for (const meddle of [
      set('nonce', 'another', '/auth'),
      set('iss', 'https://evil.example', callback),
      set('state', 'another', callback),
      set('code', 'another', callback),
    ]) {
      const rejected = await browser.visit('/portal/sign-in', meddle);
      expect(rejected.status, rejected.text).to.equal(403);
      expect(rejected.text).to.include('Start again');
    }
    provider.person = null;
    provider.changeKeys();
    const denied = await openPersonBrowser(api).visit('/portal/sign-in');
    expect([denied.status, denied.text.includes('denied the sign-in')]).to.deep.equal([403, true]);
    const alone = await openPersonBrowser(api).visit(`${callback}?code=1&state=2`);
    expect(alone.status).to.equal(403);
    const { issuer } = provider.settings;
    provider.settings.issuer = issuer.replace('127.0.0.1', 'localhost');
    const other = await openPersonBrowser(api).visit('/portal/sign-in');
    provider.settings.issuer = issuer;
    expect(other.status).to.equal(403);
  });

  it('ends at the next request when the member is removed, and follows changes of the role', async () => {
    const browser = await enter('editor');
    const member = await memberOf(browser);
    const path = `/v1/members/${member.id}`;
    const second = await listen(
      createApp({ ...api.deps, metrics: new Registry() }),
      '127.0.0.1',
      0,
    );
    const elsewhere = (target: string) =>
      fetch(`http://127.0.0.1:${second.port}${target}`, { headers: { Cookie: browser.cookie() } });
    try {
      // Both processes know the session.
      expect((await elsewhere('/portal/api/v1/webhooks')).status).to.equal(403);
      await api.call('PATCH', path, { body: { role: 'developer' } });
      expect((await elsewhere('/portal/api/v1/webhooks')).status).to.equal(200);
      expect((await browser.call('GET', '/portal/api/v1/webhooks')).status).to.equal(200);
      await api.call('PATCH', path, { body: { role: 'viewer' } });
      expect((await elsewhere('/portal/api/v1/webhooks')).status).to.equal(403);
      const upload = await browser.call('POST', '/portal/api/v1/collections', {
        body: { name: 'A' },
      });
      expect(upload.json.code).to.equal('insufficient_scope');
      await api.call('DELETE', path);
      for (const target of ['/portal/session', '/portal/api/v1/objects']) {
        expect((await elsewhere(target)).status).to.equal(401);
        const answer = await browser.call('GET', target);
        expect(answer.json.code).to.equal('authentication_required');
      }
    } finally {
      await second.stop(1_000);
    }
    const back = await browser.visit('/portal/sign-in');
    expect(back.status).to.equal(403);
  });

  it('forgets a person without memberships, and keeps their name in the history', async () => {
    const browser = await enter('viewer');
    const { name } = provider.person!;
    const { id: userId } = (await browser.call('GET', '/portal/session')).json.user;
    const member = await memberOf(browser);
    expect((await api.call('DELETE', `/v1/members/${member.id}`)).status).to.equal(204);
    await api.rows(`UPDATE person SET signed_in_at = now() - interval '2 hours',
      created_at = now() - interval '2 hours' WHERE id = '${userId}'`);
    await api.rows('SELECT forget_people()');
    expect(await api.rows('SELECT FROM person WHERE id = $1', [userId])).to.deep.equal([]);
    const history = await api.rows<{ actor_name: string }>(
      'SELECT DISTINCT actor_name FROM event WHERE actor_id = $1',
      [userId],
    );
    expect(history).to.deep.equal([{ actor_name: name }]);
    // A person who returns is a new one.
    const back = openPersonBrowser(api);
    expect((await back.join(await invite('viewer'))).status).to.equal(200);
    const again = (await back.call('GET', '/portal/session')).json.user;
    expect(again.name).to.equal(name);
    expect(again.id).to.not.equal(userId);
  });

  it('gives roles by groups, at each sign-in', async () => {
    provider.settings.roleClaim = 'groups';
    provider.settings.groupRoles = new Map([
      [
        api.projectId,
        new Map([
          ['staff', 'viewer'],
          ['archive', 'editor'],
        ] as const),
      ],
      ['prj_00000000000000000000000000', new Map([['staff', 'viewer']] as const)],
    ]);
    try {
      const person = someone({ groups: ['staff', 'archive', 'chess'] });
      const browser = openPersonBrowser(api);
      expect((await browser.visit('/portal/sign-in')).status).to.equal(200);
      const member = await memberOf(browser);
      expect(member).to.include({ role: 'editor', source: 'groups' });
      const byHand = await api.call('PATCH', `/v1/members/${member.id}`, {
        body: { role: 'admin' },
      });
      expect(byHand.json.code).to.equal('state_conflict');
      provider.person = { ...person, groups: ['staff'], name: 'Renamed' };
      await browser.visit('/portal/sign-in');
      expect(await memberOf(browser)).to.include({ role: 'viewer', name: 'Renamed' });
      provider.person = { ...person, groups: [] };
      expect((await browser.visit('/portal/sign-in')).status).to.equal(403);
      expect((await browser.call('GET', '/portal/session')).status).to.equal(401);
      const events = await api.rows<{ type: string }>(
        'SELECT type FROM event WHERE resource_id = $1 ORDER BY ordinal',
        [member.id],
      );
      expect(events.map(({ type }) => type)).to.deep.equal([
        'access.member.added',
        'access.member.role_changed',
        'access.member.removed',
      ]);
    } finally {
      provider.settings.roleClaim = null;
      provider.settings.groupRoles = new Map();
    }
  });

  it('keeps a name that is not an e-mail address, and no address in events', async () => {
    const email = 'asha.bell@example.com';
    const browser = await enter('editor', { name: undefined, preferred_username: email, email });
    const { user } = (await browser.call('GET', '/portal/session')).json;
    expect(user.name).to.equal('Unnamed person');
    await browser.call('POST', '/portal/api/v1/collections', { body: { name: 'Maps' } });
    const events = await api.rows<{ row: string }>('SELECT to_jsonb(e)::text AS row FROM event e');
    expect(events.map(({ row }) => row).join()).not.to.include(email);
  });

  it('is limited in number per IP address', async () => {
    const settings = { signIn: provider.settings };
    const limited = await startApi({ settings, deps: frozenRateLimits });
    try {
      const statuses = new Set<number>();
      for (let n = 0; n < 31; n++) {
        statuses.add((await limited.call('GET', '/portal/sign-in')).status);
      }
      expect([...statuses]).to.deep.equal([303, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('signing in without an identity provider', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({
      settings: { signIn: null, localSignInToken: 'a token of the local person' },
    });
  });
  after(() => api.close());

  it('says so, and the portal offers no button', async () => {
    expect((await api.call('GET', '/portal/sign-in/options')).json).to.deep.equal({
      provider: null,
    });
    const page = await api.call('GET', '/portal/sign-in');
    expect([page.status, page.text.includes('no identity provider')]).to.deep.equal([403, true]);
  });

  it('rejects invitations, and says what is missing', async () => {
    const rejected = await api.call('POST', '/v1/members/invitations', {
      body: { role: 'viewer' },
    });
    expect([rejected.status, rejected.json.code]).to.deep.equal([409, 'state_conflict']);
    expect(rejected.json.detail).to.include('OIDC_ISSUER');
    expect(await api.rows('SELECT id FROM invitation')).to.deep.equal([]);
  });

  it('lets the local person in by the link of script/server alone', async () => {
    const body = { issuer: 'http://localhost/local', subject: 'local', role: 'admin' };
    expect((await api.call('POST', '/v1/members', { body })).status).to.equal(201);
    const browser = openPersonBrowser(api);
    const wrong = await browser.visit('/portal/sign-in/local?token=guess');
    expect(wrong.status).to.equal(403);
    const link = `/portal/sign-in/local?token=${encodeURIComponent('a token of the local person')}`;
    expect((await browser.visit(link)).status).to.equal(200);
    const made = await browser.call('POST', '/portal/api/v1/keys', {
      body: { name: 'By hand', scopes: ['objects:read'] },
    });
    expect(made.json.created_by).to.include({ type: 'user', name: 'Local Developer' });
  });
});
