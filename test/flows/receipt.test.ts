import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checkout } from '../support/run.ts';
import { openService, type TestService } from '../support/service.ts';

describe('delivery from commit to receipt between processes', () => {
  let service: TestService;
  let receiver: Receiver;
  beforeEach(async () => {
    service = await openService();
    receiver = await startReceiver();
    await service.startServer();
    const response = await service.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['dam.collection.*'],
      secret: receiver.secret,
    });
    expect(response.status).to.equal(201);
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  const rows = <Row extends object>(sql: string) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, []));
  const makeCollection = async (): Promise<void> => {
    const response = await service.call('POST', '/v1/collections', { name: randomUUID() });
    expect(response.status).to.equal(201);
  };

  it('needs no hint for an event that was just committed', async () => {
    service.startWorker('relay,webhooks');
    await makeCollection();
    await receiver.untilReceived(1);
    await service.redis.kill();
    await makeCollection();
    await receiver.untilReceived(2);
    expect(receiver.requests.every(({ verified }) => verified)).to.equal(true);
  });

  it('leaves only a lease if a process dies between the commit and the first byte', async () => {
    const doomed = service.startWorker('relay,webhooks', {
      NODE_OPTIONS: `--import=${pathToFileURL(join(checkout, 'test/support/programs/die-on-connect.mjs')).href}`,
      DIE_ON_CONNECT: new URL(receiver.url).port,
    });
    await eventually(async () => (await rows('SELECT FROM worker')).length > 0);
    await makeCollection();
    await doomed.exited;
    expect(receiver.requests).to.deep.equal([]);
    const left = await rows<{ lease_epoch: number; attempts: number; numbered: boolean }>(
      `SELECT d.lease_epoch, d.attempts, d.lease_until IS NOT NULL AND e.sequence IS NOT NULL AS numbered
       FROM due_delivery d JOIN event e ON e.id = d.event_id`,
    );
    expect(left).to.deep.equal([{ lease_epoch: 1, attempts: 1, numbered: true }]);
    service.startWorker('relay,webhooks');
    await receiver.untilReceived(1);
    expect(receiver.requests[0]!.verified).to.equal(true);
    const made = await eventually(async () => {
      const found = await rows<{ state: string; attempts: number }>(
        'SELECT state, attempts FROM delivery',
      );
      return found[0]?.state === 'succeeded' ? found : null;
    });
    expect(made).to.deep.equal([{ state: 'succeeded', attempts: 2 }]);
    const attempts = await rows<{ number: number; outcome: string }>(
      'SELECT number, outcome FROM attempt ORDER BY number',
    );
    expect(attempts).to.deep.equal([
      { number: 1, outcome: 'unknown' },
      { number: 2, outcome: 'succeeded' },
    ]);
    expect(await rows('SELECT FROM due_delivery')).to.deep.equal([]);
  });

  it('sends each event once while one of two senders is frozen', async () => {
    service.startWorker('relay');
    const senders = [service.startWorker('webhooks'), service.startWorker('webhooks')];
    await eventually(
      async () => (await rows(`SELECT FROM worker WHERE queue = 'webhooks'`)).length === 2,
    );
    const settled = () =>
      eventually(async () => (await rows('SELECT FROM due_delivery')).length === 0);
    let made = 0;
    const makeAndReceive = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        await makeCollection();
        await receiver.untilReceived(++made);
        await settled();
      }
    };
    await makeAndReceive(4);
    process.kill(senders[0]!.pid, 'SIGSTOP');
    await makeAndReceive(6);
    process.kill(senders[0]!.pid, 'SIGCONT');
    await makeAndReceive(4);
    expect(receiver.requests).to.have.length(made);
    const attempts = await rows<{ state: string; attempts: number }>(
      'SELECT DISTINCT state, attempts FROM delivery',
    );
    expect(attempts).to.deep.equal([{ state: 'succeeded', attempts: 1 }]);
  });
});
