import { expect } from 'chai';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../src/db/database.ts';
import {
  allowCommitWithLast,
  commitWith,
  inTransaction,
  prepared,
  query,
  send,
  type Tx,
} from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';

type Failure = Error & { code?: string };

describe('packets of a transaction', () => {
  let databaseFixture: DatabaseFixture;
  let wire: PostgresProxy;
  let database: Database;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    wire = await openPostgresProxy(databaseFixture.urls.ownerUrl);
    database = await openDatabase(wire.url, { poolSize: 1 });
    await inTransaction(databaseFixture.owner, (tx) =>
      query(
        tx,
        `CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL,
           page integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`,
        [],
      ),
    );
  });
  beforeEach(async () => {
    wire.splitResponses(null);
    await inTransaction(database, async (tx) => send(tx, 'DELETE FROM note', []));
    wire.packets();
  });
  after(async () => {
    await database.destroy();
    await wire.close();
    await databaseFixture.close();
  });

  const write = 'INSERT INTO note (id, text) VALUES ($1, $2)';
  const ids = async (): Promise<number[]> => {
    const rows = await inTransaction(databaseFixture.owner, (tx) =>
      prepared<{ id: number }>(tx, 'SELECT id FROM note ORDER BY id', []),
    );
    return rows.map(({ id }) => id);
  };
  const failure = (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error: Failure) => error,
    );
  /** Whether the pool's only connection is usable, without an open transaction. */
  const expectSound = async (): Promise<void> => {
    const [row] = await inTransaction(database, (tx) =>
      prepared<{ two: number }>(tx, 'SELECT 1 + 1 AS two', []),
    );
    expect(row).to.deep.equal({ two: 2 });
    const states = await inTransaction(databaseFixture.owner, (tx) =>
      prepared(
        tx,
        `SELECT DISTINCT state FROM pg_stat_activity
         WHERE datname = current_database() AND usename = 'owner' AND pid <> pg_backend_pid()`,
        [],
      ),
    );
    expect(states).to.deep.equal([{ state: 'idle' }]);
  };

  it('are a single one with one Sync, from the start to the commit', async () => {
    const work = () =>
      inTransaction(database, async (tx) => {
        send(tx, write, [1, 'one']);
        send(tx, 'DELETE FROM note WHERE id = $1', [1]);
      });
    await work();
    expect(wire.packets()).to.have.length(1);
    await work();
    expect(wire.packets()).to.deep.equal(['BEBEBEBES']);
  });

  it('include the commit with the last query if nothing follows it', async () => {
    const all = 'SELECT id FROM note ORDER BY id';
    const work = (tx: Tx) => {
      send(tx, write, [1, 'one']);
      return commitWith(tx, () => prepared<{ id: number }>(tx, all, []));
    };
    const clear = () => inTransaction(database, async (tx) => send(tx, 'DELETE FROM note', []));
    await inTransaction(database, work);
    await clear();
    wire.packets();
    await inTransaction(database, work);
    expect(wire.packets()).to.deep.equal(['BEBEBES', 'BES']);
    await clear();
    wire.packets();
    const concluded = inTransaction(database, (tx) => {
      allowCommitWithLast(tx);
      return work(tx);
    });
    expect(await concluded).to.deep.equal([{ id: 1 }]);
    expect(wire.packets()).to.deep.equal(['BEBEBEBES']);

    const failed = await failure(
      inTransaction(database, (tx) => {
        allowCommitWithLast(tx);
        return work(tx);
      }),
    );
    expect(failed.code).to.equal('23505');
    const late = await failure(
      inTransaction(database, async (tx) => {
        allowCommitWithLast(tx);
        await commitWith(tx, () => prepared(tx, all, []));
        send(tx, write, [2, 'two']);
      }),
    );
    expect(late.message).to.match(/already committed/);
    expect(await ids()).to.deep.equal([1]);
    await expectSound();
  });

  it('contain all statements of a turn, with one packet per turn', async () => {
    const work = () =>
      inTransaction(database, async (tx) => {
        send(tx, write, [1, 'one']);
        const [first, second] = await Promise.all([
          prepared<{ text: string }>(tx, 'SELECT text FROM note WHERE id = $1', [1]),
          query<{ n: number }>(tx, 'SELECT count(*)::integer AS n FROM note WHERE id > $1', [0]),
        ]);
        send(tx, 'DELETE FROM note WHERE id = $1', [1]);
        return [first, second];
      });
    await work();
    wire.packets();
    expect(await work()).to.deep.equal([[{ text: 'one' }], [{ n: 1 }]]);
    // Statements that are built per call are parsed and described each time.
    expect(wire.packets()).to.deep.equal(['BEBEBEPBDES', 'BEBES']);
  });

  it('parse and describe a statement once per connection', async () => {
    const text = 'SELECT id AS once FROM note WHERE id = $1';
    const ask = () => inTransaction(database, (tx) => prepared(tx, text, [1]));
    await ask();
    expect(wire.packets()).to.deep.equal(['BECPBDES', 'BES']);
    await ask();
    expect(wire.packets()).to.deep.equal(['BEBES', 'BES']);
  });

  it('put TypeORM’s queries after earlier statements', async () => {
    const rows = await inTransaction(database, async (tx) => {
      send(tx, write, [1, 'one']);
      return tx.query('SELECT text FROM note');
    });
    expect(rows).to.deep.equal([{ text: 'one' }]);
  });

  it('roll back if a statement fails in the packet of the commit', async () => {
    const error = await failure(
      inTransaction(database, async (tx) => {
        send(tx, write, [1, 'one']);
        send(tx, write, [2, null]);
        send(tx, write, [1, 'one again']);
      }),
    );
    expect(error.code).to.equal('23502');
    expect(await ids()).to.deep.equal([]);
    await expectSound();
  });

  it('fail with an error of the commit itself', async () => {
    const error = await failure(
      inTransaction(database, async (tx) => {
        for (const id of [1, 2]) {
          send(tx, 'INSERT INTO note (id, text, page) VALUES ($1, $2, 7)', [id, 'same page']);
        }
      }),
    );
    expect(error.code).to.equal('23505');
    expect(await ids()).to.deep.equal([]);
    await expectSound();
  });

  it('prepare statements again that were skipped or failed when bound', async () => {
    const text = 'SELECT text AS skipped FROM note WHERE id = $1';
    const division = 'SELECT 1 / $1::integer AS quotient';
    for (let times = 0; times < 2; times++) {
      const error = await failure(
        inTransaction(database, (tx) =>
          Promise.all([prepared(tx, division, [0]), prepared(tx, text, [1])]),
        ),
      );
      expect(error.code).to.equal('22012');
      const wrong = await failure(inTransaction(database, (tx) => prepared(tx, text, ['x'])));
      expect(wrong.code).to.equal('22P02');
      const unreadable = await failure(inTransaction(database, (tx) => prepared(tx, 'SELCT', [])));
      expect(unreadable.code).to.equal('42601');
    }
    const found = await inTransaction(database, async (tx) => {
      send(tx, write, [1, 'one']);
      return [await prepared(tx, text, [1]), await prepared(tx, division, [1])];
    });
    expect(found).to.deep.equal([[{ skipped: 'one' }], [{ quotient: 1 }]]);
  });

  it('report the first error if later packets are already sent', async () => {
    const late: unknown[] = [];
    const error = await failure(
      inTransaction(database, async (tx) => {
        send(tx, 'SELECT 1 / $1::integer AS early', [0]);
        await new Promise((resolve) => setImmediate(resolve));
        const second = prepared(tx, 'SELECT 1 AS never_parsed', []).catch((e) => late.push(e.code));
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.all([second, prepared(tx, 'SELECT 1 AS never_parsed', [])]);
      }),
    );
    expect(error.code).to.equal('22012');
    expect(late).to.have.length(1);
    await expectSound();
  });

  it('return a connection whose statement was cancelled', async () => {
    const error = await failure(
      inTransaction(database, async (tx) => {
        send(tx, `SELECT set_config('statement_timeout', $1, true)`, ['50ms']);
        send(tx, write, [1, 'one']);
        send(tx, 'SELECT pg_sleep($1)', [60]);
        send(tx, write, [2, 'two']);
      }),
    );
    expect(error.code).to.equal('57014');
    expect(await ids()).to.deep.equal([]);
    await expectSound();
  });

  it('time each statement separately', async () => {
    await inTransaction(database, async (tx) => {
      send(tx, `SELECT set_config('statement_timeout', $1, true)`, ['1s']);
      for (let times = 0; times < 3; times++) send(tx, 'SELECT pg_sleep($1)', [0.4]);
    });
  });

  it('are not sent on a broken connection', async () => {
    for (let times = 0; times < 3; times++) {
      const error = await failure(
        inTransaction(database, async (tx) => {
          send(tx, write, [1, 'one']);
          send(tx, 'SELECT pg_terminate_backend(pg_backend_pid())', []);
          send(tx, write, [2, 'two']);
        }),
      );
      expect(`${error.code} ${error.message}`).to.match(/57P01|terminat|ECONNRESET/);
      expect(await ids()).to.deep.equal([]);
    }
    await expectSound();
  });

  it('exclude notices from the rows', async () => {
    await inTransaction(database, (tx) =>
      query(
        tx,
        `CREATE FUNCTION pg_temp.loud(i integer) RETURNS integer LANGUAGE plpgsql AS
         $$ BEGIN RAISE NOTICE 'i is %', i; RETURN i; END $$`,
        [],
      ),
    );
    const rows = await inTransaction(database, async (tx) => {
      send(tx, 'SELECT pg_temp.loud($1)', [1]);
      return Promise.all([
        prepared(tx, 'SELECT pg_temp.loud(i) AS i FROM generate_series(1, 2) i', []),
        prepared(tx, 'SELECT pg_temp.loud($1) AS j', [3]),
      ]);
    });
    expect(rows).to.deep.equal([[{ i: 1 }, { i: 2 }], [{ j: 3 }]]);
  });

  it('prepare all statements again after a migration has changed their results', async () => {
    const pool = await openDatabase(databaseFixture.urls.ownerUrl, { poolSize: 3 });
    const texts = ['SELECT * FROM note AS a', 'SELECT * FROM note AS b'];
    const askAll = () =>
      Promise.all(
        Array.from({ length: 3 }, () =>
          inTransaction(pool, async (tx) => {
            const [row] = await prepared<object>(tx, texts[0]!, []);
            await prepared(tx, texts[1]!, []);
            return Object.keys(row!);
          }),
        ),
      );
    try {
      await inTransaction(pool, async (tx) => send(tx, write, [1, 'one']));
      await askAll();
      await inTransaction(pool, (tx) => query(tx, 'ALTER TABLE note ADD COLUMN mood text', []));
      const error = await failure(inTransaction(pool, (tx) => prepared(tx, texts[0]!, [])));
      expect(error.code).to.equal('0A000');
      // One error is enough: no connection keeps an outdated plan of any statement.
      const all = await askAll();
      for (const columns of all) expect(columns).to.deep.equal(['id', 'text', 'page', 'mood']);
    } finally {
      await inTransaction(pool, (tx) => query(tx, 'ALTER TABLE note DROP COLUMN mood', []));
      await pool.destroy();
    }
  });

  it('are not sent for a value that Postgres does not accept', async () => {
    const error = await failure(
      inTransaction(database, async (tx) => {
        send(tx, write, [1, { size: 1n }]);
      }),
    );
    expect(error).to.be.instanceOf(TypeError);
    expect(await ids()).to.deep.equal([]);
    await expectSound();
  });

  it('carry every type of value', async () => {
    const long = 'ß'.repeat(100_000);
    const values = [
      long,
      Buffer.from([0, 1, 255]),
      null,
      7,
      true,
      ['a', 'b"'],
      { a: 1 },
      undefined,
    ];
    const [row] = await inTransaction(database, (tx) =>
      prepared(
        tx,
        `SELECT $1::text AS t, $2::bytea AS b, $3::text AS n, $4::integer AS i, $5::boolean AS yes,
           $6::text[] AS list, $7::jsonb AS j, $8::text AS u`,
        values,
      ),
    );
    const [t, b, n, i, yes, list, j] = values;
    expect(row).to.deep.equal({ t, b, n, i, yes, list, j, u: null });
    const at = new Date('2026-02-03T04:05:06.789Z');
    const [time] = await inTransaction(database, (tx) =>
      prepared<{ at: Date }>(tx, 'SELECT $1::timestamptz AS at', [at]),
    );
    expect(time!.at).to.deep.equal(at);
  });

  it('may be answered a few bytes at a time', async () => {
    wire.splitResponses(3);
    const rows = await inTransaction(database, async (tx) => {
      send(tx, write, [1, 'one']);
      send(tx, write, [2, 'two']);
      return prepared(tx, 'SELECT id, text FROM note ORDER BY id', []);
    });
    expect(rows).to.deep.equal([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    const error = await failure(
      inTransaction(database, async (tx) => send(tx, write, [1, 'one again'])),
    );
    expect(error.code).to.equal('23505');
    await expectSound();
  });

  it('exclude statements after the end', async () => {
    const late: unknown[] = [];
    await inTransaction(database, async (tx) => {
      send(tx, write, [1, 'one']);
      process.nextTick(() => {
        prepared(tx, write, [2, 'two']).catch((error) => late.push(error));
      });
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(late).to.have.length(1);
    expect(await ids()).to.deep.equal([1]);
  });

  it('are all or nothing for any statements and errors', async () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 9 }),
      kind: fc.constantFrom('write', 'write', 'write', 'null', 'divide', 'change of mind'),
      how: fc.constantFrom('send', 'await', 'swallow', 'turn'),
    });
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
    const codes: Record<string, string> = { null: '23502', divide: '22012' };
    const say: Record<string, [string, (id: number) => unknown[]]> = {
      write: [write, (id) => [id, 'text']],
      null: [write, (id) => [id, null]],
      divide: ['SELECT $1::integer / 0', (id) => [id]],
    };
    /** The expected outcome of a transaction: its error, or null if it commits. */
    const foretell = (present: Set<number>, steps: Step[]): string | null => {
      const now = new Set(present);
      let first: string | null = null;
      let told = false;
      for (const { id, kind, how } of steps) {
        if (kind === 'change of mind') return kind;
        const code = kind === 'write' ? (now.has(id) ? '23505' : null) : codes[kind]!;
        if (first === null && code === null) now.add(id);
        first ??= code;
        if (first === null) continue;
        if (how === 'await') return first;
        if (how !== 'swallow') told = true;
      }
      if (first === null) {
        for (const id of now) present.add(id);
        return null;
      }
      return told ? first : 'The transaction was rolled back at its end.';
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }),
        async (all) => {
          await inTransaction(database, async (tx) => send(tx, 'DELETE FROM note', []));
          const present = new Set<number>();
          for (const steps of all) {
            const expected = foretell(present, steps);
            const outcome = await inTransaction(database, async (tx) => {
              for (const { id, kind, how } of steps) {
                if (kind === 'change of mind') throw new Error(kind);
                const [text, values] = say[kind]!;
                if (how === 'await') await prepared(tx, text, values(id));
                else if (how === 'swallow')
                  await prepared(tx, text, values(id)).catch(() => undefined);
                else send(tx, text, values(id));
                if (how === 'turn') await new Promise((resolve) => setImmediate(resolve));
              }
            }).then(
              () => null,
              (error: Failure) => error.code ?? error.message,
            );
            const swallowed = 'The transaction was rolled back at its end.';
            const wanted = expected === 'swallowed' ? swallowed : expected;
            // Work that throws does so whether or not an earlier statement failed.
            if (
              steps.some(({ kind }) => kind === 'change of mind') &&
              outcome === 'change of mind'
            ) {
              continue;
            }
            expect(outcome).to.equal(wanted);
            expect(await ids()).to.deep.equal([...present].sort((a, b) => a - b));
          }
          await expectSound();
        },
      ),
      { numRuns: 60 },
    );
  });
});
