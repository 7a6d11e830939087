import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { In } from 'typeorm';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { StatementCancelled } from '../../src/db/statements/prefetch-gate.ts';
import {
  clockTime,
  currentProject,
  insertNew,
  nextVersion,
  sendDelete,
  sendInsert,
  sendUpdate,
} from '../../src/db/statements/rows.ts';
import {
  allowCommitWithLast,
  commitWith,
  enterProject,
  inReadTransaction,
  inTransaction,
  prepared,
  setProject,
  shareTransaction,
  startPrefetch,
  type Tx,
} from '../../src/db/transaction.ts';
import { Collection } from '../../src/entities/library/collection.ts';
import { QueuePause } from '../../src/entities/outbox/queue-pause.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';

describe('rows written through TypeORM', () => {
  let databaseFixture: DatabaseFixture;
  let wire: PostgresProxy;
  let database: Database;
  let projectId: string;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    projectId = await databaseFixture.createProject();
    wire = await openPostgresProxy(databaseFixture.urls.ownerUrl);
    database = await openDatabase(wire.url, { poolSize: 1 });
  });
  beforeEach(async () => {
    await inside(async (tx) => sendDelete(tx, Collection, { projectId }));
    wire.packets();
  });
  after(async () => {
    await database.destroy();
    await wire.close();
    await databaseFixture.close();
  });

  const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    inTransaction(database, async (tx) => {
      await enterProject(tx, projectId);
      return work(tx);
    });
  const row = (id: string, name = id) => ({ projectId, id, name, kind: 'manual' as const });
  const names = (): Promise<string[]> =>
    inside(async (tx) => {
      const rows = await tx.find(Collection, { where: { projectId }, order: { id: 'ASC' } });
      return rows.map(({ name }) => name);
    });
  const failure = (work: Promise<unknown>): Promise<Error & { code?: string }> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error) => error,
    );

  it('are in one packet with the other statements of the turn', async () => {
    const work = () =>
      inside(async (tx) => {
        allowCommitWithLast(tx);
        sendInsert(tx, Collection, row('col_1', 'one'));
        sendUpdate(tx, Collection, { projectId, id: 'col_1' }, { name: 'uno' });
        const where = { projectId: currentProject, id: 'col_1' };
        const [found] = await commitWith(tx, () =>
          Promise.all([
            tx.findOneByOrFail(Collection, where),
            tx.countBy(Collection, { projectId }),
          ]),
        );
        return found;
      });
    const made = await work();
    expect(made).to.be.instanceOf(Collection);
    expect(made).to.include({ id: 'col_1', name: 'uno', version: 1 });
    expect(made.createdAt).to.be.instanceOf(Date);
    await inside(async (tx) => sendDelete(tx, Collection, { projectId }));
    wire.packets();
    await work();
    // START, the project, INSERT, UPDATE, two reads and COMMIT, each already prepared.
    expect(wire.packets()).to.deep.equal(['BEBEBEBEBEBEBES']);
  });

  it('return what TypeORM promises', async () => {
    await inside(async (tx) => {
      const inserted = await tx.insert(Collection, [row('col_1'), row('col_2'), row('col_3')]);
      expect(inserted.identifiers.map(({ id }) => id)).to.deep.equal(['col_1', 'col_2', 'col_3']);
      const changed = await tx.update(
        Collection,
        { projectId, id: In(['col_1', 'col_2']) },
        { name: 'renamed', version: nextVersion, updatedAt: clockTime },
        { returning: ['version'] },
      );
      expect(changed.affected).to.equal(2);
      expect(changed.raw).to.deep.equal([{ version: 2 }, { version: 2 }]);
      expect(await tx.delete(Collection, { projectId, id: 'col_3' })).to.include({ affected: 1 });
      expect(await tx.delete(Collection, { projectId, id: 'col_3' })).to.include({ affected: 0 });
      const [rows, count] = await tx.query(
        `DELETE FROM collection WHERE id = 'col_2' RETURNING id`,
      );
      expect([rows, count]).to.deep.equal([[{ id: 'col_2' }], 1]);
    });
    expect(await names()).to.deep.equal(['renamed']);
  });

  it('are inserted only if they are new', async () => {
    const made = (id: string, name: string) =>
      inside((tx) => insertNew(tx, Collection, row(id, name)));
    expect(await made('col_1', 'one')).to.equal(true);
    expect(await made('col_1', 'other')).to.equal(false);
    expect(await names()).to.deep.equal(['one']);
  });

  it('fail with the Postgres error, at the end if not awaited', async () => {
    const awaited = await failure(
      inside((tx) => tx.insert(Collection, [row('col_1'), row('col_1')])),
    );
    expect(awaited.code).to.equal('23505');
    const unawaited = await failure(
      inside(async (tx) => {
        sendInsert(tx, Collection, row('col_1'));
        sendInsert(tx, Collection, row('col_1'));
      }),
    );
    expect(unawaited.code).to.equal('23505');
    expect(await names()).to.deep.equal([]);
  });

  it('do not parse a statement again unless its text varies', async () => {
    const first = () => inside((tx) => tx.findOneBy(Collection, { projectId, name: 'first' }));
    const some = () =>
      inside((tx) => tx.findBy(Collection, { projectId, name: In(['first', 'second']) }));
    await first();
    await some();
    wire.packets();
    await first();
    expect(wire.packets()).to.deep.equal(['BEBEBES', 'BES']);
    await some();
    expect(wire.packets()).to.deep.equal(['BEBEPBDES', 'BES']);
  });

  it('cannot be changed without a condition', async () => {
    await inside(async (tx) => sendInsert(tx, Collection, row('col_1')));
    const missing = undefined as unknown as string;
    const attempts: ((tx: Tx) => unknown)[] = [
      (tx) => sendDelete(tx, Collection, {}),
      (tx) => sendDelete(tx, Collection, { projectId, id: missing }),
      (tx) => sendUpdate(tx, Collection, { id: missing }, { name: 'all' }),
      (tx) => tx.delete(Collection, { id: missing }),
      (tx) => tx.update(Collection, {}, { name: 'all' }),
      (tx) => tx.findBy(Collection, { id: missing }),
    ];
    for (const attempt of attempts) {
      const error = await failure(inside(async (tx) => attempt(tx)));
      expect(error.message).to.match(/condition|criteria/);
    }
    expect(await names()).to.deep.equal(['col_1']);
  });

  it('cannot be changed after the transaction', async () => {
    const tx = await inside(async (open) => open);
    expect(() => sendInsert(tx, Collection, row('col_1'))).to.throw('open transaction');
    for (const late of [
      tx.insert(Collection, row('col_1')),
      tx.find(Collection),
      tx.getRepository(Collection).delete({ projectId }),
    ]) {
      expect((await failure(late)).message).to.match(/open transaction/);
    }
  });

  describe('in a read-only transaction', () => {
    it('can be read', async () => {
      await inside(async (tx) => sendInsert(tx, Collection, row('col_1')));
      const found = await inReadTransaction(database, (tx) => {
        setProject(tx, projectId, 5);
        return tx.getRepository(Collection).findOneBy({ projectId, id: 'col_1' });
      });
      expect(found).to.include({ name: 'col_1' });
    });

    const writes: Record<string, (tx: Tx) => unknown> = {
      insert: (tx) => tx.insert(QueuePause, { queue: 'ocr' }),
      update: (tx) => tx.update(QueuePause, { queue: 'ocr' }, { reason: 'full' }),
      delete: (tx) => tx.delete(QueuePause, { queue: 'ocr' }),
      save: (tx) => tx.save(QueuePause, { queue: 'ocr' }),
      'query builder': (tx) => tx.createQueryBuilder().delete().from(QueuePause).execute(),
      'repository.upsert': (tx) => tx.getRepository(QueuePause).upsert({ queue: 'ocr' }, ['queue']),
      sendInsert: (tx) => sendInsert(tx, QueuePause, { queue: 'ocr' }),
      insertNew: (tx) => insertNew(tx, QueuePause, { queue: 'ocr' }),
      sendUpdate: (tx) => sendUpdate(tx, QueuePause, { queue: 'ocr' }, { reason: 'full' }),
      sendDelete: (tx) => sendDelete(tx, QueuePause, { queue: 'ocr' }),
    };
    for (const [name, write] of Object.entries(writes)) {
      it(`cannot be written by ${name}`, async () => {
        const error = await failure(inReadTransaction(database, async (tx) => write(tx)));
        expect(error.message).to.match(/cannot write/);
      });
    }
  });

  describe('before a login is granted', () => {
    const login = (tx: Tx) => prepared(tx, 'SELECT 1', []);

    it('are read in the packet of the login', async () => {
      const work = () =>
        inside(async (tx) => {
          const granted = login(tx);
          const begun = startPrefetch(tx, (own) => own.findBy(Collection, { projectId }));
          await granted;
          return begun.resume();
        });
      await work();
      wire.packets();
      await work();
      expect(wire.packets()).to.deep.equal(['BEBEBEBES', 'BES']);
    });

    const writes: Record<string, (tx: Tx) => unknown> = {
      insert: (own) => own.insert(Collection, row('col_early')),
      save: (own) => own.save(Collection, { ...row('col_early') }),
      repository: (own) => own.getRepository(Collection).insert(row('col_early')),
      'query builder': (own) =>
        own.createQueryBuilder().insert().into(Collection).values(row('col_early')).execute(),
      sendInsert: (own) => sendInsert(own, Collection, row('col_early')),
    };
    for (const [name, write] of Object.entries(writes)) {
      it(`are not written by ${name} until it is granted`, async () => {
        await inside(async (tx) => {
          const granted = login(tx);
          const begun = startPrefetch(tx, async (own) => write(own));
          await granted;
          expect(await prepared(tx, `SELECT id FROM collection`, [])).to.deep.equal([]);
          await begun.resume();
          const rows = await prepared(tx, `SELECT id FROM collection`, []);
          expect(rows).to.deep.equal([{ id: 'col_early' }]);
        });
      });

      it(`are never written by ${name} if it is denied`, async () => {
        let outcome: Promise<unknown> = Promise.resolve();
        await inside(async (tx) => {
          const granted = login(tx);
          const begun = startPrefetch(tx, (own) => {
            outcome = (async () => {
              await write(own);
              await prepared(own, 'SELECT 1', []);
            })();
            return outcome;
          });
          await granted;
          begun.cancel();
        });
        expect(await failure(outcome)).to.be.instanceOf(StatementCancelled);
        expect(await names()).to.deep.equal([]);
      });
    }
  });

  describe('in shared transactions', () => {
    it('spoil the transaction if they were written and the work fails', async () => {
      const refusal = new Problem('state_conflict', 'Not now.');
      const outcome = (write: (own: Tx) => unknown) =>
        failure(
          inside(async (tx) => {
            const shared = await shareTransaction(tx, async (own) => {
              await write(own);
              throw refusal;
            });
            throw new Error(shared.failed ? String(shared.mustRollBack) : 'It did not fail.');
          }),
        ).then(({ message }) => message);
      expect(await outcome((own) => own.insert(Collection, row('col_1')))).to.equal('true');
      expect(await outcome((own) => sendInsert(own, Collection, row('col_1')))).to.equal('false');
      expect(await outcome((own) => own.findBy(Collection, { projectId }))).to.equal('false');
    });
  });
});
