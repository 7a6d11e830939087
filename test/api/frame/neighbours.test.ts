import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { type WorkClass, workBounds } from '@scriptorium/contracts/work/work';
import { expect } from 'chai';
import { Type } from 'typebox';
import { ok } from '../../../src/api/frame/reply.ts';
import { route } from '../../../src/api/frame/route.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inTransaction, query } from '../../../src/db/transaction.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

/** Waits, on a connection, for a lock that the test holds. */
const hold = (work: WorkClass) =>
  route({
    method: 'POST',
    path: `/v1/test/hold-${work}`,
    operationId: `hold${work}`,
    tag: 'Test',
    summary: 'Waits for a lock.',
    scopes: [],
    rate: 'none',
    work,
    idempotent: false,
    responses: { 200: strictObject({ timeout: Type.String() }) },
    handler: async ({ tx }) => {
      await query(tx, 'SELECT pg_advisory_xact_lock_shared(4711)', []);
      const [row] = await query<{ timeout: string }>(
        tx,
        `SELECT current_setting('statement_timeout') AS timeout`,
        [],
      );
      return ok(row!);
    },
  });

const slow = route({
  method: 'POST',
  path: '/v1/test/slow',
  operationId: 'testSlow',
  tag: 'Test',
  summary: 'Takes longer than it may.',
  scopes: [],
  idempotent: false,
  responses: { 200: strictObject({}) },
  handler: async ({ tx, key }) => {
    await query(tx, `UPDATE api_key SET name = 'half done' WHERE project_id = $1`, [key.projectId]);
    await query(tx, `SELECT set_config('statement_timeout', '20ms', true)`, []);
    await query(tx, 'SELECT pg_sleep(600)', []);
    return ok({});
  },
});

describe('a project next to a very busy one', () => {
  let api: TestApi;
  let holder: Database;
  before(async () => {
    api = await startApi({
      routes: [...routes, hold('quick'), hold('search'), hold('heavy'), slow],
    });
    holder = await openDatabase(api.database.superuserUrl, { poolSize: 1 });
  });
  after(async () => {
    await holder.destroy();
    await api.close();
  });

  const waiting = async (): Promise<number> => {
    const [row] = await api.rows<{ n: number }>(
      `SELECT count(*) AS n FROM pg_locks
       WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return row!.n;
  };
  /** Holds the lock that all of these requests wait for; they are answered once it returns. */
  const whileHeld = (work: () => Promise<void>): Promise<void> =>
    inTransaction(holder, async (tx) => {
      await query(tx, 'SELECT pg_advisory_xact_lock(4711)', []);
      await work();
    });
  const attack = (count: number, kind: WorkClass): Promise<ApiResponse>[] =>
    Array.from({ length: count }, () => api.call('POST', `/v1/test/hold-${kind}`));
  const ofOther = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    api.call(method, path, {
      key: api.other.key,
      projectId: api.other.projectId,
      ...(body === undefined ? {} : { body }),
    });

  for (const kind of ['quick', 'search', 'heavy'] as const) {
    it(`is served while the other’s ${kind} requests use its full share`, async () => {
      let answers: Promise<ApiResponse>[] = [];
      await whileHeld(async () => {
        answers = attack(kind === 'quick' ? 100 : 24, kind);
        await eventually(async () => (await waiting()) > 0);
        // More than the pool has, in sequence and in parallel.
        for (let round = 0; round < 3; round++) {
          const served = await Promise.all([
            ofOther('GET', '/v1/keys/self'),
            ofOther('GET', '/v1/images?q=anything&include=total,facets'),
            ofOther('POST', '/v1/collections', { name: `Round ${round}` }),
            ofOther('GET', '/v1/events'),
          ]);
          expect(served.map(({ status }) => status)).to.deep.equal([200, 200, 201, 200]);
        }
        expect(await waiting()).to.be.lessThan(6);
        const [ready, alive] = await Promise.all(
          ['/readyz', '/healthz'].map((path) => fetch(api.url + path)),
        );
        expect([ready!.status, alive!.status]).to.deep.equal([200, 200]);
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      const most = 1 + workBounds[kind].maxWaiting / 2;
      expect(statuses.filter((status) => status === 200).length).to.be.least(
        Math.min(most, statuses.length),
      );
      for (const answer of await Promise.all(answers)) {
        if (answer.status === 200) continue;
        expect(answer.json).to.deep.include({ status: 429, code: 'rate_limited', retryable: true });
        expect(answer.headers.get('retry-after')).to.equal('1');
      }
    });
  }

  it('keeps its share if another project’s key sends its ID in the header', async () => {
    await whileHeld(async () => {
      const answers = Array.from({ length: 50 }, () =>
        api.call('POST', '/v1/test/hold-quick', { projectId: api.other.projectId }),
      );
      expect((await ofOther('GET', '/v1/keys/self')).status).to.equal(200);
      const rejected = await Promise.all(answers);
      expect(rejected.map(({ status }) => status)).to.deep.equal(rejected.map(() => 403));
    });
  });

  it('has a statement timeout for each kind of work', async () => {
    const timeouts = await Promise.all(
      (['quick', 'search', 'heavy'] as const).map(async (kind) => {
        const answer = await api.call('POST', `/v1/test/hold-${kind}`);
        return answer.json.timeout;
      }),
    );
    expect(timeouts).to.deep.equal(['10s', '10s', '30s']);
    // The next user of the connection is not affected.
    const left = await Promise.all(
      Array.from({ length: 8 }, () => api.deps.database.query('SHOW statement_timeout')),
    );
    for (const [row] of left) expect(row).to.deep.equal({ statement_timeout: '0' });
  });

  it('gets a 503 after a statement timeout, and nothing of the transaction remains', async () => {
    const answer = await api.call('POST', '/v1/test/slow');
    expect(answer.status).to.equal(503);
    expect(answer.json).to.deep.include({ code: 'query_timeout', retryable: true });
    expect(answer.headers.get('retry-after')).to.equal('10');
    const names = await api.rows<{ name: string }>('SELECT DISTINCT name FROM api_key');
    expect(names.map(({ name }) => name)).to.not.include('half done');
  });
});
