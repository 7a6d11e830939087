import { expect } from 'chai';
import { createAddressPolicy } from '../../src/webhooks/dialing/address.ts';
import { createConnections } from '../../src/webhooks/dialing/connections.ts';
import { parseDestination } from '../../src/webhooks/dialing/destination.ts';
import { exchange, newProgress, StopSignal } from '../../src/webhooks/dialing/exchange.ts';
import { http } from './receivers.ts';

describe('webhook connections', () => {
  it('are forgotten with their receiver once the last one has ended', async () => {
    const receiver = await http((_request, response) => response.end('ok'));
    const connections = createConnections({
      policy: createAddressPolicy({ allowCidrs: ['127.0.0.0/8'] }),
      lookup: async () => ['127.0.0.1'],
      maxPerOrigin: 1,
      connectTimeoutMs: 5_000,
    });
    for (const reusable of [false, true]) {
      for (const name of ['a', 'b', 'c']) {
        const destination = parseDestination(`http://${name}.example.com:${receiver.port}/`);
        const progress = newProgress();
        const stop = new StopSignal();
        const connection = await connections.acquire(destination, 'whk_1', progress, stop);
        await exchange(
          connection,
          destination,
          { headers: {}, body: '' },
          { context: { progress, deadlineMs: 5_000, status: null }, stop, userAgent: 'test' },
        );
        const gone = new Promise((resolve) => connection.client.once('disconnect', resolve));
        connections.release(connection, reusable);
        if (!reusable) await gone;
      }
      expect(connections.poolCount()).to.equal(reusable ? 3 : 0);
    }
    await connections.close();
    expect(connections.poolCount()).to.equal(0);
    await receiver.close();
  });
});
