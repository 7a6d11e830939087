import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import fc from 'fast-check';
import { cidrContains, isWithin } from '../../src/access/ip-addresses.ts';
import { type ApiResponse, startApi, type Tenant, type TestApi } from '../support/api.ts';

describe('the bounds of an API key', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { trustProxy: true } });
  });
  after(() => api.close());

  const soon = '2999-01-01T00:00:00.000Z';
  const address = { 'x-forwarded-for': '10.1.2.3' };

  /** A key with allowed addresses, an expiry and rate limits, as an operator creates it. */
  async function bounded(scopes: Scope[] = ['keys:read', 'keys:write']): Promise<Tenant> {
    const made = await api.issue(scopes, { read: 500, write: 300 });
    await api.rows('UPDATE api_key SET allowed_cidrs = $2, expires_at = $3 WHERE id = $1', [
      made.keyId,
      ['10.1.0.0/16'],
      soon,
    ]);
    return made;
  }
  const as = (by: Tenant, method: string, path: string, body?: object) =>
    api.call(method, path, { key: by.key, headers: address, ...(body ? { body } : {}) });
  const told = (answer: ApiResponse) => [
    answer.status,
    answer.json.code,
    (answer.json.errors ?? []).map((fault: { pointer?: string }) => fault.pointer),
  ];
  const child = { name: 'Child', scopes: ['keys:read'] };

  it('are inherited by keys that it creates', async () => {
    const by = await bounded();
    const made = await as(by, 'POST', '/v1/keys', child);
    expect(made.status).to.equal(201);
    expect(made.json).to.deep.include({ allowed_cidrs: ['10.1.0.0/16'], expires_at: soon });
    const used = await as({ ...by, key: made.json.api_key }, 'GET', '/v1/keys/self');
    expect(used.headers.get('ratelimit-policy')).to.equal('"read";q=500;w=60');
    const narrower = {
      ...child,
      allowed_cidrs: ['10.1.2.0/24'],
      expires_at: '2998-01-01T00:00:00Z',
    };
    expect((await as(by, 'POST', '/v1/keys', narrower)).status).to.equal(201);
  });

  it('are not exceeded by keys that it creates', async () => {
    const by = await bounded();
    for (const [fields, pointers] of [
      [{ allowed_cidrs: [] }, ['/allowed_cidrs']],
      [{ allowed_cidrs: ['10.0.0.0/8'] }, ['/allowed_cidrs']],
      [{ allowed_cidrs: ['10.1.2.0/24', '::/0'] }, ['/allowed_cidrs']],
      [{ expires_at: null }, ['/expires_at']],
      [{ expires_at: '2999-01-01T00:00:00.001Z' }, ['/expires_at']],
      [{ allowed_cidrs: [], expires_at: null }, ['/allowed_cidrs', '/expires_at']],
    ] as const) {
      const answer = await as(by, 'POST', '/v1/keys', { ...child, ...fields });
      expect(told(answer), JSON.stringify(fields)).to.deep.equal([
        403,
        'key_limits_exceeded',
        pointers,
      ]);
    }
  });

  it('can be narrowed by the key itself, but not widened', async () => {
    const by = await bounded();
    const path = `/v1/keys/${by.keyId}`;
    for (const patch of [
      { allowed_cidrs: [] },
      { expires_at: null },
      { expires_at: '3000-01-01T00:00:00Z' },
      { allowed_cidrs: ['10.0.0.0/15'] },
    ]) {
      const answer = await as(by, 'PATCH', path, patch);
      expect(answer.json.code, JSON.stringify(patch)).to.equal('key_limits_exceeded');
    }
    const scopes = await as(by, 'PATCH', path, { scopes: ['*'] });
    expect(scopes.json.code).to.equal('insufficient_scope');
    const narrowed = await as(by, 'PATCH', path, { name: 'N', allowed_cidrs: ['10.1.2.0/24'] });
    expect(narrowed.json).to.deep.include({ allowed_cidrs: ['10.1.2.0/24'], version: 2 });
    const back = await as(by, 'PATCH', path, { allowed_cidrs: ['10.1.0.0/16'] });
    expect(back.json.code).to.equal('key_limits_exceeded');
  });

  it('prevent it from changing or revoking keys that are wider in any way', async () => {
    const by = await bounded();
    const widen = async (sql: string, value: unknown) => {
      const made = await bounded();
      await api.rows(`UPDATE api_key SET ${sql} = $2 WHERE id = $1`, [made.keyId, value]);
      return made.keyId;
    };
    const wider = {
      scope: await widen('scopes', ['keys:read', 'objects:read']),
      all: api.keyId,
      addresses: await widen('allowed_cidrs', []),
      time: await widen('expires_at', null),
      reads: await widen('read_per_minute', 501),
      writes: await widen('write_per_minute', null),
    };
    for (const [what, id] of Object.entries(wider)) {
      const path = `/v1/keys/${id}`;
      const code =
        what === 'scope' || what === 'all' ? 'insufficient_scope' : 'key_limits_exceeded';
      for (const answer of [
        await as(by, 'PATCH', path, { name: 'Mine' }),
        await as(by, 'DELETE', path),
        await as(by, 'POST', `${path}/roll`, {}),
      ]) {
        expect([answer.status, answer.json.code], what).to.deep.equal([403, code]);
      }
      const [row] = await api.rows<{ kept: boolean }>(
        `SELECT revoked_at IS NULL AND version = 1 AS kept FROM api_key WHERE id = $1`,
        [id],
      );
      expect(row?.kept, what).to.equal(true);
    }
    const equal = await bounded();
    expect((await as(by, 'PATCH', `/v1/keys/${equal.keyId}`, { name: 'E' })).status).to.equal(200);
    expect((await as(by, 'DELETE', `/v1/keys/${equal.keyId}`)).status).to.equal(204);
  });

  it('include the end of a rolled key: no key that it creates outlives it', async () => {
    const old = await api.issue(['keys:read', 'keys:write']);
    const rolled = await as(old, 'POST', `/v1/keys/${old.keyId}/roll`, { overlap_seconds: 3600 });
    expect(rolled.status).to.equal(201);
    const { ends_at: end } = rolled.json.replaces;
    expect(rolled.json.replaces).to.deep.equal({ id: old.keyId, ends_at: end });
    const shown = await as(old, 'GET', `/v1/keys/${old.keyId}`);
    expect(shown.json).to.include({ state: 'active', revoked_at: end });
    const [event] = await api.rows<{ data: object }>(
      `SELECT data FROM event WHERE resource_id = $1 AND type = 'access.api_key.rolled'`,
      [old.keyId],
    );
    expect(event?.data).to.deep.include({ ends_at: end });
    const inherited = await as(old, 'POST', '/v1/keys', child);
    expect(inherited.json.expires_at).to.equal(end);
    for (const answer of [
      await as(old, 'POST', '/v1/keys', { ...child, expires_at: null }),
      await as(old, 'POST', `/v1/keys/${old.keyId}/roll`, {}),
    ]) {
      expect(told(answer)).to.deep.equal([403, 'key_limits_exceeded', ['/expires_at']]);
    }
  });

  it('apply to rolling: the new key stays within the old one’s', async () => {
    const by = await bounded();
    const rolled = await as(by, 'POST', `/v1/keys/${by.keyId}/roll`, {});
    expect(rolled.json).to.deep.include({ allowed_cidrs: ['10.1.0.0/16'], expires_at: soon });
    const next = { ...by, key: rolled.json.api_key };
    const self = await as(next, 'GET', '/v1/keys/self');
    expect(self.headers.get('ratelimit-policy')).to.equal('"read";q=500;w=60');
  });

  it('compare ranges of addresses as sets', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const start = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
    const bits = fc.integer({ min: 0, max: 32 });
    fc.assert(
      fc.property(start, bits, bits, start, (address, one, other, anywhere) => {
        const [outer, inner] = [`${address}/${one}`, `${address}/${other}`];
        expect(cidrContains(outer, inner)).to.equal(one <= other);
        const escapes = isWithin(anywhere, [inner]) && !isWithin(anywhere, [outer]);
        expect(escapes && cidrContains(outer, inner)).to.equal(false);
      }),
    );
    expect(cidrContains('10.0.0.0/8', '10.255.0.0/16')).to.equal(true);
    expect(cidrContains('10.0.0.0/16', '10.0.0.0/8')).to.equal(false);
    expect(cidrContains('2001:db8::/32', '2001:db8:1::/48')).to.equal(true);
    expect(cidrContains('::/0', '10.0.0.0/8')).to.equal(false);
  });
});
