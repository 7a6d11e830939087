import { Problem } from '@scriptorium/contracts/problems';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { expect } from 'chai';
import { Type } from 'typebox';
import { ok } from '../../../src/api/frame/reply.ts';
import { route } from '../../../src/api/frame/route.ts';
import { query } from '../../../src/db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

let prepares = 0;
let tries = 0;
/** What `prepare` waits for; nothing by default. */
let gate: Promise<void> = Promise.resolve();

const slow = route({
  method: 'POST',
  path: '/v1/test/slow',
  operationId: 'testSlow',
  tag: 'Test',
  summary: 'Takes its time before its transaction.',
  scopes: [],
  concurrency: 12,
  body: strictObject({
    losses: Type.Optional(Type.Integer()),
    refused: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: strictObject({ prepared: Type.Integer(), tries: Type.Integer() }) },
  prepare: async ({ body }) => {
    prepares += 1;
    const mine = prepares;
    await gate;
    if (body.refused) throw new Problem('destination_not_allowed', 'Not there.');
    return mine;
  },
  handler: async (call) => {
    tries += 1;
    if (tries <= (call.body.losses ?? 0)) {
      await query(call.tx, `DO $$ BEGIN RAISE 'lost' USING ERRCODE = '40001'; END $$`, []);
    }
    return ok({ prepared: call.prepared, tries });
  },
});

describe('preparation before a transaction', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: [slow] });
  });
  beforeEach(() => {
    prepares = 0;
    tries = 0;
    gate = Promise.resolve();
  });
  after(() => api.close());

  /** Keeps all preparations waiting until the returned function is called. */
  const close = (): (() => void) => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => open();
  };
  const call = (body: object = {}, headers: Record<string, string> = {}, as: object = {}) =>
    api.call('POST', '/v1/test/slow', { body, headers, ...as });

  it('runs once, however often the transaction is retried, and counts once', async () => {
    const first = await call({ losses: 2 });
    expect([first.status, first.json]).to.deep.equal([200, { prepared: 1, tries: 3 }]);
    const second = await call();
    const left = [first, second].map(({ headers }) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
    );
    expect(left[0]! - left[1]!).to.equal(1);
  });

  it('does not run for rejected or replayed requests', async () => {
    expect((await call({ surprise: 1 })).status).to.equal(422);
    expect((await call({}, {}, { key: api.other.key })).status).to.equal(403);
    expect(prepares).to.equal(0);
    const first = await call({}, { 'idempotency-key': 'k' });
    const again = await call({}, { 'idempotency-key': 'k' });
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect((await call({ losses: 0 }, { 'idempotency-key': 'k' })).status).to.equal(422);
    expect(prepares).to.equal(1);
  });

  it('fails the request with its error, and changes nothing', async () => {
    const refused = await call({ refused: true }, { 'idempotency-key': 'no' });
    expect([refused.status, refused.json.code]).to.deep.equal([422, 'destination_not_allowed']);
    expect(tries).to.equal(0);
    expect((await call({}, { 'idempotency-key': 'no' })).status).to.equal(200);
  });

  it('takes effect once for one Idempotency-Key, even if two prepare concurrently', async () => {
    const open = close();
    const both = [call({}, { 'idempotency-key': 'two' }), call({}, { 'idempotency-key': 'two' })];
    await eventually(async () => prepares === 2);
    open();
    const answers = await Promise.all(both);
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ text }) => text)).size).to.equal(1);
    for (const { status, json } of answers) {
      if (status !== 200) expect(json.code).to.equal('idempotency_in_progress');
    }
    expect(tries).to.equal(1);
  });

  it('holds no transaction and no connection, and so blocks no other request', async () => {
    const open = close();
    const other = await api.issue([]);
    // More than the connections in the pool.
    const waiting = Array.from({ length: 12 }, () => call());
    await eventually(async () => prepares === 12);
    const [held] = await api.rows<{ n: string }>(
      `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(Number(held!.n)).to.equal(0);
    const refused = await call();
    expect([refused.status, refused.json.code]).to.deep.equal([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).to.equal('1');
    const another = call({}, {}, other);
    await eventually(async () => prepares === 13);
    open();
    const answers = await Promise.all([...waiting, another]);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(13).fill(200));
    expect((await call()).status).to.equal(200);
  });

  it('leaves room for other projects, however many keys one has', async () => {
    const open = close();
    const keys = await Promise.all(Array.from({ length: 4 }, () => api.issue([])));
    const waiting = keys.flatMap((key) => Array.from({ length: 12 }, () => call({}, {}, key)));
    let refused = 0;
    for (const answer of waiting)
      void answer.then(({ status }) => (refused += Number(status === 429)));
    const { projectId, key } = api.other;
    let another: ReturnType<typeof call> | undefined;
    try {
      await eventually(async () => prepares === 32 && refused === 16);
      another = call({}, {}, { projectId, key });
      await eventually(async () => prepares === 33);
    } finally {
      open();
    }
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(32);
    expect((await another).status).to.equal(200);
  });
});
