import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { findDelivery, readAttempts } from '../../src/webhooks/deliveries/read.ts';
import { createDialer, type Dialer } from '../../src/webhooks/dialing/dial.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { deliverTo } from '../support/deliver.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { certificate, https } from './dialling.ts';

describe('the timings of an attempt', () => {
  let databaseFixture: DatabaseFixture;
  let fixture: WebhookFixture;
  let dialer: Dialer;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    fixture = await openWebhookFixture(databaseFixture);
    dialer = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 1,
      connectTimeoutMs: 60_000,
      lookup: async (name) => [name === 'receiver.test' ? '127.0.0.1' : '10.0.0.1'],
      tls: { ca: certificate },
    });
  });
  after(async () => {
    await dialer.close();
    await databaseFixture.close();
  });

  /** Delivers one new event to an endpoint; returns the attempt as shown. */
  async function attemptAt(endpoint: WebhookEndpoint) {
    const event = await fixture.recordTrashed();
    await fixture.relay();
    await fixture.makeDue(endpoint.id);
    await deliverTo({ database: databaseFixture.worker, dialer, retrySchedule: [0] }, endpoint.id);
    const [row] = await fixture.rows<{ id: string }>(
      'SELECT id FROM delivery WHERE event_id = $1 AND endpoint_id = $2',
      [event, endpoint.id],
    );
    const { attempts } = await inProject(databaseFixture.api, fixture.projectId, async (tx) =>
      readAttempts(
        tx,
        fixture.projectId,
        (await findDelivery(tx, fixture.projectId, endpoint.id, row!.id))!,
        (sealed) => sealed,
      ),
    );
    return attempts[0]!;
  }

  it('are stored for all phases of a new connection, for the response on a kept one', async () => {
    const receiver = await https();
    const endpoint = await fixture.addEndpoint({ url: `https://receiver.test:${receiver.port}/` });
    const first = await attemptAt(endpoint);
    expect(first).to.include({ outcome: 'succeeded', status: 200, error: null });
    for (const phase of ['dns', 'connect', 'tls', 'first_byte', 'total']) {
      expect(first.timings?.[phase], phase).to.be.a('number');
    }
    expect(first.duration_ms).to.equal(first.timings?.total);
    const second = await attemptAt(endpoint);
    expect(second.timings).to.include({ dns: null, connect: null, tls: null });
    expect(second.timings?.first_byte).to.be.a('number');
    await receiver.close();
  });

  it('are not stored for a forbidden address, nor is anything else', async () => {
    const endpoint = await fixture.addEndpoint({ url: 'https://inside.example.com/' });
    const attempt = await attemptAt(endpoint);
    expect(attempt).to.include({
      outcome: 'failed',
      status: null,
      timings: null,
      duration_ms: null,
      response_excerpt: null,
    });
    expect(attempt.error?.code).to.equal('destination_not_allowed');
    expect(JSON.stringify(attempt)).not.to.include('10.0.0.1');
  });
});
