import { expect } from 'chai';
import type { PoolClient } from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { Pipeline, type StatementResult, serializeValues } from '../../src/db/wire/pipeline.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('what packets need of pg', () => {
  let databaseFixture: DatabaseFixture;
  let database: Database;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    database = await openDatabase(databaseFixture.urls.ownerUrl, { poolSize: 1 });
  });
  after(async () => {
    await database.destroy();
    await databaseFixture.close();
  });

  /** Lends the pool's only connection. */
  async function lend<T>(use: (line: Pipeline, client: PoolClient) => Promise<T>): Promise<T> {
    const runner = database.createQueryRunner();
    try {
      const client: PoolClient = await runner.connect();
      return await use(new Pipeline(client), client);
    } finally {
      await runner.release();
    }
  }
  const say = (line: Pipeline, text: string, values: unknown[] = []): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      line.send([{ name: '', text, values: serializeValues(values), resolve, reject }]);
    });

  it('sends a packet before the one before it is answered', async () => {
    await lend(async (line) => {
      const order: string[] = [];
      const slow = say(line, 'SELECT pg_sleep(0), 1 AS n').then(() => order.push('first'));
      const next = say(line, 'SELECT $1::integer AS n', [2]).then(({ rows }) => {
        order.push('second');
        return rows;
      });
      expect(await next).to.deep.equal([{ n: 2 }]);
      await slow;
      expect(order).to.deep.equal(['first', 'second']);
    });
  });

  it('knows whether a transaction is open', async () => {
    await lend(async (line) => {
      await say(line, 'SELECT 1');
      expect(line.isIdle).to.equal(true);
      await say(line, 'BEGIN');
      expect(line.isIdle).to.equal(false);
      await say(line, 'ROLLBACK');
      expect(line.isIdle).to.equal(true);
    });
  });

  it('continues after a packet that failed', async () => {
    await lend(async (line) => {
      const failed = say(line, 'SELECT 1 / 0').catch((error: Error) => error.message);
      const { rows } = await say(line, 'SELECT 1 AS n');
      expect(await failed).to.equal('division by zero');
      expect(rows).to.deep.equal([{ n: 1 }]);
    });
  });

  it('runs several statements by the simple protocol, after the packets before them', async () => {
    await lend(async (line) => {
      const before = say(line, `SELECT set_config('app.project_id', 'prj_1', false)`);
      await line.querySimple(`SELECT 1; SELECT 2`);
      await before;
      const rows = await line.querySimple(`SELECT current_setting('app.project_id') AS project`);
      expect(rows).to.deep.equal([{ project: 'prj_1' }]);
      await line.querySimple('RESET app.project_id');
    });
  });

  it('replaces a connection that was broken off', async () => {
    const pid = (line: Pipeline) => say(line, 'SELECT pg_backend_pid() AS pid');
    const before = await lend(async (line) => {
      const { rows } = await pid(line);
      await line.destroy();
      return rows;
    });
    const { rows } = await lend((line) => pid(line));
    expect(rows).to.have.length(1);
    expect(rows).to.not.deep.equal(before);
  });

  it('converts values as pg does, and limits their number', () => {
    const date = new Date('2026-01-01T00:00:00Z');
    const sent = serializeValues([
      1,
      true,
      null,
      undefined,
      ['a', null],
      { a: 1 },
      Buffer.from('b'),
    ]);
    expect(sent).to.deep.equal([
      '1',
      'true',
      null,
      null,
      '{"a",NULL}',
      '{"a":1}',
      Buffer.from('b'),
    ]);
    expect(new Date(String(serializeValues([date])[0]))).to.deep.equal(date);
    expect(() => serializeValues(Array(65_536).fill(1))).to.throw(
      'at most 65535 values, not 65536',
    );
  });
});
