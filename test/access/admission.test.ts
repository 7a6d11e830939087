import { randomBytes } from 'node:crypto';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import {
  authenticateAndClaim,
  type Credentials,
  type KeyCredentials,
} from '../../src/access/authenticate.ts';
import { parseKey } from '../../src/access/keys/format.ts';
import { beginSession, endSession } from '../../src/access/portal-sessions.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { startApi, type TestApi } from '../support/api.ts';

describe('authentication of requests', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const hashOf = (key: string): Buffer => parseKey(key)!.hash;
  const ask = (credentials: Credentials, values: string[] | null = null) =>
    inTransaction(api.deps.database, (tx) =>
      authenticateAndClaim(tx, credentials, 'quick', values && { route: 'test', values }),
    );
  const outcome = (credentials: Credentials, values: string[] | null = null): Promise<string> =>
    ask(credentials, values).then(
      ({ identity }) => `granted ${identity.caller.id}`,
      (error) => (error instanceof Problem ? error.code : String(error)),
    );
  const own = (): KeyCredentials => ({ keyHash: hashOf(api.key), projectId: api.projectId });

  it('reports the reason for each denial', async () => {
    const { projectId } = api;
    const [revoked, expired] = [await api.issue(['*']), await api.issue(['*'])];
    await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [revoked.keyId]);
    await api.rows('UPDATE api_key SET expires_at = now() WHERE id = $1', [expired.keyId]);
    const asked: [string, Credentials][] = [
      [`granted ${api.keyId}`, own()],
      ['project_header_required', { ...own(), projectId: null }],
      ['project_forbidden', { ...own(), projectId: api.other.projectId }],
      ['project_forbidden', { ...own(), projectId: 'prj_00000000000000000000000000' }],
      ['api_key_invalid', { keyHash: randomBytes(32), projectId }],
      ['api_key_invalid', { keyHash: randomBytes(32), projectId: null }],
      ['api_key_revoked', { keyHash: hashOf(revoked.key), projectId }],
      ['api_key_revoked', { keyHash: hashOf(revoked.key), projectId: api.other.projectId }],
      ['api_key_expired', { keyHash: hashOf(expired.key), projectId }],
      ['api_key_expired', { keyHash: hashOf(expired.key), projectId: api.other.projectId }],
      ['api_key_expired', { keyHash: hashOf(expired.key), projectId: null }],
    ];
    for (const [expected, credentials] of asked) {
      // Separate functions claim one Idempotency-Key and several.
      for (const values of [null, ['alone'], ['one', 'two']]) {
        expect(await outcome(credentials, values), String(values)).to.equal(expected);
      }
    }
  });

  it('accepts a portal session until it ends', async () => {
    const { database } = api.deps;
    const session = 'session';
    const credentials = { ...own(), keySession: session };
    const caller = { type: 'api_key', id: api.keyId } as const;
    expect(await outcome(credentials)).to.equal('authentication_required');
    await inProject(database, api.projectId, (tx) =>
      beginSession(tx, api.projectId, caller, { id: session, address: null, userAgent: null }),
    );
    expect(await outcome(credentials)).to.match(/granted/);
    await inProject(database, api.projectId, async (tx) =>
      endSession(tx, api.projectId, caller, session),
    );
    expect(await outcome(credentials)).to.equal('authentication_required');
  });

  it('sets the statement timeout and the project for the statements that follow', async () => {
    const settings = await inTransaction(api.deps.database, async (tx) => {
      await authenticateAndClaim(tx, own(), 'heavy', null);
      const [row] = await prepared(
        tx,
        `SELECT current_setting('statement_timeout') AS timeout,
           current_setting('app.project_id') AS project`,
        [],
      );
      return row;
    });
    expect(settings).to.deep.equal({ timeout: '30s', project: api.projectId });
  });

  it('returns nothing to a denied caller that was read in the same packet', async () => {
    const rejected: Credentials[] = [
      { ...own(), projectId: api.other.projectId },
      { keyHash: randomBytes(32), projectId: api.projectId },
      { ...own(), keySession: 'none' },
    ];
    const keys = 'SELECT id FROM api_key WHERE project_id = $1';
    for (const credentials of rejected) {
      const seen = await inTransaction(api.deps.database, async (tx) => {
        const asked = authenticateAndClaim(tx, credentials, 'quick', null).catch(() => 'refused');
        return [await prepared(tx, keys, [credentials.projectId]), await asked];
      });
      expect(seen).to.deep.equal([[], 'refused']);
    }
  });

  it('claims Idempotency-Keys, each for one transaction at a time', async () => {
    await inTransaction(api.deps.database, async (tx) => {
      const { idempotencyKeys } = await authenticateAndClaim(tx, own(), 'quick', {
        route: 'test',
        values: ['one', 'two'],
      });
      expect(idempotencyKeys.map(({ claimed, status }) => [claimed, status])).to.deep.equal([
        [true, null],
        [true, null],
      ]);
      const second = await ask(own(), ['two', 'three']);
      expect(second.idempotencyKeys.map(({ claimed }) => claimed)).to.deep.equal([false, true]);
      expect(
        (await ask(own(), ['one'])).idempotencyKeys.map(({ claimed }) => claimed),
      ).to.deep.equal([false]);
      expect(
        (await ask(own(), ['four'])).idempotencyKeys.map(({ claimed }) => claimed),
      ).to.deep.equal([true]);
    });
    const third = await ask(own(), ['one', 'two']);
    expect(third.idempotencyKeys.map(({ claimed }) => claimed)).to.deep.equal([true, true]);
  });
});
