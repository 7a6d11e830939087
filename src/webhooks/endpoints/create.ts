import { newId } from '../../contracts/ids.ts';
import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { Problem } from '../../contracts/problems.ts';
import type { WebhookCreate } from '../../contracts/wire/webhooks.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import type { Dialer } from '../dialing/dial.ts';
import { newSecret } from '../sign.ts';
import { checkUrl, headerFaults, secretFaults, typeFaults } from './faults.ts';
import { countEndpoints, reread } from './read.ts';

/** What endpoints are made with. */
export interface EndpointDeps {
  dialer: Pick<Dialer, 'check'>;
  seal: { seal(text: string): string };
}

const defaultInFlight = 20;

/**
 * Adds an endpoint, with a secret of its own making or the one brought along.
 * @returns it and its secret, which is never shown again
 * @throws Problem 422 with every fault of the body, 409 when the project has as many as it may have
 */
export async function createEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  origin: Origin,
  given: WebhookCreate,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const headers = given.headers ?? {};
  const secret = given.secret ?? newSecret();
  const faults = [
    ...typeFaults(given.event_types),
    ...headerFaults(headers),
    ...(given.secret === undefined ? [] : secretFaults(given.secret)),
  ];
  await checkUrl(deps.dialer, given.url, faults);
  await makeRoom(tx, origin.projectId);
  const id = newId('webhook');
  await prepared(
    tx,
    `INSERT INTO webhook_endpoint
       (project_id, id, url, event_types, description, state, headers, payload, secrets, max_in_flight)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      origin.projectId,
      id,
      given.url,
      given.event_types,
      given.description ?? null,
      given.state ?? 'enabled',
      JSON.stringify(headers),
      given.payload ?? 'full',
      JSON.stringify([{ cipher: deps.seal.seal(secret), expires_at: null }]),
      given.max_in_flight ?? defaultInFlight,
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
  return { endpoint, secret };
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
