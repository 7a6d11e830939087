import { randomBytes } from 'node:crypto';
import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import type { WebhookCreate } from '@scriptorium/contracts/wire/webhooks';
import { createSeal } from '../../../src/access/seal.ts';
import type { Database } from '../../../src/db/database.ts';
import { inProject } from '../../../src/db/transaction.ts';
import { createLogger } from '../../../src/logger.ts';
import { record } from '../../../src/outbox/record.ts';
import { connectFailFast } from '../../../src/queues/connection.ts';
import { createWakeChannel } from '../../../src/queues/wake.ts';
import { createEndpoint } from '../../../src/webhooks/endpoints/create.ts';
import { findEndpoint } from '../../../src/webhooks/endpoints/read.ts';
import {
  disableOnRequest,
  enableEndpoint,
  pauseEndpoint,
} from '../../../src/webhooks/endpoints/state.ts';
import type { Bench } from './bench.ts';

/** Records events and creates webhooks as the API does: commits, then notifies the relay. */
export interface Outbox {
  api: Database;
  /** Encrypts the endpoints' secrets; the workers need the same key. */
  secretKey: string;
  wake(): void;
  /** Records events in one transaction; returns their identifiers. */
  record(projectId: string, ...events: NewEvent[]): Promise<string[]>;
  /** Records this many, a hundred per transaction and four transactions at a time. */
  recordMany(projectId: string, count: number): Promise<void>;
  /** Adds an endpoint that wants all domain events of a project; returns its identifier. */
  addEndpoint(
    projectId: string,
    options: Pick<WebhookCreate, 'url' | 'state' | 'max_in_flight'>,
  ): Promise<string>;
  setState(
    projectId: string,
    endpointIds: readonly string[],
    state: keyof typeof changes,
  ): Promise<void>;
  close(): Promise<void>;
}

const changes = { enabled: enableEndpoint, paused: pauseEndpoint, disabled: disableOnRequest };

/** The smallest possible event. */
export function createSmallEvent(): NewEvent {
  return { type: 'dam.object.trashed', resourceId: newId('object'), data: {} };
}

export async function openOutbox(
  bench: Bench,
  poolSize = 16,
  secretKey = randomBytes(32).toString('base64'),
): Promise<Outbox> {
  const api = await bench.openDatabase(bench.urls.apiUrl, poolSize);
  const redis = connectFailFast(bench.redisUrl, createLogger('silent', 'bench'));
  await new Promise((resolve) => redis.once('ready', resolve));
  const wake = createWakeChannel(redis).wake;
  const seal = createSeal(secretKey);
  const outbox: Outbox = {
    api,
    secretKey,
    wake,
    async record(projectId, ...events) {
      const ids = await inProject(api, projectId, (tx) =>
        record(tx, systemOrigin(projectId), ...events),
      );
      wake();
      return ids;
    },
    async recordMany(projectId, count) {
      let remaining = count;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          while (remaining > 0) {
            const batch = Math.min(100, remaining);
            remaining -= batch;
            await outbox.record(projectId, ...Array.from({ length: batch }, createSmallEvent));
          }
        }),
      );
    },
    addEndpoint: (projectId, options) =>
      inProject(api, projectId, async (tx) => {
        const { endpoint } = await createEndpoint(
          tx,
          { seal },
          systemOrigin(projectId),
          { event_types: ['dam.*', 'documents.*'], ...options },
          [],
        );
        return endpoint.id;
      }),
    async setState(projectId, endpointIds, state) {
      await Promise.all(
        endpointIds.map((id) =>
          inProject(api, projectId, async (tx) => {
            const endpoint = await findEndpoint(tx, projectId, id);
            if (!endpoint) throw new Error(`Endpoint '${id}' not found.`);
            await changes[state](tx, systemOrigin(projectId), endpoint);
          }),
        ),
      );
      wake();
    },
    async close() {
      redis.disconnect();
    },
  };
  return outbox;
}
