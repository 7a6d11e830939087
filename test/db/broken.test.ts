import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { StatementCancelled } from '../../src/db/statements/prefetch-gate.ts';
import {
  inReadTransaction,
  inTransaction,
  prepared,
  query,
  send,
  startPrefetch,
  type Tx,
} from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('a broken statement or connection', () => {
  let databaseFixture: DatabaseFixture;
  let database: Database;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    // With one connection, one that is not returned would block the next test.
    database = await openDatabase(databaseFixture.urls.ownerUrl, { poolSize: 1 });
    await inTransaction(database, (tx) => query(tx, 'CREATE TABLE note (id integer)', []));
  });
  after(async () => {
    await database.destroy();
    await databaseFixture.close();
  });

  const one = (tx: Tx) => prepared<{ one: number }>(tx, 'SELECT 1 AS one', []);
  const works = async (): Promise<void> => {
    expect(await inReadTransaction(database, one)).to.deep.equal([{ one: 1 }]);
    expect(await inTransaction(database, one)).to.deep.equal([{ one: 1 }]);
  };
  const failure = (work: Promise<unknown>): Promise<Error & { code?: string }> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error) => error,
    );
  /** Ends the session of a transaction from outside and waits until it is gone. */
  const cut = async (pid: number): Promise<void> => {
    const text = 'SELECT pg_terminate_backend($1, 10000) AS gone';
    const rows = await inTransaction(databaseFixture.owner, (tx) => prepared(tx, text, [pid]));
    expect(rows).to.deep.equal([{ gone: true }]);
  };
  const pidOf = async (tx: Tx): Promise<number> => {
    const [row] = await prepared<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid', []);
    return row!.pid;
  };
  const broken = /terminat|connection|EPIPE|ECONNRESET/i;
  const suicide = 'SELECT pg_terminate_backend(pg_backend_pid())';

  for (const [kind, during] of [
    ['a transaction', inTransaction],
    ['a reading', inReadTransaction],
  ] as const) {
    describe(`in ${kind}`, () => {
      const breaks: [what: string, text: string, code: string][] = [
        ['fails', 'SELECT 1 / 0', '22012'],
        ['cannot be parsed', 'SELECT nonsense', '42703'],
        ['ends the connection', suicide, '57P01'],
      ];
      for (const [what, text, code] of breaks) {
        for (let position = 0; position < 4; position++) {
          it(`settles all statements of a packet if statement ${position} ${what}`, async () => {
            let asked: Promise<unknown>[] = [];
            const error = await failure(
              during(database, async (tx) => {
                asked = [0, 1, 2, 3].map((at) =>
                  at === position ? prepared(tx, text, []) : one(tx),
                );
                // Later statements fail with it and are not awaited.
                for (const answer of asked) answer.catch(() => undefined);
                await asked[position];
              }),
            );
            expect(error.code).to.equal(code);
            const outcomes = await Promise.allSettled(asked);
            expect(outcomes.map(({ status }) => status)).to.deep.equal(
              [0, 1, 2, 3].map((at) => (at < position ? 'fulfilled' : 'rejected')),
            );
            await works();
          });
        }

        it(`fails if a statement without an awaited answer ${what}`, async () => {
          const error = await failure(during(database, async (tx) => send(tx, text, [])));
          expect(error.code).to.equal(code);
          await works();
        });

        it(`ends if its login ${what} with early reads in the same packet`, async () => {
          const error = await failure(
            during(database, async (tx) => {
              const login = prepared(tx, text, []);
              const begun = startPrefetch(tx, async (own) => {
                await one(own);
                await pidOf(own);
              });
              try {
                await login;
                await begun.resume();
              } finally {
                begun.cancel();
              }
            }),
          );
          expect(error.code).to.equal(code);
          await works();
        });
      }

      it('ends if it is aborted while early reads are in progress', async () => {
        const refusal = new Error('Refused.');
        let early: Promise<unknown> = Promise.resolve();
        const error = await failure(
          during(database, async (tx) => {
            const login = one(tx);
            const begun = startPrefetch(tx, (own) => {
              early = prepared(own, 'SELECT repeat($1, 1000000) AS much', ['x']).then(() =>
                pidOf(own),
              );
              early.catch(() => undefined);
              return early;
            });
            await login;
            begun.cancel();
            throw refusal;
          }),
        );
        expect(error).to.equal(refusal);
        expect(await failure(early)).to.be.instanceOf(StatementCancelled);
        await works();
      });

      it('ends if its connection is cut between two packets', async () => {
        const error = await failure(
          during(database, async (tx) => {
            await cut(await pidOf(tx));
            await one(tx);
          }),
        );
        expect(error.message).to.match(broken);
        await works();
      });

      it('ends if its connection is cut while Postgres processes its packet', async () => {
        const error = await failure(
          during(database, async (tx) => {
            const pid = await pidOf(tx);
            const asleep = prepared(tx, 'SELECT pg_sleep(600)', []);
            const behind = one(tx);
            await Promise.all([asleep, behind, cut(pid)]);
          }),
        );
        expect(error.message).to.match(broken);
        await works();
      });

      it('ends if its connection was cut before it was aborted', async () => {
        const error = await failure(
          during(database, async (tx) => {
            await cut(await pidOf(tx));
            throw new Error('A change of mind.');
          }),
        );
        expect(error.message).to.equal('A change of mind.');
        await works();
      });

      it('rejects values that cannot be sent, in any position', async () => {
        const tooMany = Array.from({ length: 65_536 }, () => 1);
        const attempts: ((tx: Tx) => unknown)[] = [
          (tx) => prepared(tx, 'SELECT 1', tooMany),
          (tx) => send(tx, 'SELECT 1', tooMany),
          (tx) => Promise.all([one(tx), prepared(tx, 'SELECT 1', tooMany)]),
        ];
        for (const attempt of attempts) {
          const error = await failure(during(database, async (tx) => attempt(tx)));
          expect(error.message).to.match(/at most 65535 values/);
          await works();
        }
      });
    });
  }

  it('rejects statements that wait behind one that cannot be sent', async () => {
    let behind: Promise<unknown> = Promise.resolve();
    const error = await failure(
      inTransaction(database, async (tx) => {
        const login = one(tx);
        const begun = startPrefetch(tx, async (own) => {
          send(own, 'INSERT INTO note (id) VALUES ($1)', new Array(65_536).fill(1));
          behind = prepared(own, 'INSERT INTO note (id) VALUES (1)', []);
          behind.catch(() => undefined);
          await behind;
        });
        await login;
        return begun.resume();
      }),
    );
    expect(error.message).to.match(/at most 65535 values/);
    expect(await failure(behind)).to.be.instanceOf(StatementCancelled);
    await works();
  });
});
