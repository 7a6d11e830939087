import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { errorFieldsOf } from '../../src/db/errors.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { LeaseLost } from '../../src/outbox/lease-queries.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { createPick } from '../support/random.ts';
import { openRecoveryScenario } from '../support/recovery.ts';

const workers = 10;
const deedsEach = 100;

describe('all delivery operations at once', () => {
  let database: DatabaseFixture;
  let superuser: Database;
  before(async () => {
    database = await openDatabaseFixture();
    superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
  });
  after(async () => {
    await superuser.destroy();
    await database.close();
  });

  const deadlocks = async (): Promise<number> => {
    const [row] = await inTransaction(superuser, (tx) =>
      query<{ deadlocks: number }>(
        tx,
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
        [],
      ),
    );
    return row!.deadlocks;
  };

  it('cause no deadlock and keep all tables consistent', async () => {
    const stage = await openRecoveryScenario(database, 3);
    const bag = stage.actions.flatMap(([name, weight, deed]) =>
      Array.from({ length: weight }, () => ({ name, deed })),
    );
    const done = new Map<string, number>();
    const live = async (seed: number): Promise<void> => {
      // What is done is chosen separately from how, which depends on what the others have done.
      const choose = createPick(seed);
      const pick = createPick(workers + seed);
      for (let left = deedsEach; left > 0; left--) {
        const { name, deed } = bag[choose(bag.length)]!;
        try {
          await deed(pick);
        } catch (error) {
          // Denied because of what another has done meanwhile, or a task that another has taken.
          const rejected = error instanceof Problem || error instanceof LeaseLost;
          if (!rejected)
            throw new Error(`${name} failed: ${errorFieldsOf(error).code}`, { cause: error });
        }
        done.set(name, (done.get(name) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, at) => live(at + 1)));
    await stage.settleAll();
    expect(await stage.faults()).to.deep.equal([]);
    expect(await deadlocks()).to.equal(0);
    expect(done.size, [...done.keys()].join()).to.equal(stage.actions.length);
  });
});
