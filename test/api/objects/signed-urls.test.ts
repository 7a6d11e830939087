import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { signedPath } from '../../../src/api/downloads/signed-urls.ts';
import { createLogger } from '../../../src/logger.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addPolicy } from '../../support/policies.ts';
import { hashOf, postRaw } from '../../support/uploads.ts';

describe('signed URLs', () => {
  let api: TestApi;
  let id: string;
  let logged = '';
  /** Whether reads of content never end. */
  let endless = false;
  const bytes = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  );
  before(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    });
    api = await startApi({
      deps: ({ storage }) => {
        const open = storage.open.bind(storage);
        storage.open = async (...given) => {
          if (!endless) return open(...given);
          const source = new Readable({ read() {} });
          source.push('<');
          return source;
        };
        return { logger: createLogger('trace', 'test', sink) };
      },
    });
    // The default policies reject scripts and have a worker strip images.
    await api.rows('DELETE FROM policy');
    id = (await postRaw(api, bytes, 'Plan „A“.svg')).json.id;
  });
  after(() => api.close());

  const sign = (body: object = {}, options: object = {}, of = id) =>
    api.call('POST', `/v1/objects/${of}/signed-urls`, { body, ...options });
  const signed = async (body: object = {}, options: object = {}, of = id): Promise<string> => {
    const { json, text } = await sign(body, options, of);
    if (!json.url) throw new Error(text);
    return json.url;
  };
  const use = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const codeOf = async (url: string): Promise<string> => {
    const { status, text } = await use(url);
    return `${status} ${JSON.parse(text).code}`;
  };

  it('return the bytes without a key, as an attachment that browsers do not run', async () => {
    const answer = await sign({ ttl_seconds: 120 });
    expect(answer.status).to.equal(201);
    expect(answer.headers.get('location')).to.equal(null);
    expect(answer.json.url).to.match(new RegExp(`^${api.url}/s/[\\w-]+\\.[\\w-]+$`));
    const until = new Date(answer.json.expires_at).getTime();
    expect(until).to.be.within(Date.now() + 110_000, Date.now() + 121_000);
    const { status, headers, text } = await use(answer.json.url);
    expect([status, text]).to.deep.equal([200, bytes.toString()]);
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'image/svg+xml',
      'content-length': String(bytes.length),
      'content-security-policy': `default-src 'none'; sandbox`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag: `"${hashOf(bytes)}"`,
    });
    expect(headers.get('content-disposition')).to.match(/^attachment; /);
  });

  it('support ranges, HEAD and 304 like any content', async () => {
    const url = await signed();
    const part = await use(url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, part.text]).to.deep.equal([206, 'svg']);
    expect(part.headers.get('content-range')).to.equal(`bytes 1-3/${bytes.length}`);
    expect((await use(url, { headers: { range: 'bytes=999-' } })).status).to.equal(416);
    const head = await use(url, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([
      200,
      '',
      String(bytes.length),
    ]);
    const known = await use(url, { headers: { 'if-none-match': `"${hashOf(bytes)}"` } });
    expect(known.status).to.equal(304);
    const posted = await use(url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('are shown inline if requested and safe', async () => {
    const disposition = async (of?: string) => {
      const { headers } = await use(await signed({ disposition: 'inline' }, {}, of));
      return headers.get('content-disposition')?.split(';')[0];
    };
    expect(await disposition()).to.equal('attachment');
    const { json } = await postRaw(api, 'just text', 'note.txt');
    expect(await disposition(json.id)).to.equal('inline');
  });

  it('reject every other request with the same error', async () => {
    const url = new URL(await signed());
    const [payload = '', mac = ''] = url.pathname.slice(3).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(
      JSON.stringify(claims).replace(id, `${id.slice(0, -1)}${id.endsWith('0') ? 1 : 0}`),
    );
    const cursor = api.deps.signer.sign('cursor', Buffer.from(payload, 'base64url').toString());
    const told = new Set<string>();
    for (const token of [
      'x',
      '',
      'a/b',
      `${payload}.`,
      `.${mac}`,
      `${payload}.${'A'.repeat(22)}`,
      `${forged.toString('base64url')}.${mac}`,
      `${payload}.${mac}.${mac}`,
      `${payload}.${mac}=`,
      cursor,
      '%00',
      'x'.repeat(4000),
    ]) {
      const answer = await fetch(`${api.url}/s/${token}`, { headers: { 'x-request-id': 'same' } });
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
      told.add(`${answer.status} ${await answer.text()}`);
    }
    expect(told.size).to.equal(1);
    expect([...told][0]).to.match(/^403 .*signed_url_invalid/);
  });

  it('expire after their lifetime, which is bounded', async () => {
    const until = (seconds: number) =>
      api.url +
      signedPath(api.deps.signer, {
        projectId: api.projectId,
        objectId: id,
        callerId: api.keyId,
        variant: 'original',
        disposition: 'attachment',
        expiresAt: Math.floor(Date.now() / 1_000) + seconds,
        ttlSeconds: 60,
      });
    expect((await use(until(60))).status).to.equal(200);
    expect(await codeOf(until(-1))).to.equal('403 signed_url_expired');
    for (const ttl of [59, 604_801, 0, -1, 1.5, '60']) {
      expect((await sign({ ttl_seconds: ttl })).status, String(ttl)).to.equal(422);
    }
    expect((await sign({ ttl_seconds: 604_800 })).status).to.equal(201);
  });

  it('work from where the signing key may be used, and from nowhere else', async () => {
    const key = await api.issue(['objects:download']);
    const url = await signed({}, { key: key.key });
    const limit = (cidr: string) =>
      api.rows('UPDATE api_key SET allowed_cidrs = $2 WHERE id = $1', [key.keyId, [cidr]]);
    await limit('198.51.100.0/24');
    expect(await codeOf(url)).to.equal('403 ip_not_allowed');
    await limit('127.0.0.0/8');
    expect((await use(url)).status).to.equal(200);
  });

  it('end when the signing key is revoked or loses its scope', async () => {
    const key = await api.issue(['objects:download']);
    const url = await signed({}, key);
    expect((await use(url)).status).to.equal(200);
    await api.rows(`UPDATE api_key SET scopes = '{objects:read}' WHERE id = $1`, [key.keyId]);
    expect(await codeOf(url)).to.equal('403 signed_url_invalid');
    await api.rows(`UPDATE api_key SET scopes = '{objects:download}' WHERE id = $1`, [key.keyId]);
    expect((await use(url)).status).to.equal(200);
    await api.rows(`UPDATE api_key SET expires_at = now() WHERE id = $1`, [key.keyId]);
    expect(await codeOf(url)).to.equal('403 signed_url_invalid');
    await api.rows(`UPDATE api_key SET expires_at = NULL WHERE id = $1`, [key.keyId]);
    expect((await api.call('DELETE', `/v1/keys/${key.keyId}`)).status).to.equal(204);
    expect(await codeOf(url)).to.equal('403 signed_url_invalid');
  });

  it('are limited by policies and the expiry of the key, and report the expiry', async () => {
    const whole = (await sign({ ttl_seconds: 3_600 })).json;
    expect([whole.ttl_seconds, whole.warnings]).to.deep.equal([3_600, []]);
    for (const action of ['sign', 'download']) {
      const rules = [{ type: 'require_signed_url', max_ttl_seconds: 600 }];
      const policy = await addPolicy(api, { actions: [action], rules });
      const { json, status } = await sign({ ttl_seconds: 3_600 });
      expect([status, json.ttl_seconds, json.warnings], action).to.deep.equal([
        201,
        600,
        ['ttl_shortened'],
      ]);
      expect(Date.parse(json.expires_at) - Date.now()).to.be.within(1, 600_000);
      expect((await fetch(json.url)).status, action).to.equal(200);
      await api.rows('DELETE FROM policy WHERE id = $1', [policy]);
    }
    const ending = await api.issue(['objects:download']);
    await api.rows(`UPDATE api_key SET expires_at = now() + interval '5 minutes' WHERE id = $1`, [
      ending.keyId,
    ]);
    const short = await api.call('POST', `/v1/objects/${id}/signed-urls`, {
      key: ending.key,
      body: { ttl_seconds: 3_600 },
    });
    expect(short.json.ttl_seconds).to.be.within(1, 300);
    expect(short.json.warnings).to.deep.equal(['ttl_shortened']);
  });

  it('are rejected if no one could use them, but not if only the signer could not', async () => {
    for (const [rule, status] of [
      [{ type: 'max_bytes', bytes: 1 }, 403],
      [{ type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' }, 403],
      [{ type: 'ip_deny', cidrs: ['0.0.0.0/0', '::/0'] }, 201],
    ] as const) {
      const policy = await addPolicy(api, { actions: ['download'], rules: [rule] });
      const answer = await sign({ ttl_seconds: 60 });
      expect(answer.status, rule.type).to.equal(status);
      if (status === 403) expect(answer.json.code).to.equal('policy_denied');
      await api.rows('DELETE FROM policy WHERE id = $1', [policy]);
    }
  });

  it('are invalid while the object is in the trash', async () => {
    const { json } = await postRaw(api, 'to be trashed', 'trash.txt');
    const url = await signed({}, {}, json.id);
    await api.call('DELETE', `/v1/objects/${json.id}`);
    expect(await codeOf(url)).to.equal('403 signed_url_invalid');
    expect((await sign({}, {}, json.id)).json.code).to.equal('state_conflict');
    await api.call('POST', `/v1/objects/${json.id}/restore`);
    expect((await use(url)).status).to.equal(200);
  });

  it('use only their own share of concurrent requests', async () => {
    // URLs created with the same options in one second are equal.
    const [url, other, third] = (await Promise.all(
      [100, 200, 300].map((ttl) => signed({ ttl_seconds: ttl })),
    )) as [string, string, string];
    endless = true;
    const stop = new AbortController();
    // A response that nothing refers to is collected, which ends its request.
    const held: Response[] = [];
    const hang = async (of: string, count: number): Promise<void> => {
      const started = Array.from({ length: count }, () => fetch(of, { signal: stop.signal }));
      held.push(...(await Promise.all(started)));
    };
    try {
      await hang(url, 32);
      expect(await codeOf(url)).to.equal('429 rate_limited');
      endless = false;
      expect((await use(third)).status).to.equal(200);
      // Until the address reaches its limit; the key continues with its other requests.
      await eventually(async () => {
        endless = true;
        await hang(other, 8);
        endless = false;
        return (await use(third)).status === 429;
      });
      expect((await api.call('GET', `/v1/objects/${id}/content`)).status).to.equal(200);
    } finally {
      stop.abort();
      endless = false;
    }
    expect(held).to.have.length.above(32);
    await eventually(async () => (await use(url)).status === 200);
    await eventually(async () => (await use(third)).status === 200);
  });

  it('require the scope and an object of the project', async () => {
    const reader = await api.issue(['objects:read', 'objects:write']);
    expect((await sign({}, reader)).json.code).to.equal('insufficient_scope');
    expect((await sign({}, api.other)).status).to.equal(404);
  });

  it('are returned again for an Idempotency-Key, which stores them sealed', async () => {
    const headers = { 'idempotency-key': 'sign-once' };
    const first = await sign({}, { headers });
    const again = await sign({}, { headers });
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const [row] = await api.rows<{ encrypted: boolean; all: string }>(
      `SELECT encrypted, i::text AS all FROM idempotency i WHERE value = 'sign-once'`,
    );
    expect(row?.encrypted).to.equal(true);
    expect(row?.all).not.to.include('/s/');
  });

  it('take their origin from the setting, a trusted proxy or Host', async () => {
    const originOf = async (settings: object, headers: Record<string, string>) => {
      const before = { ...api.deps.settings };
      Object.assign(api.deps.settings, settings);
      try {
        return (await signed({}, { headers })).replace(/\/s\/.*/, '');
      } finally {
        Object.assign(api.deps.settings, before);
      }
    };
    const forwarded = { 'x-forwarded-host': 'files.example.com', 'x-forwarded-proto': 'https' };
    expect(await originOf({}, forwarded)).to.equal(api.url);
    expect(await originOf({ trustProxy: true }, forwarded)).to.equal('https://files.example.com');
    expect(await originOf({ publicUrl: 'https://cdn.example.com' }, forwarded)).to.equal(
      'https://cdn.example.com',
    );
    const odd = { ...forwarded, 'x-forwarded-host': 'evil"><script>' };
    expect(await originOf({ trustProxy: true }, odd)).to.equal('');
  });

  it('never appear in logs, metrics or events', async () => {
    const url = await signed();
    await use(url);
    await use(`${url}x`);
    const token = new URL(url).pathname.slice(3);
    const [payload = ''] = token.split('.');
    expect(logged).to.include('useSignedUrl').and.include('createSignedUrl');
    const metrics = await api.deps.metrics.metrics();
    expect(metrics).to.include('useSignedUrl');
    const events = JSON.stringify(await api.rows('SELECT * FROM event'));
    for (const text of [logged, metrics, events]) {
      expect(text).not.to.include(token);
      expect(text).not.to.include(payload);
    }
  });
});
