import { readdir } from 'node:fs/promises';
import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createApp } from '../../../src/api/app.ts';
import { listen } from '../../../src/api/listen.ts';
import { type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';

describe('portal sessions', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const none = { Authorization: undefined, 'X-Service-Project-ID': undefined };

  async function begin(key = api.key, projectId = api.projectId) {
    const answer = await api.call('POST', '/portal/session', { key, projectId });
    expect(answer.status, answer.text).to.equal(200);
    const cookie = answer.headers.get('Set-Cookie')!;
    const held = { ...none, Cookie: cookie.split(';')[0]!, 'X-CSRF-Token': answer.json.csrf_token };
    const call = (method: string, path: string, options: CallOptions = {}) =>
      api.call(method, path, { ...options, headers: { ...held, ...options.headers } });
    return { answer, cookie, held, call };
  }

  it('start with the two headers; the cookie is limited and hidden from scripts', async () => {
    const { answer, cookie } = await begin();
    expect(cookie).to.match(
      /^portal=s2\.\S+; Path=\/portal; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.json.key.id).to.equal(api.keyId);
    expect(cookie).not.to.contain(api.key.slice(12));
    const wrong = await api.call('POST', '/portal/session', { projectId: api.other.projectId });
    expect(wrong.json.code).to.equal('project_forbidden');
    expect(wrong.headers.get('Set-Cookie')).to.equal(null);
  });

  it('read and change what their key may, under /portal/api, with the token', async () => {
    const { call } = await begin();
    const listed = await call('GET', '/portal/api/v1/keys?limit=1&include=total');
    expect(listed.json.total).to.equal(1);
    const body = { name: 'Made in the portal', scopes: ['objects:read'] };
    const made = await call('POST', '/portal/api/v1/keys', { body });
    expect(made.status).to.equal(201);
    expect(made.headers.get('Location')).to.equal(`/portal/api/v1/keys/${made.json.id}`);
    const page = await call('GET', '/portal/api/v1/keys?limit=1');
    const next = /^<(\/portal\/api\/v1\/keys\?\S+)>; rel="next"$/.exec(
      page.headers.get('Link')!,
    )![1]!;
    expect((await call('GET', next)).json.data[0].id).to.equal(api.keyId);
  });

  it('need the CSRF token of the method in X-HTTP-Method-Override', async () => {
    const { call } = await begin();
    const headers = {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '3',
      'Upload-Metadata': 'filename YQ==',
    };
    const made = await call('POST', '/portal/api/v1/uploads', { headers });
    const path = made.headers.get('Location')!;
    const sent = { 'Tus-Resumable': '1.0.0', 'X-HTTP-Method-Override': 'DELETE' };
    const forged = { ...sent, 'X-CSRF-Token': undefined };
    const rejected = await call('GET', path, { headers: forged });
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'csrf_token_invalid']);
    expect((await call('POST', path, { headers: sent })).status).to.equal(204);
  });

  it('change nothing without the token, with another session’s, or from another site', async () => {
    const { call } = await begin();
    const stranger = await begin();
    const body = { name: 'Never', scopes: ['objects:read'] };
    const attempts: Record<string, string | undefined>[] = [
      { 'X-CSRF-Token': undefined },
      { 'X-CSRF-Token': 'guess' },
      { 'X-CSRF-Token': stranger.held['X-CSRF-Token'] },
    ];
    for (const headers of attempts) {
      const answer = await call('POST', '/portal/api/v1/keys', { body, headers });
      expect(answer.json.code).to.equal('csrf_token_invalid');
    }
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
    ]) {
      const answer = await call('POST', '/portal/api/v1/keys', { body, headers });
      const outcome = [answer.status, answer.json.code];
      expect(outcome, JSON.stringify(headers)).to.deep.equal([403, 'origin_not_allowed']);
      const logIn = await api.call('POST', '/portal/session', { headers });
      expect(logIn.json.code, JSON.stringify(headers)).to.equal('origin_not_allowed');
      expect(logIn.headers.get('Set-Cookie')).to.equal(null);
    }
    expect(await api.rows(`SELECT 1 FROM api_key WHERE name = 'Never'`)).to.deep.equal([]);
  });

  it('are valid only under /portal, where the two headers are ignored', async () => {
    const { held } = await begin();
    const bare = await api.call('GET', '/v1/keys', { headers: held });
    expect(bare.json.code).to.equal('authentication_required');
    const headers = await api.call('GET', '/portal/api/v1/keys');
    expect(headers.json.code).to.equal('authentication_required');
  });

  it('end when the key is revoked, on logout and if the cookie was altered', async () => {
    const extra = await api.issue(['keys:read'] as Scope[]);
    const session = await begin(extra.key);
    expect((await session.call('GET', '/portal/session')).json.key.id).to.equal(extra.keyId);
    await api.call('DELETE', `/v1/keys/${extra.keyId}`);
    expect((await session.call('GET', '/portal/session')).json.code).to.equal('api_key_revoked');

    const other = await begin();
    const ended = await other.call('DELETE', '/portal/session');
    expect(ended.status).to.equal(204);
    expect(ended.headers.get('Set-Cookie')).to.contain('portal=; Path=/portal; Max-Age=0');

    const kept = other.held.Cookie.slice(0, -2);
    const touched = { Cookie: `${kept}${other.held.Cookie.endsWith('AA') ? 'BA' : 'AA'}` };
    for (const headers of [touched, { Cookie: 'portal=' }, { Cookie: 'portal=s2.a.b.c' }]) {
      const answer = await other.call('GET', '/portal/session', { headers });
      expect(answer.json.code).to.equal('authentication_required');
    }
  });

  it('end for every tab and process, including streams', async () => {
    const session = await begin();
    const bystander = await begin();
    const stream = await fetch(`${api.url}/portal/api/v1/events/stream`, {
      headers: { Cookie: session.held.Cookie },
    });
    expect(stream.status).to.equal(200);
    expect((await session.call('DELETE', '/portal/session')).status).to.equal(204);
    // Another process over the same database, or this one after a restart.
    const second = await listen(
      createApp({ ...api.deps, metrics: new Registry() }),
      '127.0.0.1',
      0,
    );
    for (const url of [api.url, `http://127.0.0.1:${second.port}`]) {
      for (const path of ['/portal/session', '/portal/api/v1/keys', '/portal/api/v1/events']) {
        const answer = await fetch(url + path, { headers: { Cookie: session.held.Cookie } });
        expect(answer.status, path).to.equal(401);
        expect(await answer.text(), path).to.include('"authentication_required"');
      }
    }
    await second.stop(1_000);
    const again = await session.call('DELETE', '/portal/session');
    expect(again.status).to.equal(401);
    // It re-checks its session as it runs, and ends.
    await stream.text().catch(() => undefined);
    expect((await bystander.call('GET', '/portal/session')).status).to.equal(200);
  });

  it('are limited to a hundred per key: the oldest end first', async () => {
    const { key, keyId } = await api.issue(['keys:read']);
    const first = await begin(key);
    await api.rows(
      `INSERT INTO portal_session (project_id, key_id, id, expires_at, created_at)
       SELECT $1, $2, 'more-' || n, now() + interval '1 hour', now() + interval '1 second'
       FROM generate_series(1, 99) AS n`,
      [api.projectId, keyId],
    );
    expect((await first.call('GET', '/portal/session')).status).to.equal(200);
    const last = await begin(key);
    expect((await first.call('GET', '/portal/session')).status).to.equal(401);
    expect((await last.call('GET', '/portal/session')).status).to.equal(200);
  });

  it('are limited to the scopes of their key', async () => {
    const narrow = await api.issue(['keys:read'] as Scope[]);
    const { call } = await begin(narrow.key);
    expect((await call('GET', '/portal/api/v1/keys')).status).to.equal(200);
    expect((await call('GET', '/portal/api/v1/webhooks')).json.code).to.equal('insufficient_scope');
  });

  it('return 404 for unknown paths and 405 for other methods', async () => {
    const { call } = await begin();
    for (const path of [
      '/portal/api',
      '/portal/api/v1/nothing',
      '/portal/assets/none.js',
      '/portal/nothing.js',
      '/portal/library/favicon.ico',
      '/portal/.env',
    ]) {
      expect((await call('GET', path)).status, path).to.equal(404);
    }
    expect((await call('PUT', '/portal/session')).status).to.equal(405);
    expect((await call('POST', '/portal/library')).status).to.equal(405);
  });
});

