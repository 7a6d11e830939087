import type { EventData, EventTypeName } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import type { Database } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared, query } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { WebhookFlow } from '../../src/entities/webhooks/webhook-flow.ts';
import { record } from '../../src/outbox/record.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create.ts';
import { findEndpoint } from '../../src/webhooks/endpoints/read.ts';
import { type Ground, originOf } from './outbox.ts';
import { fanOutRound, numberRound } from './relay-rounds.ts';

/** The actions of webhook tests on the outbox, without processes or Redis. */
export interface Bench {
  projectId: string;
  /** Records an event; returns its identifier. */
  trash(resourceId?: string): Promise<string>;
  record<T extends EventTypeName>(type: T, resourceId: string, data: EventData<T>): Promise<string>;
  /** Numbers and fans out what is there. */
  relay(): Promise<void>;
  /** Makes everything of an endpoint that is pending due, and lets all of it be under way at once. */
  hand(endpointId: string): Promise<void>;
  endpoint(given: { url: string; secret?: string; types?: string[] }): Promise<WebhookEndpoint>;
  reread(endpointId: string): Promise<WebhookEndpoint>;
  /** How it is served and how it has answered. */
  flow(endpointId: string): Promise<WebhookFlow>;
  published(eventId: string): Promise<boolean>;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
}

/** Records many events without deliveries, and delivers them to the endpoints there are. */
export async function happenOften(superuser: Database, bench: Bench, count: number): Promise<void> {
  await inTransaction(superuser, (tx) =>
    query(
      tx,
      `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
       SELECT left(id_floor('evt', now()), 14) || right(md5($1 || n || now()), 16), $1, 'domain',
         'dam.object.trashed', 'object', 'obj_' || n, '{}', 'system' FROM generate_series(1, $2::int) n`,
      [bench.projectId, count],
    ),
  );
  await bench.relay();
}

/** A project to try webhooks in. Secrets are kept as they are: no seal. */
export async function openBench(ground: Ground): Promise<Bench> {
  const projectId = await ground.project();
  const origin = originOf(projectId);
  const inside = <T>(work: Parameters<typeof inProject<T>>[2]) =>
    inProject(ground.api, projectId, work);
  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(ground.worker, async (tx) => prepared<Row>(tx, sql, values));
  const bench: Bench = {
    projectId,
    rows,
    trash: (resourceId = newId('object')) => bench.record('dam.object.trashed', resourceId, {}),
    record: async (type, resourceId, data) => {
      const [id] = await inside((tx) => record(tx, origin, { type, resourceId, data } as never));
      return id!;
    },
    async relay() {
      while ((await inTransaction(ground.relay, numberRound)).events > 0);
      while ((await inTransaction(ground.relay, fanOutRound)).events > 0);
    },
    async hand(endpointId) {
      await rows(
        `UPDATE due_delivery SET due_at = least(due_at, now())
         WHERE endpoint_id = $1 AND lease_until IS NULL`,
        [endpointId],
      );
      await rows('UPDATE webhook_flow SET window_size = 100 WHERE endpoint_id = $1', [endpointId]);
    },
    endpoint: async ({ url, secret, types = ['dam.*'] }) =>
      (
        await inside((tx) =>
          createEndpoint(
            tx,
            { seal: { seal: (text) => text } },
            origin,
            { url, event_types: types, ...(secret ? { secret } : {}) },
            [],
          ),
        )
      ).endpoint,
    reread: async (endpointId) => (await inside((tx) => findEndpoint(tx, projectId, endpointId)))!,
    flow: (endpointId) =>
      inTransaction(ground.worker, (tx) => tx.findOneByOrFail(WebhookFlow, { endpointId })),
    async published(eventId) {
      const [row] = await rows<{ published_at: Date | null }>(
        'SELECT published_at FROM event WHERE id = $1',
        [eventId],
      );
      return row!.published_at !== null;
    },
  };
  return bench;
}
