import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inProject, inTransaction, prepared, type Tx } from '../../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { createLogger } from '../../../src/logger.ts';
import { createOutcomeStore } from '../../../src/webhooks/delivery/sending/attempts.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
} from '../../../src/webhooks/delivery/sending/claim.ts';
import { createClaimer } from '../../../src/webhooks/delivery/sending/deliver.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import { deleteEndpoint } from '../../../src/webhooks/endpoints/remove.ts';
import { disableOnRequest, enableEndpoint } from '../../../src/webhooks/endpoints/state.ts';
import { type DatabaseFixture, originOf } from '../../support/database-fixture.ts';
import { deliveryFaults } from '../../support/recovery.ts';
import { runEndingStep } from '../../support/webhook-end.ts';
import { recordManyEvents, type WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('the end of a large backlog', () => {
  const stage = prepareDelivering();
  const { endpointAt, claim } = stage;
  let superuser: Database;
  let databaseFixture: DatabaseFixture;
  let fixture: WebhookFixture;
  before(async () => {
    superuser = await openDatabase(stage.now().ground.urls.superuserUrl, { poolSize: 1 });
  });
  after(() => superuser.destroy());
  beforeEach(() => {
    ({ ground: databaseFixture, bench: fixture } = stage.now());
  });

  const inside = <T>(work: (tx: Tx) => Promise<T>) =>
    inProject(databaseFixture.api, fixture.projectId, work);
  const happen = (count: number) => recordManyEvents(superuser, fixture, count);
  const settle = (claimed: readonly ClaimedDelivery[], status: number) =>
    inTransaction(databaseFixture.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result: answered(status) })),
        schedule,
      ),
    );
  const step = (endpoint: WebhookEndpoint) => runEndingStep(databaseFixture.worker, endpoint.id);
  /** How many deliveries to an endpoint are in each state. */
  const counted = async (endpoint: WebhookEndpoint): Promise<Record<string, number>> => {
    const rows = await fixture.rows<{ state: string; n: number }>(
      'SELECT state, count(*) AS n FROM delivery WHERE endpoint_id = $1 GROUP BY 1',
      [endpoint.id],
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  /** Locks the flow of an endpoint, as something slow does, while `work` runs. */
  const whileLocked = (endpoint: WebhookEndpoint, work: () => Promise<unknown>) =>
    inTransaction(superuser, async (tx) => {
      await prepared(tx, 'SELECT FROM webhook_flow WHERE endpoint_id = $1 FOR UPDATE', [
        endpoint.id,
      ]);
      await work();
    });

  it('of an endpoint that is gone comes a thousand at a time, apart from the attempts', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    const claimed = await claim(endpoint.id);
    await happen(2_300);
    await settle(claimed, 410);
    expect((await fixture.readEndpoint(endpoint.id)).disabledReason).to.equal('gone');
    expect(await counted(endpoint)).to.deep.equal({ exhausted: 1, pending: 2_300 });
    await step(endpoint);
    expect(await counted(endpoint)).to.deep.equal({
      exhausted: 1,
      pending: 1_300,
      skipped: 1_000,
    });
    while (await step(endpoint));
    expect(await counted(endpoint)).to.deep.equal({ exhausted: 1, skipped: 2_300 });
  });

  it('of an endpoint that is disabled begins with the request', async () => {
    const endpoint = await endpointAt();
    await happen(1_500);
    await inside((tx) => disableOnRequest(tx, originOf(fixture.projectId), endpoint));
    expect(await counted(endpoint)).to.deep.equal({ pending: 500, skipped: 1_000 });
    while (await step(endpoint));
    expect(await counted(endpoint)).to.deep.equal({ skipped: 1_500 });
  });

  it('stops when the endpoint is enabled again', async () => {
    const endpoint = await endpointAt();
    await happen(1_500);
    const origin = originOf(fixture.projectId);
    await inside((tx) => disableOnRequest(tx, origin, endpoint));
    const disabled = await fixture.readEndpoint(endpoint.id);
    await inside((tx) => enableEndpoint(tx, origin, disabled));
    while (await step(endpoint));
    expect(await counted(endpoint)).to.deep.equal({ pending: 500, skipped: 1_000 });
  });

  it('of a deleted endpoint begins with the request, and includes its failed history', async () => {
    const [endpoint, other] = [await endpointAt(), await endpointAt()];
    await happen(1_300);
    // Everything has reached the other endpoint, and nothing this one.
    await inTransaction(superuser, async (tx) => {
      await prepared(tx, 'DELETE FROM due_delivery WHERE project_id = $1', [fixture.projectId]);
      await prepared(
        tx,
        `UPDATE delivery SET finished_at = now(), state = CASE WHEN endpoint_id = $2 THEN 'succeeded'
           WHEN id < (SELECT id FROM delivery WHERE endpoint_id = $3 ORDER BY id OFFSET 600 LIMIT 1)
             THEN 'exhausted' ELSE 'skipped' END
         WHERE project_id = $1`,
        [fixture.projectId, other.id, endpoint.id],
      );
      await prepared(tx, 'UPDATE event SET delivered = 1 WHERE project_id = $1 AND owed = 2', [
        fixture.projectId,
      ]);
    });
    await fixture.rows(`UPDATE webhook_endpoint SET state = 'disabled' WHERE id = $1`, [other.id]);
    await fixture.recordTrashed();
    await fixture.recordTrashed();
    await fixture.relay();
    const [received, failed] = await claim(endpoint.id);
    await happen(1_500);
    await inside((tx) => deleteEndpoint(tx, originOf(fixture.projectId), endpoint));
    expect(await counted(endpoint)).to.deep.equal({
      cancelled: 1_000,
      pending: 502,
      exhausted: 600,
      skipped: 700,
    });
    // Attempts in progress end meanwhile: in the first batch are those that wait.
    await settle([received!], 200);
    await settle([failed!], 500);
    await step(endpoint);
    expect(await counted(endpoint)).to.deep.equal({
      cancelled: 2_501,
      skipped: 300,
      succeeded: 1,
    });
    while (await step(endpoint));
    expect(await counted(endpoint)).to.deep.equal({ cancelled: 2_801, succeeded: 1 });
    expect(await fixture.rows(deliveryFaults, [fixture.projectId])).to.deep.equal([]);
    const [published] = await fixture.rows<{ n: number }>(
      'SELECT count(*) AS n FROM event WHERE project_id = $1 AND owed = 1 AND published_at IS NOT NULL',
      [fixture.projectId],
    );
    expect(published).to.deep.equal({ n: 1_300 });
  });

  it('that a claim finds is one batch for each hint', async () => {
    const endpoint = await endpointAt();
    await happen(1_500);
    await fixture.rows(`UPDATE webhook_endpoint SET state = 'disabled' WHERE id = $1`, [
      endpoint.id,
    ]);
    const claimNone = createClaimer(
      { database: databaseFixture.worker, logger: createLogger('silent', 'test') },
      () => 100,
      new Set(),
    );
    await claimNone(endpoint.id);
    expect(await counted(endpoint)).to.deep.equal({ pending: 500, skipped: 1_000 });
    await claimNone(endpoint.id);
    expect(await counted(endpoint)).to.deep.equal({ skipped: 1_500 });
  });

  it('does not hold back the outcomes of attempts at other endpoints', async () => {
    const [locked, other] = [await endpointAt(), await endpointAt()];
    await fixture.recordTrashed();
    await fixture.relay();
    const [one, two] = [await claim(locked.id), await claim(other.id)];
    const store = createOutcomeStore(
      {
        database: databaseFixture.worker,
        retrySchedule: schedule,
        logger: createLogger('silent', 'test'),
      },
      () => 2,
    );
    let waiting: Promise<unknown> | undefined;
    await whileLocked(locked, async () => {
      waiting = store({ delivery: one[0]!, result: answered(500) }, true);
      await store({ delivery: two[0]!, result: answered(500) }, true);
    });
    await waiting;
    const failures = await fixture.rows(
      'SELECT failures FROM due_delivery WHERE endpoint_id = ANY($1)',
      [[locked.id, other.id]],
    );
    expect(failures).to.deep.equal([{ failures: 1 }, { failures: 1 }]);
  });

  it('does not hold back the claims of other endpoints', async () => {
    const [locked, other] = [await endpointAt(), await endpointAt()];
    await fixture.recordTrashed();
    await fixture.relay();
    await fixture.rows('UPDATE webhook_flow SET handed_at = now() WHERE project_id = $1', [
      fixture.projectId,
    ]);
    const claimSoon = createClaimer(
      { database: databaseFixture.worker, logger: createLogger('silent', 'test') },
      () => 100,
      new Set(),
    );
    await whileLocked(locked, async () => {
      // The round fails, and what is not locked is handed over again.
      const claims = await Promise.allSettled([claimSoon(locked.id), claimSoon(other.id)]);
      expect(claims.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      expect((await fixture.flow(other.id)).handedAt).to.equal(null);
      expect((await claimSoon(other.id)).claimed).to.have.length(1);
    });
    expect(
      await inTransaction(databaseFixture.worker, (tx) => claimDeliveries(tx, [locked.id], 50)),
    ).to.have.length(1);
  });
});
