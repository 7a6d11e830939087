import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { StatementCancelled } from '../../src/db/statements/prefetch-gate.ts';
import {
  enterProject,
  inReadTransaction,
  inTransaction,
  prepared,
  query,
  send,
  setProject,
  startPrefetch,
  type Tx,
} from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';

describe('reading without a transaction', () => {
  let databaseFixture: DatabaseFixture;
  let wire: PostgresProxy;
  let database: Database;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    wire = await openPostgresProxy(databaseFixture.urls.ownerUrl);
    database = await openDatabase(wire.url, { poolSize: 1 });
    await inTransaction(database, (tx) => query(tx, 'CREATE TABLE note (id integer)', []));
  });
  beforeEach(() => wire.packets());
  after(async () => {
    await database.destroy();
    await wire.close();
    await databaseFixture.close();
  });

  const two = async (tx: Tx): Promise<unknown> =>
    (await prepared<{ two: number }>(tx, 'SELECT 1 + 1 AS two', []))[0]!.two;
  const project = async (tx: Tx): Promise<unknown> => {
    const text = `SELECT current_setting('app.project_id', true) AS project`;
    return (await prepared<{ project: string | null }>(tx, text, []))[0]!.project;
  };
  const failure = (work: Promise<unknown>): Promise<Error & { code?: string }> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error) => error,
    );

  it('takes one packet per turn, without a start or commit', async () => {
    await inReadTransaction(database, two);
    wire.packets();
    expect(await inReadTransaction(database, two)).to.equal(2);
    expect(wire.packets()).to.deep.equal(['BES']);
  });

  it('keeps the project and the settings in later packets and resets both at the end', async () => {
    await inReadTransaction(database, async (tx) => {
      setProject(tx, 'prj_here', 7);
      send(tx, `SELECT set_config('work_mem', '2MB', true)`, []);
      for (let packet = 0; packet < 2; packet++) {
        expect(await project(tx)).to.equal('prj_here');
        const text = `SELECT current_setting('work_mem') AS memory,
          current_setting('statement_timeout') AS timeout`;
        const rows = await prepared(tx, text, []);
        expect(rows).to.deep.equal([{ memory: '2MB', timeout: '7s' }]);
      }
    });
    expect(await inReadTransaction(database, project)).to.be.oneOf([null, '']);
  });

  it('rejects writes of every kind', async () => {
    const insert = 'INSERT INTO note (id) VALUES ($1)';
    const attempts: ((tx: Tx) => unknown)[] = [
      (tx) => prepared(tx, insert, [1]),
      (tx) => send(tx, insert, [1]),
      (tx) => query(tx, 'INSERT INTO note (id) VALUES (1)', []),
      (tx) => tx.query(insert, [1]),
      (tx) => prepared(tx, 'WITH made AS (INSERT INTO note VALUES ($1)) SELECT 1', [1]),
    ];
    for (const attempt of attempts) {
      const error = await failure(inReadTransaction(database, async (tx) => attempt(tx)));
      expect(error.message).to.match(/cannot write/);
    }
    expect(await inReadTransaction(database, (tx) => prepared(tx, 'SELECT id FROM note', []))).to.be
      .empty;
  });

  it('reports the first error and returns a usable connection', async () => {
    const error = await failure(
      inReadTransaction(database, (tx) =>
        Promise.all([prepared(tx, 'SELECT 1 / $1::integer', [0]), two(tx)]),
      ),
    );
    expect(error.code).to.equal('22012');
    expect(await inReadTransaction(database, two)).to.equal(2);
  });

  it('ends with its work', async () => {
    let kept: Tx | undefined;
    await inReadTransaction(database, async (tx) => {
      kept = tx;
      return two(tx);
    });
    expect((await failure(two(kept!))).message).to.match(/open transaction/);
  });

  describe('with early reads', () => {
    for (const [kind, during] of [
      ['a transaction', inTransaction],
      ['a reading', inReadTransaction],
    ] as const) {
      it(`sends nothing more once ${kind} has ended`, async () => {
        const gone = barrier();
        const late: Promise<unknown>[] = [];
        const work = during(database, async (tx) => {
          const login = two(tx);
          const begun = startPrefetch(tx, async (own) => {
            const branch = (say: () => unknown) => late.push(gone.opened.then(say));
            branch(() => two(own));
            branch(() => send(own, 'SELECT 2', []));
            branch(() => query(own, 'SELECT 2', []));
            throw new Error('The other branch failed.');
          });
          await login;
          return begun.resume();
        });
        expect((await failure(work)).message).to.equal('The other branch failed.');
        wire.packets();
        gone.open();
        for (const branch of late) {
          expect((await failure(branch)).message).to.match(/open transaction/);
        }
        expect(wire.packets()).to.be.empty;
      });
    }

    it('sends reads with earlier statements and holds back everything else', async () => {
      await inTransaction(database, async (tx) => {
        wire.packets();
        const login = two(tx);
        const begun = startPrefetch(tx, async (own) => {
          const read = await two(own);
          send(own, 'INSERT INTO note (id) VALUES (7)', []);
          return read;
        });
        await login;
        // START, the login statement and the read.
        expect(wire.packets()).to.deep.equal(['BEBEBES']);
        expect(await begun.resume()).to.equal(2);
      });
      const rows = await inReadTransaction(database, (tx) =>
        prepared(tx, 'SELECT id FROM note', []),
      );
      expect(rows).to.deep.equal([{ id: 7 }]);
    });

    it('holds back advisory locks and changes of the project', async () => {
      await inTransaction(database, async (tx) => {
        const login = two(tx);
        const begun = startPrefetch(tx, async (own) => {
          await enterProject(own, 'prj_elsewhere');
          await prepared(own, 'SELECT pg_advisory_xact_lock(7)', []);
        });
        await login;
        expect(await project(tx)).to.be.oneOf([null, '']);
        const text = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
        expect(await prepared(tx, text, [])).to.be.empty;
        await begun.resume();
        expect(await prepared(tx, text, [])).to.have.length(1);
      });
    });

    it('does nothing more once it is aborted', async () => {
      let outcome: Promise<unknown> = Promise.resolve();
      await inTransaction(database, async (tx) => {
        const login = two(tx);
        const begun = startPrefetch(tx, (own) => {
          outcome = two(own).then(() => query(own, 'DELETE FROM note WHERE id = $1', [7]));
          return outcome;
        });
        await login;
        begun.cancel();
      });
      expect(await failure(outcome)).to.be.instanceOf(StatementCancelled);
      const rows = await inReadTransaction(database, (tx) =>
        prepared(tx, 'SELECT id FROM note', []),
      );
      expect(rows).to.have.length(1);
    });
  });
});

function barrier(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
