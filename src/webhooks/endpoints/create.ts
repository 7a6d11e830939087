import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type Fault, Problem } from '@scriptorium/contracts/problems';
import type { WebhookCreate } from '@scriptorium/contracts/wire/webhooks';
import { sendInsert } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { WebhookFlow } from '../../entities/webhooks/webhook-flow.ts';
import { record } from '../../outbox/record.ts';
import { sealHeaders } from '../message.ts';
import { headerFaults, rejectFaults, secretFaults, typeFaults } from './faults.ts';
import { filterFaults, readFilter } from './filter.ts';
import { countEndpoints, reread } from './read.ts';
import { makeSecrets, type Sealing, sortKinds } from './secrets.ts';

const defaultInFlight = 20;

/**
 * Creates an endpoint, with new secrets or the given one.
 * @param urlFaults the result of `urlFaults` for its URL
 * @returns the endpoint and its HMAC secret, which is not shown again; null if it has none
 * @throws Problem 422 with every fault of the body, 409 when the project has the maximum
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
  const signing = sortKinds(given.signing ?? ['v1']);
  rejectFaults([
    ...urlFaults,
    ...typeFaults(given.event_types),
    ...filterFaults(filter),
    ...headerFaults(headers),
    ...secretFaults(given.secret, signing),
  ]);
  await makeRoom(tx, origin.projectId);
  const id = newId('webhook');
  const { secrets, shown } = makeSecrets(sealing, id, signing, given.secret);
  sendInsert(tx, WebhookEndpoint, {
    projectId: origin.projectId,
    id,
    url: given.url,
    eventTypes: given.event_types,
    description: given.description ?? null,
    state: given.state ?? 'enabled',
    headers: sealHeaders(sealing, id, headers),
    payload: given.payload ?? 'full',
    filter,
    maxPerSecond: given.max_per_second ?? null,
    maxInFlight: given.max_in_flight ?? defaultInFlight,
    signing,
    secrets,
  });
  sendInsert(tx, WebhookFlow, { projectId: origin.projectId, endpointId: id });
  const endpoint = await reread(tx, origin.projectId, id);
  await record(tx, origin, {
    type: 'webhooks.endpoint.created',
    resourceId: id,
    data: { event_types: endpoint.eventTypes, state: endpoint.state },
  });
  return { endpoint, secret: shown };
}

/** Locks, so that two requests do not both take the last place. */
async function makeRoom(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`, [
    projectId,
  ]);
  if ((await countEndpoints(tx, projectId)) < limits.webhooks_per_project) return;
  throw new Problem(
    'state_conflict',
    `The project already has ${pluralise(limits.webhooks_per_project, 'webhook')}, the maximum. Delete one first.`,
    { extra: { limit: limits.webhooks_per_project } },
  );
}
