import type { EventData, EventTypeName } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import type { Database } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared, query } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { WebhookFlow } from '../../src/entities/webhooks/webhook-flow.ts';
import { record } from '../../src/outbox/record.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create.ts';
import { findEndpoint } from '../../src/webhooks/endpoints/read.ts';
import { type DatabaseFixture, originOf } from './database-fixture.ts';
import { fanOutRound, numberRound } from './relay-rounds.ts';

/** The actions of webhook tests on the outbox, without processes or Redis. */
export interface WebhookFixture {
  projectId: string;
  /** Records an event; returns its identifier. */
  recordTrashed(resourceId?: string): Promise<string>;
  record<T extends EventTypeName>(type: T, resourceId: string, data: EventData<T>): Promise<string>;
  /** Numbers and fans out what is there. */
  relay(): Promise<void>;
  /** Makes everything of an endpoint that is pending due, and lets all of it be under way at once. */
  makeDue(endpointId: string): Promise<void>;
  addEndpoint(options: {
    url: string;
    secret?: string;
    types?: string[];
  }): Promise<WebhookEndpoint>;
  readEndpoint(endpointId: string): Promise<WebhookEndpoint>;
  /** How it is served and how it has answered. */
  flow(endpointId: string): Promise<WebhookFlow>;
  published(eventId: string): Promise<boolean>;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
}

/** Records many events without deliveries, and delivers them to the endpoints there are. */
export async function recordManyEvents(
  superuser: Database,
  fixture: WebhookFixture,
  count: number,
): Promise<void> {
  await inTransaction(superuser, (tx) =>
    query(
      tx,
      `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
       SELECT left(id_floor('evt', now()), 14) || right(md5($1 || n || now()), 16), $1, 'domain',
         'dam.object.trashed', 'object', 'obj_' || n, '{}', 'system' FROM generate_series(1, $2::int) n`,
      [fixture.projectId, count],
    ),
  );
  await fixture.relay();
}

/** A project to try webhooks in. Secrets are kept as they are: no seal. */
export async function openWebhookFixture(database: DatabaseFixture): Promise<WebhookFixture> {
  const projectId = await database.createProject();
  const origin = originOf(projectId);
  const inFixtureProject = <T>(work: Parameters<typeof inProject<T>>[2]) =>
    inProject(database.api, projectId, work);
  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(database.worker, async (tx) => prepared<Row>(tx, sql, values));
  const fixture: WebhookFixture = {
    projectId,
    rows,
    recordTrashed: (resourceId = newId('object')) =>
      fixture.record('dam.object.trashed', resourceId, {}),
    record: async (type, resourceId, data) => {
      const [id] = await inFixtureProject((tx) =>
        record(tx, origin, { type, resourceId, data } as never),
      );
      return id!;
    },
    async relay() {
      while ((await inTransaction(database.relay, numberRound)).events > 0);
      while ((await inTransaction(database.relay, fanOutRound)).events > 0);
    },
    async makeDue(endpointId) {
      await rows(
        `UPDATE due_delivery SET due_at = least(due_at, now())
         WHERE endpoint_id = $1 AND lease_until IS NULL`,
        [endpointId],
      );
      await rows('UPDATE webhook_flow SET window_size = 100 WHERE endpoint_id = $1', [endpointId]);
    },
    addEndpoint: async ({ url, secret, types = ['dam.*'] }) =>
      (
        await inFixtureProject((tx) =>
          createEndpoint(
            tx,
            { seal: { seal: (text) => text } },
            origin,
            { url, event_types: types, ...(secret ? { secret } : {}) },
            [],
          ),
        )
      ).endpoint,
    readEndpoint: async (endpointId) =>
      (await inFixtureProject((tx) => findEndpoint(tx, projectId, endpointId)))!,
    flow: (endpointId) =>
      inTransaction(database.worker, (tx) => tx.findOneByOrFail(WebhookFlow, { endpointId })),
    async published(eventId) {
      const [row] = await rows<{ published_at: Date | null }>(
        'SELECT published_at FROM event WHERE id = $1',
        [eventId],
      );
      return row!.published_at !== null;
    },
  };
  return fixture;
}
