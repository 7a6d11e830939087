import { newId } from '../../contracts/ids.ts';
import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { type Fault, Problem } from '../../contracts/problems.ts';
import type { WebhookCreate } from '../../contracts/wire/webhooks.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { sealHeaders } from '../headers.ts';
import { headerFaults, refuse, secretFaults, typeFaults } from './faults.ts';
import { filterFaults, readFilter } from './filter.ts';
import { countEndpoints, reread } from './read.ts';
import { inOrder, makeSecrets, type Sealing } from './secrets.ts';

const defaultInFlight = 20;

/**
 * Adds an endpoint, with secrets of its own making or the one brought along.
 * @param urlFaults what `urlFaults` has found out about its URL
 * @returns it and its HMAC secret, which is not shown again; null where it signs without one
 * @throws Problem 422 with every fault of the body, 409 when the project has as many as it may have
 */
export async function createEndpoint(
  tx: Tx,
  sealing: Sealing,
  origin: Origin,
  given: WebhookCreate,
  urlFaults: readonly Fault[],
): Promise<{ endpoint: WebhookEndpoint; secret: string | null }> {
  const headers = given.headers ?? {};
  const filter = readFilter(given.filter);
  const signing = inOrder(given.signing ?? ['v1']);
  refuse([
    ...urlFaults,
    ...typeFaults(given.event_types),
    ...filterFaults(filter),
    ...headerFaults(headers),
    ...secretFaults(given.secret, signing),
  ]);
  await makeRoom(tx, origin.projectId);
  const id = newId('webhook');
  const { secrets, shown } = makeSecrets(sealing, id, signing, given.secret);
  await prepared(
    tx,
    `INSERT INTO webhook_endpoint
       (project_id, id, url, event_types, description, state, headers, payload, filter,
        max_per_second, max_in_flight, signing, secrets)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      origin.projectId,
      id,
      given.url,
      given.event_types,
      given.description ?? null,
      given.state ?? 'enabled',
      JSON.stringify(sealHeaders(sealing, id, headers)),
      given.payload ?? 'full',
      filter === null ? null : JSON.stringify(filter),
      given.max_per_second ?? null,
      given.max_in_flight ?? defaultInFlight,
      signing,
      JSON.stringify(secrets),
    ],
  );
  send(tx, 'INSERT INTO webhook_flow (project_id, endpoint_id) VALUES ($1, $2)', [
    origin.projectId,
    id,
  ]);
  const endpoint = await reread(tx, origin.projectId, id);
  await record(tx, origin, {
    type: 'webhooks.endpoint.created',
    resourceId: id,
    data: { event_types: endpoint.eventTypes, state: endpoint.state },
  });
  return { endpoint, secret: shown };
}

/** One at a time per project, so that two requests do not both take the last place. */
async function makeRoom(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`, [
    projectId,
  ]);
  if ((await countEndpoints(tx, projectId)) < limits.webhooks_per_project) return;
  throw new Problem(
    'state_conflict',
    `The project has ${limits.webhooks_per_project} webhooks, which is as many as there may be; delete one first.`,
    { extra: { limit: limits.webhooks_per_project } },
  );
}
