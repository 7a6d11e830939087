import { systemOrigin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { findDelivery } from '../../src/webhooks/deliveries/read.ts';
import { redeliver } from '../../src/webhooks/deliveries/redeliver.ts';
import { lockFlows } from '../../src/webhooks/delivery/ending/end-deliveries.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
} from '../../src/webhooks/delivery/sending/claim.ts';
import {
  lockOriginals,
  settleOriginals,
} from '../../src/webhooks/delivery/settling/original-queries.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settling/settle.ts';
import { judgeAttempt, type SentAttempt } from '../../src/webhooks/delivery/settling/verdict.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { runEndingStep } from '../support/webhook-end.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const answered = (delivery: ClaimedDelivery, status: number): SentAttempt => ({
  delivery,
  result: {
    outcome: 'answered',
    status,
    excerpt: '',
    timings: { dns: null, connect: null, tls: null, first_byte: 1, total: 1 },
  },
});

/**
 * Each interleaves two transactions step by step; with the locks in another order, Postgres reports
 * 40P01.
 */
describe('the order in which deliveries are locked', () => {
  let database: DatabaseFixture;
  let superuser: Database;
  let fixture: WebhookFixture;
  let endpoint: WebhookEndpoint;
  before(async () => {
    database = await openDatabaseFixture();
    // Other roles do not see what a transaction waits for.
    superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
  });
  after(async () => {
    await superuser.destroy();
    await database.close();
  });
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
    endpoint = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
  });

  const happen = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left--) await fixture.recordTrashed();
    await fixture.relay();
    await fixture.makeDue(endpoint.id);
  };
  const claim = (most: number): Promise<ClaimedDelivery[]> =>
    inTransaction(database.worker, (tx) => claimDeliveries(tx, [endpoint.id], most));
  const settle = (sent: SentAttempt[]): Promise<void> =>
    inTransaction(database.worker, (tx) => settleDeliveries(tx, sent, [0, 0]));
  /** Waits until this many transactions wait for a lock, or `others` have ended. */
  const wait = (count: number, others: { over: number } = { over: 0 }): Promise<unknown> =>
    eventually(async () => {
      const [row] = await inTransaction(superuser, (tx) =>
        prepared<{ n: number }>(
          tx,
          `SELECT count(*) AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          [],
        ),
      );
      return row!.n + others.over >= count;
    });

  it('has the flow before what is skipped for a disabled endpoint', async () => {
    await happen(3);
    await settle((await claim(1)).map((one) => answered(one, 410)));
    const waiting = await fixture.rows<{ id: string }>(
      'SELECT id FROM due_delivery WHERE endpoint_id = $1 AND lease_until IS NULL ORDER BY id',
      [endpoint.id],
    );
    expect(waiting).to.have.length(2);

    let ended: Promise<boolean> | undefined;
    // Like a claim, which holds the flow and takes due rows in the order of its plan.
    await inTransaction(database.worker, async (tx) => {
      const take = (id: string) =>
        prepared(tx, 'SELECT FROM due_delivery WHERE id = $1 FOR UPDATE', [id]);
      lockFlows(tx, [endpoint.id]);
      await take(waiting[1]!.id);
      ended = runEndingStep(database.worker, endpoint.id);
      ended.catch(() => undefined);
      await wait(1);
      await take(waiting[0]!.id);
    });
    await ended;
    const states = await fixture.rows(
      'SELECT state, count(*) AS n FROM delivery WHERE endpoint_id = $1 GROUP BY 1 ORDER BY 1',
      [endpoint.id],
    );
    expect(states).to.deep.equal([
      { state: 'exhausted', n: 1 },
      { state: 'skipped', n: 2 },
    ]);
  });

  it('has the flow before a redelivery, so that one that a replay settles is not made due twice', async () => {
    await happen(1);
    await settle((await claim(1)).map((one) => answered(one, 500)));
    const [original] = await fixture.rows<{ id: string; event_id: string }>(
      `UPDATE delivery SET state = 'exhausted', finished_at = now() WHERE endpoint_id = $1
       RETURNING id, event_id`,
      [endpoint.id],
    );
    await fixture.rows('DELETE FROM due_delivery WHERE endpoint_id = $1', [endpoint.id]);
    const again = () =>
      inProject(database.api, fixture.projectId, async (tx) => {
        const found = await findDelivery(tx, fixture.projectId, endpoint.id, original!.id);
        return redeliver(tx, systemOrigin(endpoint.projectId), endpoint, found!);
      });
    const replayed = await replayOf(original!.event_id);

    const redelivered: Promise<unknown>[] = [];
    const others = { over: 0 };
    const start = () => redelivered.push(again().finally(() => (others.over += 1)));
    await inTransaction(database.worker, async (tx) => {
      const verdicts = [judgeAttempt(answered(replayed, 200), [0, 0])];
      const originals = await lockOriginals(tx, verdicts);
      await prepared(tx, 'SELECT', []);
      start();
      await wait(1, others);
      // What `settleOriginals` begins with; another redelivery arrives before it goes on.
      await prepared(tx, 'SELECT FROM delivery WHERE id = $1 FOR UPDATE', [original!.id]);
      start();
      await wait(2, others);
      settleOriginals(tx, originals, verdicts);
      await prepared(tx, 'SELECT', []);
    });
    await Promise.all(redelivered);
    expect(
      await fixture.rows(
        `SELECT d.state, due.resume_state FROM delivery d JOIN due_delivery due USING (id)
         WHERE d.id = $1`,
        [original!.id],
      ),
    ).to.deep.equal([{ state: 'pending', resume_state: 'succeeded' }]);
  });

  /** The delivery of a replay, as far as its success settles the original. */
  const replayOf = async (eventId: string): Promise<ClaimedDelivery> => {
    await fixture.recordTrashed();
    await fixture.relay();
    const [other] = await claim(1);
    return { ...other!, eventId, replayId: 'rpl_01' };
  };
});
