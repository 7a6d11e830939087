import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { createTally } from '../../src/db/tally.ts';
import { prepared } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

describe('tallies', () => {
  let databaseFixture: DatabaseFixture;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
  });
  after(() => databaseFixture.close());

  it('keep what one project cannot store, and hold up no other project', async () => {
    const stored: string[] = [];
    let broken = true;
    const tally = createTally<number>(databaseFixture.api, createLogger('silent', 'test'), {
      name: 'notes',
      intervalMs: null,
      merge: (one, other) => one + other,
      store(_tx, projectId, counts) {
        if (broken && projectId === 'prj_first') throw new Error('Not now.');
        stored.push(`${projectId} ${counts.join(' ')}`);
      },
    });
    tally.add('prj_first', 'a', 1);
    tally.add('prj_first', 'a', 2);
    tally.add('prj_first', 'b', 4);
    tally.add('prj_second', 'a', 8);
    await tally.flush();
    expect(stored).to.deep.equal(['prj_second 8']);
    tally.add('prj_first', 'a', 16);
    broken = false;
    await tally.flush();
    await tally.flush();
    expect(stored).to.deep.equal(['prj_second 8', 'prj_first 19 4']);
  });

  it('end a round in which the database is unreachable, and store the rest in the next', async () => {
    const tried: string[] = [];
    let away = true;
    const tally = createTally<number>(databaseFixture.api, createLogger('silent', 'test'), {
      name: 'notes',
      intervalMs: 10,
      merge: (one, other) => one + other,
      store(_tx, projectId) {
        tried.push(projectId);
        if (away) throw Object.assign(new Error('Not there.'), { code: 'ECONNREFUSED' });
      },
    });
    tally.add('prj_first', 'a', 1);
    tally.add('prj_second', 'a', 2);
    await tally.flush();
    expect(tried).to.deep.equal(['prj_first']);
    away = false;
    // By its own timer.
    await eventually(async () => tried.length === 3);
    expect(tried.slice(1)).to.have.members(['prj_first', 'prj_second']);
  });

  for (const lost of ['before it was sent', 'before it was committed', 'after it was committed']) {
    it(`store once what was counted if the connection is lost ${lost}`, async () => {
      const committed = lost === 'after it was committed';
      const line = await openTcpProxy(databaseFixture.urls.ownerUrl);
      const database = await openDatabase(line.through(databaseFixture.urls.ownerUrl));
      try {
        await databaseFixture.owner.query('CREATE TABLE IF NOT EXISTS noted (note integer)');
        await databaseFixture.owner.query('TRUNCATE noted');
        let lose = true;
        const tally = createTally<number>(database, createLogger('silent', 'test'), {
          name: 'notes',
          intervalMs: null,
          merge: (one, other) => one + other,
          async store(tx, _projectId, counts) {
            if (lose && lost === 'before it was sent') line.cut();
            await prepared(tx, 'INSERT INTO noted SELECT unnest($1::integer[])', [counts]);
            if (!lose) return;
            lose = false;
            if (committed) line.dropResponses();
            else line.cut();
          },
        });
        const noted = () => databaseFixture.owner.query('SELECT note FROM noted');
        tally.add('prj_first', 'a', 1);
        const flushed = tally.flush();
        if (committed) {
          await eventually(async () => (await noted()).length > 0);
          line.cut();
        }
        await flushed;
        lose = false;
        // Settled only once the database can be asked.
        await tally.flush();
        line.restore();
        tally.add('prj_first', 'a', 2);
        // The pool may still hold a connection that was cut.
        await eventually(async () => {
          await tally.flush();
          return (await noted()).some(({ note }: { note: number }) => note > 1);
        });
        expect(await noted()).to.deep.equal(committed ? [{ note: 1 }, { note: 2 }] : [{ note: 3 }]);
      } finally {
        await database.destroy();
        await line.close();
      }
    });
  }
});
