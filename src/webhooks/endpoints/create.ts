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
import { countEndpoints, rereadEndpoint } from './read.ts';
import { makeSecrets, type Sealing, sortKinds } from './secrets.ts';

const defaultMaxInFlight = 20;

/**
 * Creates an endpoint, with new secrets or the given one.
 * @param urlFaults the result of `urlFaults` for its URL
 * @returns the endpoint and its HMAC secret, which is not shown again; null without one
 * @throws Problem 422 with every fault of the body, 409 when the project has the maximum
 */
export async function createEndpoint(
  tx: Tx,
  sealing: Sealing,
  origin: Origin,
  input: WebhookCreate,
  urlFaults: readonly Fault[],
): Promise<{ endpoint: WebhookEndpoint; secret: string | null }> {
  const headers = input.headers ?? {};
  const filter = readFilter(input.filter);
  const signing = sortKinds(input.signing ?? ['v1']);
  rejectFaults([
    ...urlFaults,
    ...typeFaults(input.event_types),
    ...filterFaults(filter),
    ...headerFaults(headers),
    ...secretFaults(input.secret, signing),
  ]);
  await requireCapacity(tx, origin.projectId);
  const id = newId('webhook');
  const { secrets, shown } = makeSecrets(sealing, id, signing, input.secret);
  sendInsert(tx, WebhookEndpoint, {
    projectId: origin.projectId,
    id,
    url: input.url,
    eventTypes: input.event_types,
    description: input.description ?? null,
    state: input.state ?? 'enabled',
    headers: sealHeaders(sealing, id, headers),
    payload: input.payload ?? 'full',
    filter,
    maxPerSecond: input.max_per_second ?? null,
    maxInFlight: input.max_in_flight ?? defaultMaxInFlight,
    signing,
    secrets,
  });
  sendInsert(tx, WebhookFlow, { projectId: origin.projectId, endpointId: id });
  const endpoint = await rereadEndpoint(tx, origin.projectId, id);
  await record(tx, origin, {
    type: 'webhooks.endpoint.created',
    resourceId: id,
    data: { event_types: endpoint.eventTypes, state: endpoint.state },
  });
  return { endpoint, secret: shown };
}

/** Checks the maximum under a lock, so that two concurrent requests cannot exceed it. */
async function requireCapacity(tx: Tx, projectId: string): Promise<void> {
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
