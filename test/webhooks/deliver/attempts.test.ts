import { expect } from 'chai';
import { inProject, inTransaction, prepared, type Tx } from '../../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import type { DatabaseFixture } from '../../support/database-fixture.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('stored webhook attempts', () => {
  const stage = prepareDelivering();
  const { endpointAt, claim, deliveryOf } = stage;
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: database, bench: fixture } = stage.now());
  });

  const settle = (held: ClaimedDelivery[], status: number) =>
    inTransaction(database.worker, (tx) =>
      settleDeliveries(
        tx,
        held.map((delivery) => ({ delivery, result: answered(status) })),
        schedule,
      ),
    );
  const sweep = () => inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
  const runOut = ({ id }: ClaimedDelivery) =>
    fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
  const rowsOf = async ({ id }: ClaimedDelivery): Promise<number[]> => {
    const rows = await fixture.rows<{ number: number }>(
      'SELECT number FROM attempt WHERE delivery_id = $1 ORDER BY number',
      [id],
    );
    return rows.map(({ number }) => number);
  };
  /** One event owed to one endpoint. */
  const owe = async (): Promise<{ endpoint: WebhookEndpoint; event: string }> => {
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    return { endpoint, event };
  };
  const shown = async ({ endpoint, event }: { endpoint: WebhookEndpoint; event: string }) => {
    const { state, attempts } = await deliveryOf(endpoint, event);
    return [state, ...attempts.map(({ number, outcome }) => `${number} ${outcome}`)];
  };

  it('are in the delivery for the first and in rows for the others, in order', async () => {
    const owed = await owe();
    const [first] = await claim(owed.endpoint.id);
    await settle([first!], 503);
    const [second] = await claim(owed.endpoint.id);
    await settle([second!], 204);
    expect(await rowsOf(first!)).to.deep.equal([2]);
    expect(await shown(owed)).to.deep.equal(['succeeded', '1 failed', '2 succeeded']);
    const { attempts } = await deliveryOf(owed.endpoint, owed.event);
    expect(attempts[0]).to.deep.include({
      trigger: 'schedule',
      status: 503,
      at: first!.begunAt.toISOString(),
      response_excerpt: '',
    });
    expect(attempts[0]!.error?.code).to.equal('status');
    expect(attempts[0]!.next_attempt_at).to.be.a('string');
    expect(attempts[0]!.duration_ms).to.equal(attempts[0]!.timings?.total);
    expect(attempts[0]!.timings).to.deep.equal(attempts[1]!.timings);
    expect(attempts[1]).to.deep.include({ error: null, next_attempt_at: null });
  });

  it('show the outcome of a first attempt whose lease had expired, once', async () => {
    const owed = await owe();
    const [late] = await claim(owed.endpoint.id);
    await runOut(late!);
    await sweep();
    expect(await shown(owed)).to.deep.equal(['pending', '1 unknown']);
    await settle([late!], 200);
    await settle([late!], 200);
    expect(await shown(owed)).to.deep.equal(['pending', '1 succeeded']);
    expect(await rowsOf(late!)).to.deep.equal([1]);
  });

  it('include a first attempt once, even if its commit was not confirmed', async () => {
    const owed = await owe();
    const [held] = await claim(owed.endpoint.id);
    await settle([held!], 200);
    await settle([held!], 200);
    expect(await shown(owed)).to.deep.equal(['succeeded', '1 succeeded']);
    expect(await rowsOf(held!)).to.deep.equal([]);
  });

  it('update successes in place, without an index, together with publication', async () => {
    const endpoint = await endpointAt();
    for (let at = 0; at < 20; at++) await fixture.recordTrashed();
    await fixture.relay();
    const held = await claim(endpoint.id);
    const updates = (tx: Tx, of: string) =>
      prepared<{ all: number; elsewhere: number }>(
        tx,
        `SELECT coalesce(sum(n_tup_upd), 0)::integer AS all,
           coalesce(sum(n_tup_upd - n_tup_hot_upd), 0)::integer AS elsewhere
         FROM pg_stat_xact_user_tables WHERE starts_with(relname, $1)`,
        [of],
      ).then(([row]) => row!);
    const tables = ['delivery_', 'event_'];
    const [deliveries, events] = await inTransaction(database.worker, async (tx) => {
      // Including those of earlier transactions on the connection.
      const before = await Promise.all(tables.map((of) => updates(tx, of)));
      await settleDeliveries(
        tx,
        held.map((delivery) => ({ delivery, result: answered(204) })),
        schedule,
      );
      const after = await Promise.all(tables.map((of) => updates(tx, of)));
      return after.map(({ all, elsewhere }, at) => ({
        all: all - before[at]!.all,
        elsewhere: elsewhere - before[at]!.elsewhere,
      }));
    });
    expect(deliveries).to.deep.equal({ all: held.length, elsewhere: 0 });
    // Numbering made these rows larger than the pages' fill factor allows for.
    expect(events!.all).to.equal(held.length);
    expect(events!.elsewhere).to.be.at.most(held.length / 5);
  });

  it('are visible to their own project only', async () => {
    const owed = await owe();
    await settle(await claim(owed.endpoint.id), 500);
    await settle(await claim(owed.endpoint.id), 200);
    const count = async (projectId: string) => {
      const [row] = await inProject(database.api, projectId, (tx) =>
        prepared<{ n: number }>(tx, 'SELECT count(*)::integer AS n FROM attempt_record', []),
      );
      return row!.n;
    };
    expect(await count(await database.createProject())).to.equal(0);
    expect(await count(fixture.projectId)).to.be.at.least(2);
  });

  it('fail their endpoint once, even if their commit was not confirmed', async () => {
    const { endpoint } = await owe();
    const [held] = await claim(endpoint.id);
    await settle([held!], 503);
    await settle([held!], 503);
    const flows = await fixture.rows<{ failures_in_row: number }>(
      'SELECT failures_in_row FROM webhook_flow WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(flows).to.deep.equal([{ failures_in_row: 1 }]);
  });
});
