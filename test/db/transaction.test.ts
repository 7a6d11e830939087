import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import {
  inTransaction,
  prepared,
  query,
  send,
  shareTransaction,
  type Tx,
} from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('transactions', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
    await inTransaction(database.owner, (tx) =>
      query(tx, 'CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL)', []),
    );
  });
  after(() => database.close());

  const write = 'INSERT INTO note (id, text) VALUES ($1, $2)';
  const notes = () =>
    inTransaction(database.owner, (tx) =>
      prepared<{ id: number }>(tx, 'SELECT id FROM note ORDER BY id', []),
    );
  const failure = (work: Promise<unknown>): Promise<{ code?: string; message: string }> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error) => error,
    );

  it('commit statements that were not awaited', async () => {
    await inTransaction(database.owner, async (tx) => {
      send(tx, write, [1, 'one']);
      send(tx, write, [2, 'two']);
    });
    expect(await notes()).to.deep.equal([{ id: 1 }, { id: 2 }]);
  });

  it('show earlier statements to later ones', async () => {
    await inTransaction(database.owner, async (tx) => {
      send(tx, write, [3, 'three']);
      expect(await prepared(tx, 'SELECT text FROM note WHERE id = 3', [])).to.have.length(1);
    });
  });

  it('fail with the error of the last statement, and undo everything', async () => {
    const error = await failure(
      inTransaction(database.owner, async (tx) => {
        send(tx, write, [4, 'four']);
        send(tx, write, [4, 'four again']);
      }),
    );
    expect(error).to.include({ code: '23505' });
    expect(await notes()).to.deep.equal([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('report the cause, not the errors of the statements after it', async () => {
    const error = await failure(
      inTransaction(database.owner, async (tx) => {
        send(tx, write, [5, null]);
        await prepared(tx, 'SELECT id FROM note', []);
      }),
    );
    expect(error).to.include({ code: '23502' });
  });

  it('report an error of the work itself', async () => {
    const error = await failure(
      inTransaction(database.owner, async (tx) => {
        send(tx, write, [6, 'six']);
        throw new Error('a change of mind');
      }),
    );
    expect(error.message).to.equal('a change of mind');
    expect(await notes()).to.have.length(3);
  });

  it('fail if work continues after a failed statement', async () => {
    const error = await failure(
      inTransaction(database.owner, async (tx) => {
        await prepared(tx, write, [1, 'one again']).catch(() => undefined);
      }),
    );
    expect(error.message).to.equal('The transaction was rolled back at its end.');
  });

  it('end with their work', async () => {
    const tx = await inTransaction(database.owner, async (open) => open);
    expect(() => send(tx, write, [7, 'seven'])).to.throw('open transaction');
    expect(await failure(prepared(tx, 'SELECT 1', []))).to.have.property('message');
  });

  describe('when shared', () => {
    const refusal = new Problem('state_conflict', 'Not now.');

    it('keep the other parts if one is denied before it wrote anything', async () => {
      const before = (await notes()).length;
      const outcomes = await inTransaction(database.owner, (tx) =>
        Promise.all([
          shareTransaction(tx, async (own) => send(own, write, [20, 'twenty'])),
          shareTransaction(tx, async (own) => {
            send(own, write, [21, 'twenty-one']);
            throw refusal;
          }),
          shareTransaction(tx, async (own) => {
            send(own, write, [22, 'twenty-two']);
            // A query sees the part's own statements.
            return prepared(own, 'SELECT text FROM note WHERE id = 22', []);
          }),
        ]),
      );
      expect(outcomes).to.deep.equal([
        { failed: false, result: undefined },
        { failed: true, error: refusal, mustRollBack: false },
        { failed: false, result: [{ text: 'twenty-two' }] },
      ]);
      expect((await notes()).slice(before)).to.deep.equal([{ id: 20 }, { id: 22 }]);
    });

    it('report when a part cannot be undone separately', async () => {
      const spoils = (work: (own: Tx) => Promise<unknown>) =>
        failure(
          inTransaction(database.owner, async (tx) => {
            const outcome = await shareTransaction(tx, work);
            throw new Error(outcome.failed ? String(outcome.mustRollBack) : 'It did not fail.');
          }),
        ).then(({ message }) => message);
      const wrote = async (own: Tx) => {
        await prepared(own, `${write} RETURNING id`, [30, 'thirty']);
        throw refusal;
      };
      const asked = async (own: Tx) => {
        send(own, write, [31, 'thirty-one']);
        await prepared(own, 'SELECT 1', []);
        throw refusal;
      };
      const failed = (own: Tx) => prepared(own, 'SELECT 1 / 0', []);
      const rejected = async () => {
        throw refusal;
      };
      expect(await Promise.all([wrote, asked, failed, rejected].map(spoils))).to.deep.equal([
        'true',
        'true',
        'true',
        'false',
      ]);
    });
  });
});
