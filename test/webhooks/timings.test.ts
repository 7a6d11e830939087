import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { findDelivery, readAttempts } from '../../src/webhooks/deliveries/read.ts';
import { createDialer, type Dialer } from '../../src/webhooks/dialing/dial.ts';
import { deliverTo } from '../support/deliver.ts';
import { type Bench, openBench } from '../support/endpoints.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { certificate, https } from './dialling.ts';

describe('the timings of an attempt', () => {
  let ground: Ground;
  let bench: Bench;
  let dialer: Dialer;
  before(async () => {
    ground = await openGround();
    bench = await openBench(ground);
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
    await ground.close();
  });

  /** Delivers one new event to an endpoint; returns the attempt as shown. */
  async function attemptAt(endpoint: WebhookEndpoint) {
    const event = await bench.trash();
    await bench.relay();
    await bench.hand(endpoint.id);
    await deliverTo({ database: ground.worker, dialer, retrySchedule: [0] }, endpoint.id);
    const [row] = await bench.rows<{ id: string }>(
      'SELECT id FROM delivery WHERE event_id = $1 AND endpoint_id = $2',
      [event, endpoint.id],
    );
    const { attempts } = await inProject(ground.api, bench.projectId, async (tx) =>
      readAttempts(
        tx,
        bench.projectId,
        (await findDelivery(tx, bench.projectId, endpoint.id, row!.id))!,
        (sealed) => sealed,
      ),
    );
    return attempts[0]!;
  }

  it('are stored for all phases of a new connection, for the response on a kept one', async () => {
    const receiver = await https();
    const endpoint = await bench.endpoint({ url: `https://receiver.test:${receiver.port}/` });
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
    const endpoint = await bench.endpoint({ url: 'https://inside.example.com/' });
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