// With a browser, the portal has been built.
describeInBrowser('portal files', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('are the page for every screen, and assets that may be cached forever', async () => {
    const page = await api.call('GET', '/portal/library');
    expect(page.headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('Content-Security-Policy')).to.contain("script-src 'self'");
    expect(page.headers.get('Content-Security-Policy')).not.to.contain('unsafe');
    expect(page.text).not.to.match(/<style|style=|<script(?![^>]* src=)/);
    const script = /src="(\/portal\/assets\/[^"]+\.js)"/.exec(page.text)![1]!;
    const asset = await api.call('GET', script);
    expect(asset.headers.get('Cache-Control')).to.equal('public, max-age=31536000, immutable');
    expect(asset.headers.get('Content-Encoding')).to.equal('gzip');
    const headers = { 'If-None-Match': asset.headers.get('ETag')! };
    expect((await api.call('GET', script, { headers })).status).to.equal(304);
    const redirected = await fetch(`${api.url}/portal`, { redirect: 'manual' });
    expect(redirected.headers.get('Location')).to.equal('/portal/');
  });

  it('allow only the worker that reads PDFs to compile WebAssembly', async () => {
    const names = await readdir(new URL('../../../dist/browser/assets/', import.meta.url));
    const compiling: string[] = [];
    for (const name of names.filter((one) => /\.m?js$/.test(one))) {
      const { headers } = await api.call('GET', `/portal/assets/${name}`);
      const policy = headers.get('Content-Security-Policy')!;
      expect(policy, name).not.to.match(/'unsafe|\*|https?:/);
      if (policy.includes('wasm')) compiling.push(name);
    }
    expect(compiling).to.have.length(1);
    expect(compiling[0]).to.match(/^pdf\.worker\./);
  });
});
