import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import { inOnePacket, inTransaction, prepared, type Tx } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('a transaction in one packet', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  const insert = (tx: Tx, id: string) =>
    prepared<{ id: string }>(
      tx,
      `INSERT INTO worker (id, queue, slots) VALUES ($1, 'ocr', 1) RETURNING id`,
      [id],
    );
  const stored = (id: string) =>
    inTransaction(database.worker, (tx) =>
      prepared(tx, 'SELECT FROM worker WHERE id = $1', [id]).then((rows) => rows.length),
    );

  it('returns its results once all of it is committed', async () => {
    const [a, b] = await inOnePacket(database.worker, (tx) =>
      Promise.all([insert(tx, 'a'), insert(tx, 'b')]),
    );
    expect([a, b]).to.deep.equal([[{ id: 'a' }], [{ id: 'b' }]]);
    expect([await stored('a'), await stored('b')]).to.deep.equal([1, 1]);
  });

  it('sends its commit without waiting for a result', async () => {
    let answered = 0;
    let runner: QueryRunner | undefined;
    await inOnePacket(database.worker, async (tx) => {
      runner = tx.queryRunner;
      const rows = await insert(tx, 'c');
      // The transaction has ended by now: work that waited for a result cannot send more.
      const late = await prepared(tx, 'SELECT 1', []).catch((error: Error) => error.message);
      expect(late).to.equal('This needs an open transaction.');
      answered = rows.length;
    });
    expect(answered).to.equal(1);
    expect(runner?.isReleased).to.equal(true);
  });

  it('fails with the first error and stores nothing', async () => {
    await inOnePacket(database.worker, (tx) => insert(tx, 'd'));
    const failure = await inOnePacket(database.worker, (tx) =>
      Promise.all([insert(tx, 'e'), insert(tx, 'd'), insert(tx, 'f')]),
    ).then(
      () => 'committed',
      (error: Error) => error.message,
    );
    expect(failure).to.include('duplicate key');
    expect([await stored('e'), await stored('f')]).to.deep.equal([0, 0]);
  });
});
