import type { WebhookRecord, WebhookSort } from '@scriptorium/contracts/wire/webhooks';
import { In } from 'typeorm';
import { postgresTime } from '../../db/postgres-time.ts';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type Sort,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { selectListOf } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { hideHeaders } from '../message.ts';
import { publicKeysOf } from './secrets.ts';

/** An endpoint of the project, or null. */
export function findEndpoint(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.findOneBy(WebhookEndpoint, { projectId, id });
}

/**
 * Reads an endpoint and locks it against changes until the transaction ends. Call this before making
 * its deliveries due manually, or ending them.
 */
export function lockEndpoint(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.findOne(WebhookEndpoint, {
    where: { projectId, id },
    lock: { mode: 'pessimistic_read' },
  });
}

/**
 * Reads an endpoint and locks it in order to change or remove it. Other transactions that change it
 * wait until this one ends, then read the result.
 */
export function lockToChange(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.findOne(WebhookEndpoint, {
    where: { projectId, id },
    lock: { mode: 'for_no_key_update' },
  });
}

const sortKeys: SortKeys<WebhookSort> = {
  created_at: 'id',
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  url: { column: 'url', type: 'text' },
  state: { column: 'state', type: 'text' },
};

/** The project's endpoints after a position, sorted. */
export async function listEndpoints(
  tx: Tx,
  projectId: string,
  page: {
    ids?: readonly string[] | undefined;
    sort: Sort<WebhookSort>;
    after: Position | null;
    limit: number;
  },
): Promise<{ endpoint: WebhookEndpoint; position: string[] }[]> {
  const keyset = keysetOf(sortKeys, page.sort);
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  if (page.ids) where.add('id = ANY(?::text[])', page.ids);
  keyset.startAfter(where, page.after);
  const rows = await query<WebhookEndpoint & Positioned>(
    tx,
    `SELECT ${selectListOf(tx, WebhookEndpoint)}, ${keyset.position} FROM webhook_endpoint
     WHERE ${where.sql()} ORDER BY ${keyset.order} LIMIT ${where.bind(page.limit)}`,
    where.values,
  );
  return rows.map((endpoint) => ({ endpoint, position: keyset.positionOf(endpoint) }));
}

/** The number of the project's endpoints, or of those in `ids`. */
export function countEndpoints(
  tx: Tx,
  projectId: string,
  ids?: readonly string[],
): Promise<number> {
  return tx.countBy(WebhookEndpoint, { projectId, ...(ids && { id: In(ids) }) });
}

/** An endpoint that was just changed. */
export async function rereadEndpoint(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookEndpoint> {
  return tx.findOneByOrFail(WebhookEndpoint, { projectId, id });
}

/** An endpoint as the API shows it, without its secrets and the values of its headers. */
export function presentEndpoint(
  endpoint: WebhookEndpoint,
  health: WebhookRecord['health'],
): WebhookRecord {
  return {
    id: endpoint.id,
    project_id: endpoint.projectId,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
    headers: hideHeaders(endpoint.headers),
    payload: endpoint.payload,
    filter: endpoint.filter,
    max_per_second: endpoint.maxPerSecond,
    max_in_flight: endpoint.maxInFlight,
    signing: endpoint.signing,
    public_keys: publicKeysOf(endpoint.secrets, postgresTime()),
    health,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    version: endpoint.version,
  };
}
