import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import type { WebhookSender } from '../../src/webhooks/delivery/sending/deliver.ts';
import { createLocalSender } from '../../src/workers/webhooks/webhooks.ts';
import { openDatabaseFixture } from '../support/database-fixture.ts';
import { startPrivateRedis } from '../support/services.ts';
import { prepareWorkers } from '../support/workers.ts';

describe('the sender beside a relay', () => {
  let served: string[];
  let atSlice: (() => void) | undefined;
  /** Every endpoint has a backlog of ten slices. */
  const courier: WebhookSender = {
    capacity: () => ({ free: 1_000, unstored: [] }),
    deliver: async () => undefined,
    async serve(endpointId) {
      served.push(endpointId);
      await new Promise((resolve) => setImmediate(resolve));
      atSlice?.();
      return { begun: 1, more: served.length < 10 };
    },
    open: () => 0,
    idle: async () => undefined,
  };
  const sender = () => createLocalSender(courier, createLogger('silent', 'test'));
  beforeEach(() => {
    served = [];
    atSlice = undefined;
  });

  it('ends the slices in progress when it stops, and leaves the rest', async () => {
    const own = sender();
    atSlice = () => {
      if (served.length === 3) own.stop();
    };
    const { left, done } = own.accept({ immediate: [], waiting: ['a'] });
    expect(left).to.deep.equal([]);
    await done;
    expect(served).to.deep.equal(['a', 'a', 'a']);
  });

  it('serves nothing once it has stopped', async () => {
    const own = sender();
    own.stop();
    const { left, done } = own.accept({ immediate: [], waiting: ['a', 'b'] });
    await done;
    expect(left).to.deep.equal(['a', 'b']);
    expect(served).to.deep.equal([]);
  });

  it('stops with the webhooks of its process', async () => {
    const database = await openDatabaseFixture();
    const server = await startPrivateRedis();
    const workers = await prepareWorkers(database, server.url);
    workers.start('webhooks');
    const own = workers.deps.local.sender!;
    await workers.stop();
    const { left, done } = own.accept({ immediate: [], waiting: ['a'] });
    await done;
    await server.remove();
    await database.close();
    expect(left).to.deep.equal(['a']);
  });
});
