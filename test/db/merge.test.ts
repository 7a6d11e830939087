import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import {
  inTransaction,
  prepared,
  query,
  send,
  shareTransaction,
  type Tx,
} from '../../src/db/transaction.ts';
import { guard, insertion } from '../../src/db/wire/merge.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { openWire, type Wire } from '../support/wire.ts';

describe('consecutive insertions', () => {
  let ground: Ground;
  let wire: Wire;
  let database: Database;
  before(async () => {
    ground = await openGround();
    wire = await openWire(ground.urls.ownerUrl);
    database = await openDatabase(wire.url, { poolSize: 1 });
    await inTransaction(ground.owner, (tx) =>
      query(
        tx,
        `CREATE TABLE parent (id integer PRIMARY KEY, text text NOT NULL);
         CREATE TABLE child (parent integer NOT NULL REFERENCES parent, at integer NOT NULL,
           ordinal serial, PRIMARY KEY (parent, at));
         CREATE FUNCTION refuse_above(most integer, more integer) RETURNS void LANGUAGE plpgsql AS $$
         BEGIN
           IF (SELECT count(*) FROM child) + more > most THEN
             RAISE EXCEPTION 'too many' USING ERRCODE = 'QT001';
           END IF;
         END $$`,
        [],
      ),
    );
  });
  beforeEach(async () => {
    await inTransaction(database, async (tx) => {
      send(tx, 'DELETE FROM child', []);
      send(tx, 'DELETE FROM parent', []);
    });
    wire.packets();
  });
  after(async () => {
    await database.destroy();
    await wire.close();
    await ground.close();
  });

  const parent = insertion('INSERT INTO parent (text, id) VALUES ($2 || $2, $1)');
  const child = insertion('INSERT INTO child (parent, at) VALUES ($1, $2)');
  const check = guard('SELECT refuse_above($2, $1)');
  const rows = () =>
    inTransaction(ground.owner, (tx) =>
      prepared(
        tx,
        'SELECT p.id, p.text, c.at FROM parent p LEFT JOIN child c ON c.parent = p.id ORDER BY 1, 3',
        [],
      ),
    );
  const run = (work: (tx: Tx) => void | Promise<void>): Promise<string> =>
    inTransaction(database, async (tx) => work(tx)).then(
      () => 'done',
      (error) => String(error.code ?? error),
    );

  it('are sent as one statement, each with its own values', async () => {
    const write = (id: number) =>
      run((tx) => {
        send(tx, check, [2, 100]);
        send(tx, parent, [id, 'x']);
        send(tx, child, [id, 1]);
      });
    expect(await write(1)).to.equal('done');
    wire.packets();
    expect(await write(2)).to.equal('done');
    // The start, one statement for all three, and the commit.
    expect(wire.packets()).to.deep.equal(['BEBEBES']);
    expect(await rows()).to.deep.equal([1, 2].map((id) => ({ id, text: 'xx', at: 1 })));
  });

  it('keep their place among other statements', async () => {
    const outcome = await run((tx) => {
      send(tx, parent, [1, 'a']);
      send(tx, child, [1, 1]);
      send(tx, 'UPDATE child SET at = at + 10', []);
      send(tx, child, [1, 2]);
      send(tx, child, [1, 3]);
    });
    expect(outcome).to.equal('done');
    expect((await rows()).map((row) => (row as { at: number }).at)).to.deep.equal([2, 3, 11]);
  });

  it('keep the order of rows within a table', async () => {
    const ats = [5, 3, 9, 1];
    const outcome = await run((tx) => {
      for (const at of ats) {
        send(tx, parent, [at, 'a']);
        send(tx, child, [at, at]);
      }
    });
    expect(outcome).to.equal('done');
    const found = await inTransaction(ground.owner, (tx) =>
      prepared<{ at: number }>(tx, 'SELECT at FROM child ORDER BY ordinal', []),
    );
    expect(found.map(({ at }) => at)).to.deep.equal(ats);
  });

  it('fail together, with the error of the one that failed', async () => {
    const twice = await run((tx) => {
      send(tx, parent, [1, 'a']);
      send(tx, child, [1, 1]);
      send(tx, child, [1, 1]);
    });
    expect(twice).to.equal('23505');
    const orphan = await run((tx) => {
      send(tx, child, [7, 1]);
      send(tx, child, [7, 2]);
    });
    expect(orphan).to.equal('23503');
    const waited = await run(async (tx) => {
      const asked = [prepared(tx, parent, [1, 'a']), prepared(tx, child, [9, 1])];
      const told = await Promise.allSettled(asked);
      expect(told.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    });
    expect(waited).to.equal('RolledBack: The transaction was rolled back at its end.');
    expect(await rows()).to.deep.equal([]);
  });

  it('are not made if the guard before them denies them', async () => {
    const outcome = await run((tx) => {
      send(tx, check, [2, 1]);
      send(tx, parent, [1, 'a']);
      send(tx, child, [1, 1]);
      send(tx, child, [1, 2]);
    });
    expect(outcome).to.equal('QT001');
    expect(await rows()).to.deep.equal([]);
  });

  it('pass on what the guard before them found', async () => {
    const heard: object[][] = [];
    const outcome = await run((tx) => {
      send(tx, check, [2, 2], (rows) => heard.push(rows));
      send(tx, parent, [1, 'a'], (rows) => heard.push(rows));
      send(tx, child, [1, 1], (rows) => heard.push(rows));
    });
    expect(outcome).to.equal('done');
    expect(heard).to.deep.equal([[{ refuse_above: '' }], [], []]);
  });

  it('are counted by a later guard of work that shares the transaction', async () => {
    const one = (id: number) => (tx: Tx) =>
      shareTransaction(tx, async (own) => {
        send(own, check, [1, 1]);
        send(own, parent, [id, 'a']);
        send(own, child, [id, 1]);
      });
    expect(await run(async (tx) => void (await one(1)(tx)))).to.equal('done');
    await inTransaction(database, async (tx) => send(tx, 'DELETE FROM child', []));
    const both = await run(async (tx) => {
      await Promise.all([one(2)(tx), one(3)(tx)]);
    });
    expect(both).to.equal('QT001');
    expect(await rows()).to.deep.equal([{ id: 1, text: 'aa', at: null }]);
  });

  it('are split into several statements if there are many', async () => {
    const outcome = await run((tx) => {
      send(tx, parent, [1, 'a']);
      for (let at = 0; at < 40; at++) send(tx, child, [1, at]);
    });
    expect(outcome).to.equal('done');
    expect(await rows()).to.have.length(40);
  });
});
