import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inTransaction, prepared } from '../../src/db/transaction.ts';
import { type TestApi, useSharedApi } from './api.ts';
import { deliverTo } from './deliver.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { openRelay, type TestRelay } from './relay.ts';

/** An API with a relay and a receiver, to look at its webhooks in a browser. */
export interface PortalWebhooks {
  api: TestApi;
  relay: TestRelay;
  receiver: Receiver;
  /** Creates an endpoint at the receiver, for `dam.*` unless the body says otherwise. */
  create(body?: object): Promise<string>;
  read(id: string): ReturnType<TestApi['call']>;
  /** Records and fans out events `dam.object.trashed`. @returns their identifiers */
  recordEvents(count?: number): Promise<string[]>;
  /** Sends pending deliveries as the workers would: one attempt each, without retries by default. */
  deliver(id: string, retrySchedule?: number[]): Promise<void>;
  close(): Promise<void>;
}

export async function openPortalWebhooks(): Promise<PortalWebhooks> {
  const [api, receiver] = await Promise.all([useSharedApi(), startReceiver()]);
  const relay = await openRelay(api);
  return {
    api,
    relay,
    receiver,
    async create(body = {}) {
      const response = await api.call('POST', '/v1/webhooks', {
        body: { url: receiver.url, event_types: ['dam.*'], secret: receiver.secret, ...body },
      });
      expect(response.status, response.text).to.equal(201);
      return response.json.id;
    },
    read: (id) => api.call('GET', `/v1/webhooks/${id}`),
    async recordEvents(count = 1) {
      const ids = await relay.record(
        api.projectId,
        ...Array.from({ length: count }, () => ({
          type: 'dam.object.trashed' as const,
          resourceId: newId('object'),
          data: {},
        })),
      );
      await relay.run();
      return ids;
    },
    async deliver(id, retrySchedule = [0]) {
      await inTransaction(relay.worker, (tx) =>
        prepared(
          tx,
          'UPDATE webhook_flow SET window_size = 100, held_until = NULL WHERE endpoint_id = $1',
          [id],
        ),
      );
      const { dialer, seal } = api.deps;
      const deps = { database: relay.worker, dialer, unseal: seal.open, retrySchedule };
      while ((await deliverTo(deps, id)) > 0);
    },
    async close() {
      await relay.close();
      await receiver.close();
    },
  };
}
