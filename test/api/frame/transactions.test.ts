import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { expect } from 'chai';
import pg from 'pg';
import { Type } from 'typebox';
import { ok } from '../../../src/api/frame/reply.ts';
import { route } from '../../../src/api/frame/route.ts';
import { query } from '../../../src/db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { superuserUrl } from '../../support/services.ts';

let tries = 0;

const race = route({
  method: 'POST',
  path: '/v1/test/races',
  operationId: 'testRace',
  tag: 'Test',
  summary: 'Loses races before it wins one.',
  scopes: [],
  body: strictObject({ losses: Type.Integer() }),
  responses: { 200: strictObject({ tries: Type.Integer() }) },
  handler: async (call) => {
    tries += 1;
    if (tries <= call.body.losses) {
      await query(call.tx, `DO $$ BEGIN RAISE 'lost' USING ERRCODE = '40001'; END $$`, []);
    }
    return ok({ tries: tries });
  },
});

const swallow = route({
  method: 'POST',
  path: '/v1/test/swallowed',
  operationId: 'testSwallowed',
  tag: 'Test',
  summary: 'Goes on after a statement that failed.',
  scopes: [],
  responses: { 200: strictObject({}) },
  handler: async (call) => {
    await query(call.tx, 'SELECT 1/0', []).catch(() => undefined);
    return ok({});
  },
});

const die = route({
  method: 'POST',
  path: '/v1/test/deaths',
  operationId: 'testDeath',
  tag: 'Test',
  summary: 'Loses its connection half way.',
  scopes: [],
  responses: { 200: strictObject({}) },
  handler: async (call) => {
    await query(call.tx, `INSERT INTO denial VALUES ($1, 'k', 'died', now())`, [
      call.key.projectId,
    ]);
    await query(call.tx, 'SELECT pg_terminate_backend(pg_backend_pid())', []);
    return ok({});
  },
});

describe('request transactions', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: [race, swallow, die] });
  });
  beforeEach(() => {
    tries = 0;
  });
  after(() => api.close());

  it('are retried after a serialisation failure, at most three times', async () => {
    const won = await api.call('POST', '/v1/test/races', { body: { losses: 3 } });
    expect([won.status, won.json]).to.deep.equal([200, { tries: 4 }]);
    tries = 0;
    const lost = await api.call('POST', '/v1/test/races', { body: { losses: 9 } });
    expect([lost.status, lost.json.code, tries]).to.deep.equal([503, 'dependency_unavailable', 4]);
  });

  it('are not reported as committed after an unnoticed failed statement', async () => {
    const answer = await api.call('POST', '/v1/test/swallowed');
    expect([answer.status, answer.json.code]).to.deep.equal([500, 'internal_error']);
    expect(answer.text).not.to.match(/rolled|division/);
  });

  it('return 503 if their connection fails, and leave nothing behind', async () => {
    for (let times = 0; times < 10; times++) {
      const answer = await api.call('POST', '/v1/test/deaths');
      expect([answer.status, answer.json.code]).to.deep.equal([503, 'dependency_unavailable']);
    }
    expect(await api.rows(`SELECT FROM denial WHERE code = 'died'`)).to.deep.equal([]);
    expect((await api.call('POST', '/v1/test/races', { body: { losses: 0 } })).status).to.equal(
      200,
    );
  });

  it('return 503 while Postgres is down, and recover when it is back', async () => {
    const outside = new pg.Client({ connectionString: await superuserUrl() });
    await outside.connect();
    const { name } = api.database;
    const ask = () => api.call('POST', '/v1/test/races', { body: { losses: 0 } });
    try {
      await outside.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await outside.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = 'api'`,
        [name],
      );
      // Eight connections turn out to be dead, then none can be opened.
      for (let times = 0; times < 10; times++) {
        const gone = await ask();
        expect([gone.status, gone.json.code]).to.deep.equal([503, 'dependency_unavailable']);
        expect(gone.json.retryable).to.equal(true);
        expect(gone.headers.get('retry-after')).to.equal('2');
      }
      const ready = await api.call('GET', '/readyz');
      expect([ready.status, ready.json.postgres]).to.deep.equal([503, 'down']);
    } finally {
      await outside.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
      await outside.end();
    }
    expect((await ask()).status).to.equal(200);
  });
});
