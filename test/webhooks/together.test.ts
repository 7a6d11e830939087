import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { faultOf } from '../../src/db/faults.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { LeaseLost } from '../../src/outbox/lease-queries.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { pickFrom } from '../support/random.ts';
import { openStage } from '../support/recovery.ts';

const workers = 10;
const deedsEach = 100;

describe('all delivery operations at once', () => {
  let ground: Ground;
  let superuser: Database;
  before(async () => {
    ground = await openGround();
    superuser = await openDatabase(ground.urls.superuserUrl, { poolSize: 1 });
  });
  after(async () => {
    await superuser.destroy();
    await ground.close();
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
    const stage = await openStage(ground, 3);
    const bag = stage.deeds.flatMap(([name, weight, deed]) =>
      Array.from({ length: weight }, () => ({ name, deed })),
    );
    const done = new Map<string, number>();
    const live = async (seed: number): Promise<void> => {
      // What is done is chosen separately from how, which depends on what the others have done.
      const choose = pickFrom(seed);
      const pick = pickFrom(workers + seed);
      for (let left = deedsEach; left > 0; left--) {
        const { name, deed } = bag[choose(bag.length)]!;
        try {
          await deed(pick);
        } catch (error) {
          // Denied because of what another has done meanwhile, or a task that another has taken.
          const rejected = error instanceof Problem || error instanceof LeaseLost;
          if (!rejected)
            throw new Error(`${name} failed: ${faultOf(error).code}`, { cause: error });
        }
        done.set(name, (done.get(name) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, at) => live(at + 1)));
    await stage.settle();
    expect(await stage.faults()).to.deep.equal([]);
    expect(await deadlocks()).to.equal(0);
    expect(done.size, [...done.keys()].join()).to.equal(stage.deeds.length);
  });
});
