import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { claimTask } from '../../src/outbox/lease-queries.ts';
import { expireLeases, type Outages, watchOutages } from '../../src/outbox/relay/recover.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('leases after an outage of Postgres', () => {
  let database: DatabaseFixture;
  let seconds: number;
  let outages: Outages;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    seconds = 0;
    outages = watchOutages(() => seconds * 1_000);
    await asWorker('DELETE FROM task');
  });

  const asWorker = (sql: string, values: unknown[] = []) =>
    inTransaction(database.worker, (tx) => prepared(tx, sql, values));
  const claim = (id: string) => inTransaction(database.worker, (tx) => claimTask(tx, id));
  /** A task whose lease has just expired: since the start of Postgres. */
  const expired = async (): Promise<string> => {
    const project = await database.createProject();
    const payload = { object_id: newId('object') };
    const [id] = await inProject(database.api, project, (tx) =>
      schedule(tx, project, null, { kind: 'object.purge', payload }),
    );
    await claim(id!);
    await asWorker(`UPDATE task SET lease_until = now() - interval '1 millisecond' WHERE id = $1`, [
      id,
    ]);
    return id!;
  };
  /** Sweeps this many seconds after the last time. */
  const sweepAfter = async (passed: number): Promise<number> => {
    seconds += passed;
    return inTransaction(database.relay, (tx) => expireLeases(tx, outages));
  };

  it('are left to their workers until these had time to renew them', async () => {
    await expired();
    expect(await sweepAfter(20)).to.equal(0);
    expect(outages.isRecovering()).to.equal(true);
    for (let passed = 1; passed < 6; passed += 1) expect(await sweepAfter(1)).to.equal(0);
    expect(await sweepAfter(1)).to.equal(1);
    expect(outages.isRecovering()).to.equal(false);
  });

  it('count no crash if they expired in it, or before workers had time to renew them', async () => {
    const ids = [await expired(), await expired()];
    for (const passed of [20, 3]) expect(await sweepAfter(passed)).to.equal(0);
    expect(await sweepAfter(3)).to.equal(2);
    for (const id of ids) {
      expect(await claim(id)).to.include({ crashes: 0, lastError: 'Postgres was unavailable' });
    }
    const later = await expired();
    expect(await sweepAfter(3)).to.equal(1);
    expect(await claim(later)).to.include({
      crashes: 1,
      lastError: 'its worker stopped responding',
    });
  });

  it('are left longer if another outage follows', async () => {
    await expired();
    expect(await sweepAfter(20)).to.equal(0);
    expect(await sweepAfter(20)).to.equal(0);
    expect(await sweepAfter(3)).to.equal(0);
    expect(await sweepAfter(3)).to.equal(1);
  });

  it('count a crash without one', async () => {
    const id = await expired();
    expect(await sweepAfter(5)).to.equal(1);
    expect(await claim(id)).to.include({ crashes: 1 });
  });
});
