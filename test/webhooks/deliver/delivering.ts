import { inProject, inTransaction } from '../../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { findDelivery, readAttempts } from '../../../src/webhooks/deliveries/read.ts';
import { claimDeliveries } from '../../../src/webhooks/delivery/sending/claim.ts';
import { createDialer, type Dialer, type DialResult } from '../../../src/webhooks/dialing/dial.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../../support/database-fixture.ts';
import { deliverTo } from '../../support/deliver.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

/** Seconds before each attempt in all tests in this folder. */
export const schedule = [0, 100, 200];

/** An answer as the dialer returns it. */
export const answered = (status: number): DialResult => ({
  outcome: 'answered',
  status,
  excerpt: '',
  timings: { dns: null, connect: null, tls: null, first_byte: 1, total: 1 },
});

/**
 * What a test works with: the first two shared by the tests of a file, the others new for each
 * test.
 */
interface Stage {
  ground: DatabaseFixture;
  dialer: Dialer;
  receiver: Receiver;
  bench: WebhookFixture;
}

/** Registers the hooks that set up a stage. Call it at the start of a `describe`. */
export function prepareDelivering() {
  let databaseFixture: DatabaseFixture;
  let dialer: Dialer;
  let receiver: Receiver;
  let fixture: WebhookFixture;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    dialer = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 20,
      connectTimeoutMs: 60_000,
    });
  });
  after(async () => {
    await dialer.close();
    await databaseFixture.close();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    fixture = await openWebhookFixture(databaseFixture);
  });
  afterEach(() => receiver.close());

  return {
    now: (): Stage => ({ ground: databaseFixture, dialer, receiver, bench: fixture }),
    /** A new endpoint at the test's receiver. */
    endpointAt: (types?: string[]): Promise<WebhookEndpoint> =>
      fixture.addEndpoint({
        url: receiver.url,
        secret: receiver.secret,
        ...(types ? { types } : {}),
      }),
    /**
     * Makes everything that waits for an endpoint due, and sends it; returns the number of
     * attempts.
     */
    async deliver(endpointId: string): Promise<number> {
      await fixture.makeDue(endpointId);
      return deliverTo(
        { database: databaseFixture.worker, dialer, retrySchedule: schedule },
        endpointId,
      );
    },
    /** Claims everything that waits for an endpoint, as a worker does before it sends. */
    async claim(endpointId: string) {
      await fixture.makeDue(endpointId);
      return inTransaction(databaseFixture.worker, (tx) => claimDeliveries(tx, [endpointId], 50));
    },
    /** The delivery of an event to an endpoint, with its attempts. */
    async deliveryOf(endpoint: WebhookEndpoint, eventId: string) {
      const [row] = await fixture.rows<{ id: string }>(
        'SELECT id FROM delivery WHERE endpoint_id = $1 AND event_id = $2',
        [endpoint.id, eventId],
      );
      return inProject(databaseFixture.api, fixture.projectId, async (tx) =>
        readAttempts(
          tx,
          fixture.projectId,
          (await findDelivery(tx, fixture.projectId, endpoint.id, row!.id))!,
          (sealed) => sealed,
        ),
      );
    },
    /** Seconds from the last failure to the next attempt, by the database's clock. */
    async waitOf(deliveryId: string): Promise<number> {
      const [row] = await fixture.rows<{ wait: number }>(
        `SELECT extract(epoch FROM d.due_at - a.at)::float8 AS wait FROM due_delivery d
         JOIN attempt_record a ON a.delivery_id = d.id WHERE d.id = $1 ORDER BY a.number DESC LIMIT 1`,
        [deliveryId],
      );
      return row!.wait;
    },
    /** The events about webhooks, in the order of recording. */
    async auditTypes(): Promise<string[]> {
      const rows = await fixture.rows<{ type: string }>(
        `SELECT type FROM event WHERE project_id = $1 AND type LIKE 'webhooks.%' ORDER BY ordinal`,
        [fixture.projectId],
      );
      return rows.map(({ type }) => type);
    },
  };
}
