import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { createPick } from '../support/random.ts';
import { openRecoveryScenario, type RecoveryScenario } from '../support/recovery.ts';

/** By default, few enough for every run: `HISTORIES=100` tries more. */
const histories = Number(process.env.HISTORIES ?? 10);
const deedsEach = 60;

describe('publication', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  interface Standing {
    id: string;
    published: boolean;
    /** Endpoints with a delivery of the event that is not cancelled. */
    owed: string[];
  }
  const standings = ({ fixture: bench }: RecoveryScenario) =>
    bench.rows<Standing>(
      `SELECT e.id, e.published_at IS NOT NULL AS published,
         ARRAY(SELECT DISTINCT d.endpoint_id FROM delivery d LEFT JOIN due_delivery due ON due.id = d.id
           WHERE d.event_id = e.id AND coalesce(due.resume_state, d.state) <> 'cancelled') AS owed
       FROM event e WHERE e.project_id = $1 AND e.category = 'domain'`,
      [bench.projectId],
    );

  /** Performs random actions; after each, compares the published events with a model. */
  const live = async (seed: number): Promise<number> => {
    const pick = createPick(seed);
    const stage = await openRecoveryScenario(database, 2);
    const bag = stage.actions.flatMap(([name, weight, deed]) =>
      Array.from({ length: weight }, () => ({ name, deed })),
    );
    const story: string[] = [];
    const should = new Set<string>();
    for (let at = 0; at < deedsEach; at++) {
      const { name, deed } = bag[pick(bag.length)]!;
      story.push(name);
      try {
        await deed(pick);
      } catch (error) {
        if (!(error instanceof Problem)) throw new Error(`${seed}: ${story}`, { cause: error });
      }
      const told = `seed ${seed}: ${story.join(', ')}`;
      expect(await stage.faults(), told).to.deep.equal([]);
      for (const { id, published, owed } of await standings(stage)) {
        const all = owed.length > 0 && owed.every((to) => stage.reached.has(`${id} ${to}`));
        // Publication is final.
        if (all || stage.acknowledged.has(id)) should.add(id);
        expect(published, `${id}, ${told}`).to.equal(should.has(id));
      }
    }
    await stage.settleAll();
    expect(await stage.faults(), `seed ${seed}, in the end`).to.deep.equal([]);
    return should.size;
  };

  it('follows the delivery rules after every step of random histories', async () => {
    let published = 0;
    for (let seed = 1; seed <= histories; seed++) published += await live(seed);
    expect(published).to.be.greaterThan(histories);
  });
});
