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
import { createBell } from '../../../src/queues/wake.ts';
import { createEndpoint } from '../../../src/webhooks/endpoints/create.ts';
import { findEndpoint } from '../../../src/webhooks/endpoints/read.ts';
import {
  enableEndpoint,
  pauseEndpoint,
  turnOffEndpoint,
} from '../../../src/webhooks/endpoints/state.ts';
import type { BenchGround } from './ground.ts';

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
    given: Pick<WebhookCreate, 'url' | 'state' | 'max_in_flight'>,
  ): Promise<string>;
  setState(
    projectId: string,
    endpointIds: readonly string[],
    state: keyof typeof changes,
  ): Promise<void>;
  close(): Promise<void>;
}

const changes = { enabled: enableEndpoint, paused: pauseEndpoint, disabled: turnOffEndpoint };

/** The smallest possible event. */
export function smallEvent(): NewEvent {
  return { type: 'dam.object.trashed', resourceId: newId('object'), data: {} };
}

export async function openOutbox(
  ground: BenchGround,
  poolSize = 16,
  secretKey = randomBytes(32).toString('base64'),
): Promise<Outbox> {
  const api = await ground.open(ground.urls.apiUrl, poolSize);
  const redis = connectFailFast(ground.redisUrl, createLogger('silent', 'bench'));
  await new Promise((resolve) => redis.once('ready', resolve));
  const wake = createBell(redis).ring;
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
      let left = count;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          while (left > 0) {
            const some = Math.min(100, left);
            left -= some;
            await outbox.record(projectId, ...Array.from({ length: some }, smallEvent));
          }
        }),
      );
    },
    addEndpoint: (projectId, given) =>
      inProject(api, projectId, async (tx) => {
        const { endpoint } = await createEndpoint(
          tx,
          { seal },
          systemOrigin(projectId),
          { event_types: ['dam.*', 'documents.*'], ...given },
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
